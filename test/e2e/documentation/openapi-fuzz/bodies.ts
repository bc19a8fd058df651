import fc from 'fast-check';
import { valuesOf, type SchemaContext } from './from-schema.js';
import { mutated } from './mutate-json.js';
import { oddJsonText, toJson } from './odd-values.js';
import type { Operation } from './operations.js';
import { oddPairs } from './queries-and-forms.js';
import { urlEncoded } from './wire-text.js';

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
