import fc from 'fast-check';
import { oddText, oddValue } from './odd-values.js';

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
export function mutated(values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
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
