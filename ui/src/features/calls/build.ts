/**
 * From the tree to the arguments. A place that nobody touched is not sent, with or without a default: the server has its
 * default. Only where it must be there does an untouched default, a single allowed value or an untouched "No" go out, as the
 * form shows it. Null goes out when chosen, and an empty text only when chosen.
 */
import { type Json, JsonNumber, numberText, parse } from '../../kit/json';
import { pointer, type Document } from './refs';
import { type Shape, shapeOf } from './shape';
import { emptyObject, opensItself, suited, type Value } from './value';

export interface Report {
  /** What is wrong, by JSON pointer. */
  problems: Record<string, string>;
  /** True where some text can't be written as JSON, so that it can't be sent anyway. */
  stuck: boolean;
}

export const WANTED = 'The server wants this one.';

/** Whole by its value, as JSON Schema counts it: 1e3 and 1.0 are. */
function isWhole(number: string): boolean {
  const [, digits = '', fraction = '', exponent = '0'] = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(number) ?? [];
  const power = Number(exponent);
  if (power >= 0) return /^0*$/.test(fraction.slice(power));
  return /^0*$/.test(fraction) && /^0*$/.test(digits.slice(Math.max(0, digits.length + power)));
}

export function numberOf(typed: string, integer: boolean): string | null {
  const number = numberText(typed, false);
  return number !== null && (!integer || isWhole(number)) ? number : null;
}

/** What is wrong with a touched scalar, as far as the text itself tells. */
export function textProblem(shape: Shape, value: Value | undefined): string | null {
  if (value?.is === 'json' && value.text.trim()) {
    try {
      parse(value.text);
    } catch (error) {
      return `${error instanceof Error ? error.message : String(error)}. A text stands in "quotes".`;
    }
  }
  const integer = shape.kind === 'integer';
  if (value?.is !== 'text' || !value.text.trim() || (shape.kind !== 'number' && !integer)) return null;
  if (numberOf(value.text, integer) !== null) return null;
  if (/^\s*[+-]?\d*,\d+\s*$/.test(value.text)) return 'The decimal mark is a point here.';
  return integer ? 'This is not a whole number.' : 'This is not a number.';
}

export class Builder {
  readonly report: Report = { problems: {}, stuck: false };

  constructor(private document: Document) {}

  build(schema: Json, typed: Value | undefined, required: boolean, path = '', trail: string[] = []): Json | undefined {
    const shape = shapeOf(this.document, schema);
    const value = suited(shape, typed);
    const inner = [...trail, ...shape.refs];
    switch (value?.is) {
      case undefined:
        return this.#untouched(shape, required, path, trail);
      case 'null':
        return null;
      case 'empty':
        return '';
      case 'flag':
        return value.on;
      case 'choice':
        return parse(value.value);
      case 'many':
        return value.values.map((one) => parse(one));
      case 'variant': {
        const variant = shape.variants[value.at];
        return variant && this.build(variant.schema, value.value, true, path, inner);
      }
      case 'list':
        return value.items
          .map((item, at) =>
            this.build(shape.tuple[at] ?? shape.item ?? true, item.value, true, pointer(path, at), inner),
          )
          .filter((item) => item !== undefined);
      case 'object':
        return this.#object(shape, value, path, inner);
      case 'text':
      case 'json':
        return this.#scalar(shape, value, required, path);
    }
  }

  #untouched(shape: Shape, required: boolean, path: string, trail: string[]): Json | undefined {
    if (!required) return undefined;
    if (shape.fallback !== undefined) return shape.fallback;
    if (shape.kind === 'boolean') return false;
    if (shape.kind === 'null') return null;
    if (opensItself(shape, required, trail)) return this.#object(shape, emptyObject(), path, [...trail, ...shape.refs]);
    this.report.problems[path] = WANTED;
    return undefined;
  }

  #scalar(shape: Shape, value: Extract<Value, { text: string }>, required: boolean, path: string): Json | undefined {
    if (value.is === 'text' ? value.text === '' : !value.text.trim()) {
      if (required) this.report.problems[path] = WANTED;
      return undefined;
    }
    if (value.is === 'text' && shape.kind === 'text') return value.text;
    const problem = textProblem(shape, value);
    const number = value.is === 'text' ? numberOf(value.text, shape.kind === 'integer') : null;
    if (problem === null && value.is === 'json') return parse(value.text);
    if (number !== null) return new JsonNumber(number);
    this.report.problems[path] = problem ?? WANTED;
    this.report.stuck = true;
    return undefined;
  }

  #object(shape: Shape, value: Extract<Value, { is: 'object' }>, path: string, trail: string[]): Json {
    const built = new Map<string, Json>();
    const put = (name: string, schema: Json, typed: Value | undefined, required: boolean) => {
      const json = this.build(schema, typed, required, pointer(path, name), trail);
      if (json !== undefined) built.set(name, json);
    };
    for (const { name, schema, required } of shape.properties) put(name, schema, value.members.get(name), required);
    for (const row of value.rows) {
      // The path of a row's name is the row's own, since a name may be missing or stand twice.
      const taken =
        shape.kind === 'object' && (built.has(row.name) || shape.properties.some(({ name }) => name === row.name));
      if (row.name === '' && row.value === undefined) continue;
      if (taken) {
        this.report.problems[rowPath(path, row.key)] = 'This name stands here already.';
        this.report.stuck = true;
      } else put(row.name, shape.further[row.at]?.schema ?? true, row.value, true);
    }
    return built;
  }
}

/** Where a problem of a row's name is kept: no JSON pointer, since two rows may have one name. */
export const rowPath = (path: string, key: number) => `${path}#${key}`;
