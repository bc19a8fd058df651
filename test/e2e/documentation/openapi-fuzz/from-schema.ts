import fc from 'fast-check';
import type { JsonSchema } from './operations.js';

export interface SchemaContext {
  components: Record<string, JsonSchema>;
  /** Valid values for fields with these names, whose rules a schema cannot express. */
  known: Readonly<Record<string, fc.Arbitrary<unknown>>>;
  /** Values that work, for fields whose schema allows many that do not. */
  examples: Readonly<Record<string, fc.Arbitrary<unknown>>>;
}

const MAX_LENGTH = 40;
const MAX_ITEMS = 4;
/** One code point each, so that lengths are those of JSON Schema. */
const CHARACTERS = [...'abcdefghijklmnopqrstuvwxyzABCXYZ0123456789 -_.:/@éß字ñ💸🏦'];
const day = fc
  .date({ min: new Date('1900-01-01'), max: new Date('2100-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString());

/** With a host that cannot exist (RFC 2606), so that a webhook to it goes nowhere. */
const addresses = fc
  .array(fc.constantFrom('hooks', 'bank', 'a-1', '~x', '%20'), { maxLength: 3 })
  .map((segments) => `https://app.example/${segments.join('/')}`);

/**
 * Values that match a JSON Schema; `name` is the field they are for.
 *
 * Frozen: it knows the keywords that the document uses, and gets no others. Libraries that read `$ref` and unions
 * (json-schema-faker) draw from a random source of their own, so that fast-check could neither shrink a failure to its
 * smallest request nor repeat it by its seed.
 */
export function valuesOf(
  schema: JsonSchema,
  context: SchemaContext,
  name = '',
): fc.Arbitrary<unknown> {
  const known =
    Object.hasOwn(context.known, name) && !('enum' in schema) ? context.known[name] : undefined;
  if (known !== undefined) return known;
  const examples = Object.hasOwn(context.examples, name) ? context.examples[name] : undefined;
  return examples === undefined
    ? described(schema, context, name)
    : fc.oneof(described(schema, context, name), examples);
}

function described(
  schema: JsonSchema,
  context: SchemaContext,
  name: string,
): fc.Arbitrary<unknown> {
  const alternatives = alternativesOf(schema, context);
  if (alternatives !== null) {
    return fc.oneof(...alternatives.map((alternative) => valuesOf(alternative, context, name)));
  }
  if ('const' in schema) return fc.constant(schema['const']);
  if (Array.isArray(schema['enum']))
    return fc.constantFrom<unknown>(...(schema['enum'] as unknown[]));
  switch (schema['type']) {
    case 'object':
      return objects(schema, context);
    case 'array':
      return arrays(schema, context, name);
    case 'string':
      return texts(schema);
    case 'integer':
      return integers(schema);
    case 'number':
      return numbers(schema);
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      return fc.jsonValue({ maxDepth: 1 });
  }
}

function alternativesOf(schema: JsonSchema, { components }: SchemaContext): JsonSchema[] | null {
  const { $ref: reference, type } = schema;
  if (typeof reference === 'string') {
    const component = components[reference.split('/').at(-1) ?? ''];
    if (component === undefined) throw new Error(`the document has no ${reference}`);
    return [component];
  }
  if (Array.isArray(schema['allOf']))
    return [Object.assign({}, ...(schema['allOf'] as object[])) as JsonSchema];
  for (const keyword of ['anyOf', 'oneOf']) {
    if (Array.isArray(schema[keyword])) return schema[keyword] as JsonSchema[];
  }
  return Array.isArray(type) ? type.map((one: unknown) => ({ ...schema, type: one })) : null;
}

function objects(schema: JsonSchema, context: SchemaContext): fc.Arbitrary<unknown> {
  const properties = (schema['properties'] ?? {}) as Record<string, JsonSchema>;
  if (Object.keys(properties).length === 0) return dictionaries(schema, context);
  const model = Object.entries(properties).map(
    ([key, inner]) => [key, valuesOf(inner, context, key)] as const,
  );
  const requiredKeys = (schema['required'] ?? []) as never[];
  const required = model.filter(([key]) => (requiredKeys as string[]).includes(key));
  return fc.oneof(
    { weight: 1, arbitrary: fc.record(Object.fromEntries(required), { noNullPrototype: true }) },
    {
      weight: 2,
      arbitrary: fc.record(Object.fromEntries(model), { requiredKeys, noNullPrototype: true }),
    },
  );
}

function dictionaries(schema: JsonSchema, context: SchemaContext): fc.Arbitrary<unknown> {
  const named = schema['propertyNames'] as JsonSchema | undefined;
  const [resolved] = named === undefined ? [] : (alternativesOf(named, context) ?? [named]);
  const names = resolved?.['enum'] as string[] | undefined;
  const keys =
    names === undefined
      ? fc.string({ unit: 'grapheme-ascii', maxLength: 8 })
      : fc.constantFrom(...names);
  const { additionalProperties: inner } = schema;
  const values =
    typeof inner === 'object' && inner !== null
      ? valuesOf(inner as JsonSchema, context)
      : fc.jsonValue({ maxDepth: 1 });
  return fc.dictionary(keys, values, { maxKeys: MAX_ITEMS, noNullPrototype: true });
}

function arrays(schema: JsonSchema, context: SchemaContext, name: string): fc.Arbitrary<unknown> {
  const {
    minItems = 0,
    maxItems = MAX_ITEMS,
    items = {},
  } = schema as { minItems?: number; maxItems?: number; items?: JsonSchema };
  const length = {
    minLength: minItems,
    maxLength: Math.max(minItems, Math.min(maxItems, MAX_ITEMS)),
  };
  const values = valuesOf(items, context, `${name}[]`);
  return schema['uniqueItems'] === true
    ? fc.uniqueArray(values, { ...length, comparator: 'SameValue' })
    : fc.array(values, length);
}

function texts(schema: JsonSchema): fc.Arbitrary<string> {
  const { format, pattern } = schema;
  const { minLength = 0, maxLength = MAX_LENGTH } = schema as {
    minLength?: number;
    maxLength?: number;
  };
  if (format === 'uuid') return fc.uuid();
  if (format === 'uri') return addresses;
  if (format === 'duration') return fc.constantFrom('PT6H', 'P1D', 'P7DT12H', 'P30D');
  if (format === 'date') return day.map((text) => text.slice(0, 10));
  if (format === 'date-time') return day;
  if (typeof pattern === 'string')
    return fc
      .stringMatching(new RegExp(pattern), { maxLength })
      .filter((text) => text.length >= minLength);
  const unit = fc.constantFrom(...CHARACTERS);
  const short = {
    unit,
    minLength,
    maxLength: Math.max(minLength, Math.min(maxLength, MAX_LENGTH)),
  };
  return fc.oneof(
    { weight: 8, arbitrary: fc.string(short) },
    { weight: 1, arbitrary: fc.constantFrom('a'.repeat(minLength), '💸'.repeat(maxLength)) },
  );
}

function integers(schema: JsonSchema): fc.Arbitrary<number> {
  const { minimum: min = -(2 ** 31), maximum: max = 2 ** 31 } = schema as {
    minimum?: number;
    maximum?: number;
  };
  return fc.oneof(
    fc.integer({ min, max: Math.max(min, max) }),
    fc.constantFrom(min, Math.max(min, max)),
  );
}

function numbers(schema: JsonSchema): fc.Arbitrary<number> {
  const {
    minimum,
    exclusiveMinimum,
    maximum: max = 1e6,
  } = schema as { minimum?: number; exclusiveMinimum?: number; maximum?: number };
  const min = minimum ?? (exclusiveMinimum === undefined ? -1e6 : exclusiveMinimum + 0.01);
  return fc.oneof(
    fc.integer({ min: Math.ceil(min), max: Math.floor(max) }).filter((value) => value >= min),
    fc.double({ min, max, noNaN: true }),
    fc.constantFrom(min, max),
  );
}
