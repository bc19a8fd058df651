import { isObject, type Json, type Untidy } from './mutations.js';

export type Key = string | number;

/** One value in one response. */
export interface Place {
  /** The path from the top of the response to the value. */
  path: readonly Key[];
  /** The path without positions: `accounts[].transactions[].amount`. */
  template: string;
  value: Json;
  /** The values of the same field in the other items of the nearest list. */
  siblings: readonly Json[];
}

/** Every value of a response, including the response itself. */
export function placesIn(answer: Json): Place[] {
  const places: Place[] = [];
  visit(answer, []);
  return places;

  function visit(value: Json, path: readonly Key[]): void {
    places.push({ path, template: templateOf(path), value, siblings: siblingsOf(answer, path) });
    for (const key of keysOf(value)) visit(at(value, [key]), [...path, key]);
  }
}

const templateOf = (path: readonly Key[]): string =>
  path
    .map((key, depth) => (typeof key === 'number' ? '[]' : `${depth === 0 ? '' : '.'}${key}`))
    .join('');

/** The response with another value at a place; undefined removes the response itself. */
export function replaceAt(answer: Json, path: readonly Key[], untidy: Untidy): Json {
  const [key, ...rest] = path;
  if (key === undefined) return untidy === 'absent' ? undefined : untidy.value;
  const isRemoved = untidy === 'absent' && rest.length === 0;
  if (Array.isArray(answer))
    return answer.flatMap((item: Json, place) =>
      place !== key ? [item] : isRemoved ? [] : [replaceAt(item, rest, untidy)],
    );
  return Object.fromEntries(
    Object.entries(answer as Record<string, Json>).flatMap(([field, value]) =>
      field !== key ? [[field, value]] : isRemoved ? [] : [[field, replaceAt(value, rest, untidy)]],
    ),
  );
}

export const at = (answer: Json, path: readonly Key[]): Json =>
  path.reduce<Json>((value, key) => (value as Record<Key, Json> | undefined)?.[key], answer);

/** The items of lists that contain a place, the innermost first. */
export function itemsAround(answer: Json, path: readonly Key[]): Json[] {
  const ends = path.flatMap((key, depth) => (typeof key === 'number' ? [depth + 1] : []));
  return ends.reverse().map((end) => at(answer, path.slice(0, end)));
}

function siblingsOf(answer: Json, path: readonly Key[]): Json[] {
  const item = path.findLastIndex(
    (key, depth) => typeof key === 'number' && depth < path.length - 1,
  );
  if (item === -1) return [];
  const list = at(answer, path.slice(0, item)) as Json[];
  return list
    .filter((_, place) => place !== path[item])
    .map((other) => at(other, path.slice(item + 1)))
    .filter((value) => value !== undefined && value !== null);
}

function keysOf(value: Json): Key[] {
  if (Array.isArray(value)) return [...value.keys()];
  return isObject(value) ? Object.keys(value) : [];
}

/** Every text in a value. */
export function textsIn(value: Json): string[] {
  if (typeof value === 'string') return [value];
  return keysOf(value).flatMap((key) => textsIn(at(value, [key])));
}
