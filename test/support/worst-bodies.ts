import type { z } from 'zod';
import type { InputLimits } from '../../apps/api/src/http/input-limits.js';
import { JsonSchemas, type JsonSchema } from '../../apps/api/src/openapi/json-schemas.js';
import { limitedSchema } from '../../apps/api/src/openapi/limited-schema.js';

const CHARACTER = '\u{1F600}';

/** JSON as large as a call takes it and as bad as it can be; the last two name the fields of the call. */
export function worstBodies(
  schema: z.ZodType,
  limits: InputLimits,
): [title: string, body: string][] {
  const fields = limitedSchema(new JsonSchemas().of(schema, 'input'), limits);
  return [
    ['deep', `${'['.repeat(limits.bytes / 2)}${']'.repeat(limits.bytes / 2)}`],
    ['wide', `{"accounts":[${repeated('1', limits.bytes - 20)}]}`],
    ['of many members', `{${numbered((n) => `"k${n}":1`, limits.bytes - 20)}}`],
    [
      'of long names and texts',
      `{"${'x'.repeat(limits.bytes / 2)}":"${'\\u0000'.repeat(limits.bytes / 16)}"}`,
    ],
    ['wrong in each element', fitting(fields, limits, wrongLeaf)],
    ['of long texts', fitting(fields, limits, longLeaf)],
  ];
}

/** A form or a query as long as it may be. */
export const worstParameters = (bytes: number): string => 'a&'.repeat(bytes / 2).slice(0, -1);

function repeated(text: string, bytes: number): string {
  return Array.from({ length: bytes / (text.length + 1) }, () => text).join(',');
}

function numbered(member: (n: number) => string, bytes: number): string {
  const members: string[] = [];
  for (let size = 0; size < bytes - 20; size += (members.at(-1) ?? '').length + 1)
    members.push(member(members.length));
  return members.join(',');
}

type Leaf = (schema: JsonSchema) => unknown;

/** Values of the schema, with the longest arrays that still fit. */
function fitting(schema: JsonSchema, limits: InputLimits, leaf: Leaf): string {
  for (let share = limits.bytes; ; share *= 0.8) {
    const body = JSON.stringify(filled(schema, leaf, share));
    const values = body.split(/[,[{]/).length;
    if (Buffer.byteLength(body) <= limits.bytes && values < limits.values) return body;
  }
}

function filled(schema: JsonSchema, leaf: Leaf, bytes: number): unknown {
  const { anyOf, oneOf, items, properties } = schema as {
    anyOf?: JsonSchema[];
    oneOf?: JsonSchema[];
    items?: JsonSchema;
    properties?: Record<string, JsonSchema>;
  };
  const [variant] = anyOf ?? oneOf ?? [];
  if (variant !== undefined) return filled(variant, leaf, bytes);
  if (items !== undefined) return elements(items, leaf, bytes, Number(schema['maxItems']));
  if (properties !== undefined) {
    return Object.fromEntries(
      Object.entries(properties).map(([name, inner]) => [name, filled(inner, leaf, bytes)]),
    );
  }
  return leaf(schema);
}

function elements(items: JsonSchema, leaf: Leaf, bytes: number, most: number): unknown[] {
  const element = filled(items, leaf, Math.min(bytes, 1_000));
  const fitting = Math.floor(bytes / (JSON.stringify(element).length + 1));
  return Array.from({ length: Math.max(1, Math.min(most, fitting)) }, () => element);
}

function wrongLeaf({ type }: JsonSchema): unknown {
  return type === 'string' || type === undefined ? 0 : 'x';
}

function longLeaf({ type, enum: values, maxLength }: JsonSchema): unknown {
  if (Array.isArray(values)) return values[0];
  if (type === 'string') return CHARACTER.repeat(Math.min(Number(maxLength ?? 100), 1_000));
  return type === 'boolean' ? true : 1;
}
