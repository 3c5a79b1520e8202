/**
 * Schemas as one document: references followed inside it and nowhere else, siblings of a reference and the branches of
 * `allOf` joined. One step at a time: what a schema holds inside is looked at only when somebody looks there, so a type that
 * contains itself costs nothing. A reference that leads nowhere, elsewhere or only to itself stands for any JSON.
 */
import { type Json, parse } from '../../kit/json';

export type Schema = Map<string, Json>;

/** A schema with its references followed and its `allOf` joined in. */
export interface Resolved {
  schema: Schema;
  /** The references that were followed on the way; a place that follows one of its ancestors' again is recursive. */
  refs: string[];
  /** Why it had to be taken as any JSON, where it had to. */
  trouble: string | null;
}

/** How many references and branches one place may lead through. */
const STEPS = 200;

export const asObject = (value: Json | undefined): Schema | null => (value instanceof Map ? value : null);
export const asText = (value: Json | undefined): string | null => (typeof value === 'string' ? value : null);
export const asList = (value: Json | undefined): Json[] | null => (Array.isArray(value) ? value : null);

export class Document {
  readonly root: Json;
  #anchors: Map<string, Json> | null = null;

  constructor(text: string) {
    this.root = parse(text);
  }

  resolve(schema: Json | undefined): Resolved {
    const walk = { refs: [] as string[], trouble: null as string | null, steps: 0 };
    const found = this.#follow(schema, walk, []);
    return { schema: found ?? new Map(), refs: walk.refs, trouble: walk.trouble };
  }

  #follow(
    schema: Json | undefined,
    walk: Omit<Resolved, 'schema'> & { steps: number },
    above: string[],
  ): Schema | null {
    const here = asObject(schema);
    if (schema === false) walk.trouble ??= 'The schema allows no value here.';
    if (!here) return null;
    if (++walk.steps > STEPS) {
      walk.trouble ??= 'The schema refers on and on here.';
      return null;
    }
    const parts: Schema[] = [];
    const ref = asText(here.get('$ref')) ?? asText(here.get('$dynamicRef')) ?? asText(here.get('$recursiveRef'));
    if (ref !== null) {
      if (above.includes(ref)) {
        walk.trouble ??= 'The schema refers to itself here.';
        return null;
      }
      if (!walk.refs.includes(ref)) walk.refs.push(ref);
      const place = this.at(ref);
      if (place === undefined) {
        const far = !ref.startsWith('#');
        walk.trouble ??= far
          ? `The schema refers to ${ref}, which is never fetched.`
          : `The schema refers to ${ref}, which is not in it.`;
      }
      const target = this.#follow(place, walk, [...above, ref]);
      if (target) parts.push(target);
    }
    for (const branch of asList(here.get('allOf')) ?? []) {
      const part = this.#follow(branch, walk, above);
      if (part) parts.push(part);
    }
    if (parts.length === 0 && ref === null && !here.has('allOf')) return here;
    const own = new Map([...here].filter(([key]) => !['$ref', '$dynamicRef', '$recursiveRef', 'allOf'].includes(key)));
    return parts.concat(own).reduce(join, new Map());
  }

  /** What a reference points at; undefined where that is nothing in this document. */
  at(ref: string): Json | undefined {
    const own = asText(asObject(this.root)?.get('$id'))?.replace(/#$/, '');
    const split = ref.indexOf('#');
    const base = split < 0 ? ref : ref.slice(0, split);
    const fragment = split < 0 ? '' : decoded(ref.slice(split + 1));
    if (base !== '' && base !== own && !own?.endsWith(`/${base}`)) return undefined;
    if (fragment === '') return this.root;
    if (!fragment.startsWith('/')) return this.#anchor(fragment);
    let place: Json | undefined = this.root;
    for (const token of fragment.slice(1).split('/')) {
      const key = token.replaceAll('~1', '/').replaceAll('~0', '~');
      if (Array.isArray(place)) place = /^(?:0|[1-9]\d*)$/.test(key) ? place[Number(key)] : undefined;
      else place = asObject(place)?.get(key);
    }
    return place;
  }

  #anchor(name: string): Json | undefined {
    if (!this.#anchors) {
      const anchors = new Map<string, Json>();
      const look = (place: Json) => {
        if (Array.isArray(place)) place.forEach(look);
        const here = asObject(place);
        if (!here) return;
        const id = asText(here.get('$id')); // draft-07 names a place by an $id that begins with #
        const names = [here.get('$anchor'), here.get('$dynamicAnchor'), id?.startsWith('#') ? id.slice(1) : null];
        for (const one of names) if (typeof one === 'string' && !anchors.has(one)) anchors.set(one, here);
        here.forEach(look);
      };
      look(this.root);
      this.#anchors = anchors;
    }
    return this.#anchors.get(name);
  }
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment; // not encoded: it is the pointer as it stands
  }
}

/** Both schemas at once, as near as a form can have it; the second one's words win. */
export function join(one: Schema, other: Schema): Schema {
  const both: Schema = new Map(one);
  for (const [key, value] of other) {
    const before = both.get(key);
    if (before === undefined) both.set(key, value);
    else if (key === 'properties') {
      const properties = new Map(asObject(before));
      for (const [name, schema] of asObject(value) ?? []) {
        const same = properties.get(name);
        properties.set(name, same === undefined ? schema : new Map([['allOf', [same, schema]]]));
      }
      both.set(key, properties);
    } else if (key === 'required') {
      both.set(key, [...new Set([...(asList(before) ?? []), ...(asList(value) ?? [])])]);
    } else if (key === 'type') both.set(key, common(before, value));
    else both.set(key, value);
  }
  return both;
}

function common(one: Json, other: Json): Json {
  const types = asList(other) ?? [other];
  const kept = types.filter((type) => (asList(one) ?? [one]).includes(type));
  return kept.length === 1 ? (kept[0] ?? other) : kept.length ? kept : other;
}

const escaped = (key: string) => key.replaceAll('~', '~0').replaceAll('/', '~1');

/** The JSON pointer of a member or item. */
export const pointer = (above: string, key: string | number) => `${above}/${escaped(String(key))}`;

/** The keys of a JSON pointer. */
export function keysOf(path: string): string[] {
  return path === ''
    ? []
    : path
        .slice(1)
        .split('/')
        .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
}
