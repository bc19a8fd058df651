import fc from 'fast-check';
import { valuesOf, type SchemaContext } from './from-schema.js';
import { oddJsonText, toJson, oddText, oddValue } from './odd-values.js';
import type { Operation } from './operations.js';
import { oddPairs } from './queries-and-forms.js';
import { urlEncoded } from './wire-text.js';

interface Mutation {
  /** The index of a place in the value, modulo the number of places. */
  place: number;
  change: 'replace' | 'remove' | 'add' | 'wrap' | 'repeat';
  key: string;
  value: unknown;
}

const mutation: fc.Arbitrary<Mutation> = fc.record({
  place: fc.nat(200),
  change: fc.oneof(
    { weight: 4, arbitrary: fc.constant('replace' as const) },
    { weight: 1, arbitrary: fc.constantFrom('remove', 'add', 'wrap', 'repeat') },
  ),
  key: oddText,
  value: oddValue,
});

/** A value with one to three changes somewhere in it. */
function mutated(values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc
    .tuple(values, fc.array(mutation, { minLength: 1, maxLength: 3 }))
    .map(([value, mutations]) => mutations.reduce(apply, value));
}

function apply(value: unknown, { place, change, key, value: odd }: Mutation): unknown {
  const paths = pathsIn(value);
  return changeAt(value, paths[place % paths.length] ?? [], (found) => {
    switch (change) {
      case 'replace':
        return odd;
      case 'remove':
        return undefined;
      case 'add':
        return isObject(found) ? { ...found, [key]: odd } : odd;
      case 'wrap':
        return [found];
      case 'repeat':
        return Array.from({ length: 30 }, () => found);
    }
  });
}

/** The value itself, and everything in it. */
function pathsIn(value: unknown): string[][] {
  if (typeof value !== 'object' || value === null) return [[]];
  const inner = Object.entries(value).slice(0, 50);
  return [[], ...inner.flatMap(([key, part]) => pathsIn(part).map((path) => [key, ...path]))];
}

function changeAt(
  value: unknown,
  [key, ...rest]: string[],
  change: (found: unknown) => unknown,
): unknown {
  if (key === undefined) return change(value);
  if (Array.isArray(value)) {
    const items: unknown[] = value;
    return items.map((item, index) =>
      String(index) === key ? changeAt(item, rest, change) : item,
    );
  }
  return isObject(value) ? { ...value, [key]: changeAt(value[key], rest, change) } : value;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const FORM = 'application/x-www-form-urlencoded';

export function bodies(
  name: string,
  { mediaType, schema }: NonNullable<Operation['body']>,
  context: SchemaContext,
  odd: boolean,
): fc.Arbitrary<string> {
  const values = valuesOf(schema, context, `body of ${name}`);
  if (mediaType === 'application/json') {
    if (!odd) return values.map(toJson);
    return fc.oneof(
      { weight: 6, arbitrary: mutated(values).map(toJson) },
      { weight: 1, arbitrary: oddJsonText },
    );
  }
  if (mediaType !== FORM) return values.map(asText);
  const forms = values.map((value) =>
    Object.entries(value as object).map(([name, text]): [string, string] => [name, asText(text)]),
  );
  if (!odd) return forms.map(urlEncoded);
  return fc.oneof(
    { weight: 9, arbitrary: oddPairs(forms).map(urlEncoded) },
    { weight: 1, arbitrary: fc.constantFrom('a&'.repeat(20_000), 'scope=a&'.repeat(2_000), '%&=') },
  );
}

/** A value of any kind. An object may have a member `toString` that is not a function. */
function asText(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
