/**
 * From JSON to the tree, and nothing is lost on the way: a value that its field can't show is kept as JSON in its place, and
 * members that the schema does not name become rows.
 */
import { type Json, JsonNumber, write } from '../../kit/json';
import { numberOf } from './build';
import type { Document } from './refs';
import { type Shape, shapeOf } from './shape';
import { emptyObject, fresh, freshRow, type Row, type Value } from './value';

export function fill(document: Document, schema: Json, json: Json): Value {
  const shape = shapeOf(document, schema);
  return fillShape(document, shape, json) ?? { is: 'json', text: write(json, '  ') };
}

function fillShape(document: Document, shape: Shape, json: Json): Value | null {
  if (json === null && (shape.nullable || shape.kind === 'null')) return { is: 'null' };
  switch (shape.kind) {
    case 'text':
      if (typeof json !== 'string') return null;
      return json === '' ? { is: 'empty' } : { is: 'text', text: json };
    case 'number':
    case 'integer': {
      const number = json instanceof JsonNumber ? json.text : null;
      return number !== null && numberOf(number, shape.kind === 'integer') === number
        ? { is: 'text', text: number }
        : null;
    }
    case 'boolean':
      return typeof json === 'boolean' ? { is: 'flag', on: json } : null;
    case 'choice': {
      const value = write(json);
      return shape.options.some((option) => option.value === value) ? { is: 'choice', value } : null;
    }
    case 'many': {
      const values = Array.isArray(json) ? json.map((one) => write(one)) : null;
      const known = values?.every((value) => shape.options.some((option) => option.value === value));
      return values && known && new Set(values).size === values.length ? { is: 'many', values } : null;
    }
    case 'list':
      if (!Array.isArray(json)) return null;
      return {
        is: 'list',
        items: json.map((one, at) => fresh(fill(document, shape.tuple[at] ?? shape.item ?? true, one))),
      };
    case 'object':
      return json instanceof Map ? fillObject(document, shape, json) : null;
    case 'variants': {
      const at = likeliest(document, shape, json);
      const variant = shape.variants[at];
      return variant ? { is: 'variant', at, value: fill(document, variant.schema, json) } : null;
    }
    default:
      return null;
  }
}

function fillObject(document: Document, shape: Shape, json: Map<string, Json>): Value {
  const members = new Map<string, Value>();
  const rows: Row[] = [];
  // With several patterns it is not said which one a name follows, and no pattern of a server's is run here.
  const at = shape.further.length === 1 ? 0 : -1;
  for (const [name, value] of json) {
    const property = shape.properties.find((one) => one.name === name);
    if (property) members.set(name, fill(document, property.schema, value));
    else rows.push(freshRow(name, at, fill(document, shape.further[at]?.schema ?? true, value)));
  }
  return { ...emptyObject(), members, rows };
}

/** The variant that the JSON most looks like, judged by itself and its members, and no deeper. -1 where none does. */
function likeliest(document: Document, shape: Shape, json: Json): number {
  const scores = shape.variants.map(({ schema }) => likeness(document, shapeOf(document, schema), json, true));
  const best = Math.max(...scores);
  return best > NO ? scores.indexOf(best) : -1;
}

const NO = -1000;

function likeness(document: Document, shape: Shape, json: Json, members: boolean): number {
  if (shape.kind === 'any') return 1;
  if (shape.kind === 'variants') return 2;
  if (shape.kind === 'list' || shape.kind === 'object') {
    const list = Array.isArray(json);
    if (list ? shape.kind !== 'list' : !(json instanceof Map) || shape.kind !== 'object') return NO;
    if (!members) return 5;
    if (list) {
      const first = json[0];
      const schema = shape.tuple[0] ?? shape.item ?? true;
      return first === undefined ? 5 : 5 + Math.max(-50, likeness(document, shapeOf(document, schema), first, false));
    }
    return json instanceof Map ? 5 + sum(document, shape, json) : NO;
  }
  return fillShape(document, shape, json) ? 6 : NO;
}

function sum(document: Document, shape: Shape, json: Map<string, Json>): number {
  let score = 0;
  for (const { name, schema, required } of shape.properties) {
    const value = json.get(name);
    if (value === undefined) score -= required ? 20 : 0;
    else score += Math.max(-50, likeness(document, shapeOf(document, schema), value, false));
  }
  const unknown = [...json.keys()].filter((name) => !shape.properties.some((one) => one.name === name)).length;
  return Math.max(NO + 10, score - unknown * (shape.further.length ? 1 : 10));
}
