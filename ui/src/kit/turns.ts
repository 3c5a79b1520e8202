/** Long work in short turns, so that the page answers in between. */

/** Works until the time comes; true when all of it is done. */
export type Step = (until: number) => boolean;

const TURN = 12;
const now = () => performance.now();

/** The first turn is taken at once: what is small is ready when this returns. */
export function inTurns(step: Step, turned: (done: boolean) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | null = null;
  const turn = () => {
    const done = step(now() + TURN);
    turned(done);
    timer = done ? null : setTimeout(turn);
  };
  turn();
  return () => {
    if (timer !== null) clearTimeout(timer);
  };
}

/** The same as a promise. */
export async function all(step: Step): Promise<void> {
  while (!step(now() + TURN)) await new Promise((resolve) => setTimeout(resolve));
}

/** True at every 64th call when the time has come; a look at the clock costs more than most steps. */
export function late(turn: number, until: number): boolean {
  return turn % 64 === 63 && now() > until;
}
