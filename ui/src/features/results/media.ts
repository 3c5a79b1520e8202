/** Where a resource's data comes from; what bytes are, the kit tells. */
import type { BlockView } from '../../ipc/types';

export * from '../../kit/media';

/** A resource's block. */
export type ResourceData = Extract<BlockView, { type: 'resource' }>;
