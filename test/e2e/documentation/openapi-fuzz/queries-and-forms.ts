import fc from 'fast-check';
import { valuesOf, type SchemaContext } from './from-schema.js';
import { oddText, toText } from './odd-values.js';
import type { Parameter } from './operations.js';
import { urlEncoded, type Pairs } from './wire-text.js';

export function queries(
  parameters: readonly Parameter[],
  context: SchemaContext,
  odd: boolean,
): fc.Arbitrary<string> {
  const model = Object.fromEntries(
    parameters.map(({ name, schema }) => [name, valuesOf(schema, context, name)]),
  );
  const requiredKeys = parameters.filter(({ required }) => required).map(({ name }) => name);
  const pairs = fc
    .tuple(fc.record(model, { requiredKeys, noNullPrototype: true }), fc.boolean())
    .map(([values, joined]) =>
      Object.entries(values).flatMap(([name, value]): Pairs => {
        if (!Array.isArray(value)) return [[name, toText(value)]];
        return joined
          ? [[name, value.join(',')]]
          : value.map((entry): [string, string] => [name, String(entry)]);
      }),
    );
  if (!odd) return pairs.map(urlEncoded);
  const broken = fc.constantFrom(
    '%',
    '%zz=1',
    '&&&',
    '=',
    '?',
    'a[b]=c',
    'cursor[]=a',
    '#',
    '%00=%00',
    'state=%C3%28&code=a',
  );
  return fc.oneof(
    {
      weight: 5,
      arbitrary: oddPairs(
        pairs,
        parameters.map(({ name }) => name),
      ).map(urlEncoded),
    },
    { weight: 1, arbitrary: broken },
  );
}

/** Odd values, repeated values, and unknown names. */
export function oddPairs(
  pairs: fc.Arbitrary<Pairs>,
  names: readonly string[] = [],
): fc.Arbitrary<Pairs> {
  const name = fc.oneof(fc.constantFrom('state', 'code', 'id', ...names), oddText);
  return fc
    .tuple(
      pairs,
      fc.array(fc.tuple(name, oddText), { maxLength: 3 }),
      fc.boolean(),
      fc.option(oddText),
    )
    .map(([tidy, added, twice, replaced]) => {
      const changed =
        replaced === null
          ? tidy
          : tidy.map(([key, value], index): [string, string] => [
              key,
              index === 0 ? replaced : value,
            ]);
      return [...changed, ...(twice ? changed : []), ...added];
    });
}
