/**
 * What the person put into a form, as a tree beside the schema. A place that nobody touched is not in the tree. A scalar is
 * the text as it was typed, so nothing is rewritten while typing and no number loses a digit; it becomes JSON on the way out
 * (`build.ts`). `json` holds what the form has no place for, as it came from the JSON editor.
 */
import type { Shape } from './shape';

export type Value =
  | { is: 'text'; text: string }
  /** An empty text that the person chose; an emptied field is `text` without text, and not sent. */
  | { is: 'empty' }
  | { is: 'flag'; on: boolean }
  | { is: 'null' }
  | { is: 'choice'; value: string }
  | { is: 'many'; values: string[] }
  | { is: 'list'; items: Item[] }
  | { is: 'object'; members: ReadonlyMap<string, Value>; rows: Row[] }
  | { is: 'variant'; at: number; value: Value | undefined }
  | { is: 'json'; text: string };

export interface Item {
  key: number;
  value: Value | undefined;
}
/** A member that the schema does not name. */
export interface Row extends Item {
  name: string;
  /** Which of the shape's `further` schemas it follows; -1 for none. */
  at: number;
}
/** The tree of a whole form; empty where nobody touched it. */
export interface Typed {
  root?: Value;
}
export type ObjectValue = Extract<Value, { is: 'object' }>;
export type ListValue = Extract<Value, { is: 'list' }>;

let keys = 0;
export const fresh = (value?: Value): Item => ({ key: keys++, value });
export const freshRow = (name: string, at: number, value?: Value): Row => ({ ...fresh(value), name, at });
export const emptyObject = (): ObjectValue => ({ is: 'object', members: new Map(), rows: [] });

/** A list as it is when it is begun: a tuple has its places, another list one. */
export const beginList = ({ tuple }: Shape): ListValue => ({
  is: 'list',
  items: tuple.length ? tuple.map(() => fresh()) : [fresh()],
});

/** The value where it belongs to this shape; a schema may have changed since it was typed. */
export function suited(shape: Shape, value: Value | undefined): Value | undefined {
  if (!value || value.is === 'json' || value.is === 'null') return value;
  const { kind } = shape;
  if (value.is === 'text') return kind === 'text' || kind === 'number' || kind === 'integer' ? value : undefined;
  if (value.is === 'empty') return kind === 'text' ? value : undefined;
  if (value.is === 'flag') return kind === 'boolean' ? value : undefined;
  if (value.is === 'variant') return kind === 'variants' && value.at < shape.variants.length ? value : undefined;
  if (value.is === 'choice') {
    return kind === 'choice' && shape.options.some((option) => option.value === value.value) ? value : undefined;
  }
  return value.is === kind ? value : undefined;
}

/** Whether a place that is not in the tree opens by itself: what must be there does, unless it repeats what stands above. */
export const opensItself = (shape: Shape, required: boolean, trail: string[]) =>
  required && shape.kind === 'object' && shape.fallback === undefined && !shape.refs.some((ref) => trail.includes(ref));

export function withMember(object: Value | undefined, name: string, value: Value | undefined): ObjectValue {
  const { members, rows } = object?.is === 'object' ? object : emptyObject();
  const next = new Map(members);
  if (value === undefined) next.delete(name);
  else next.set(name, value);
  return { is: 'object', members: next, rows };
}

export function withRow(object: Value | undefined, row: Row): ObjectValue {
  const { members, rows } = object?.is === 'object' ? object : emptyObject();
  const known = rows.some(({ key }) => key === row.key);
  return { is: 'object', members, rows: known ? rows.map((one) => (one.key === row.key ? row : one)) : [...rows, row] };
}

export const withoutRow = (object: ObjectValue, key: number): ObjectValue => ({
  ...object,
  rows: object.rows.filter((row) => row.key !== key),
});

export const withItem = (list: ListValue, key: number, value: Value | undefined): ListValue => ({
  is: 'list',
  items: list.items.map((item) => (item.key === key ? { key, value } : item)),
});

export const withoutItem = (list: ListValue, key: number): ListValue => ({
  is: 'list',
  items: list.items.filter((item) => item.key !== key),
});

export function moveItem(list: ListValue, from: number, to: number): ListValue {
  const items = [...list.items];
  const [item] = items.splice(from, 1);
  if (item) items.splice(to, 0, item);
  return { is: 'list', items };
}
