import type { JsonSchema } from './json-schema.js';

/**
 * A schema in which a value or null is one schema with two types, `type: [string, 'null']`, unless the value is a
 * component: generators of clients make a class of every other member of a union.
 */
export function joinNull(schema: JsonSchema): JsonSchema {
  const inner = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, joinedPart(key, value)]),
  );
  const { anyOf: members, ...rest } = inner;
  if (!Array.isArray(members) || members.length !== 2) return inner;
  const value = (members as JsonSchema[]).find(({ type }) => type !== 'null');
  const type = value?.['type'];
  const hasNull = (members as JsonSchema[]).some((member) => member['type'] === 'null');
  if (!hasNull || value === undefined || type === undefined) return inner;
  // An enumeration and a constant would have to name null too.
  if ('enum' in value || 'const' in value) return inner;
  return { ...value, ...rest, type: [type, 'null'].flat() };
}

function joinedPart(key: string, value: unknown): unknown {
  switch (key) {
    case 'properties':
      return Object.fromEntries(
        Object.entries(value as Record<string, JsonSchema>).map(([name, schema]) => [
          name,
          joinNull(schema),
        ]),
      );
    case 'anyOf':
    case 'oneOf':
    case 'allOf':
      return (value as JsonSchema[]).map(joinNull);
    case 'items':
    case 'additionalProperties':
      return typeof value === 'object' && value !== null ? joinNull(value as JsonSchema) : value;
    default:
      return value;
  }
}
