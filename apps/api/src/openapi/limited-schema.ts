import { elementsOf, type InputLimits } from '../http/input/input-limits.js';
import type { JsonSchema } from './json-schema.js';

/** A schema of a request with the limits of its route, wherever it declares no narrower one itself. */
export function limitedSchema(schema: JsonSchema, limits: InputLimits, name = ''): JsonSchema {
  const inner = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, limitedPart(key, value, limits, name)]),
  );
  return { ...inner, ...missingLimits(schema, limits, name) };
}

function limitedPart(key: string, value: unknown, limits: InputLimits, name: string): unknown {
  switch (key) {
    case 'properties':
      return Object.fromEntries(
        Object.entries(value as Record<string, JsonSchema>).map(([property, schema]) => [
          property,
          limitedSchema(schema, limits, property),
        ]),
      );
    case 'anyOf':
    case 'oneOf':
    case 'allOf':
      return (value as JsonSchema[]).map((schema) => limitedSchema(schema, limits, name));
    case 'items':
      return limitedSchema(value as JsonSchema, limits);
    default:
      return value;
  }
}

function missingLimits(schema: JsonSchema, limits: InputLimits, name: string): JsonSchema {
  const has = (...keys: string[]): boolean => keys.some((key) => schema[key] !== undefined);
  switch (schema['type']) {
    case 'array':
      return has('maxItems') ? {} : { maxItems: elementsOf(limits, name) };
    case 'string':
      return has('maxLength', 'enum', 'const', 'format', 'pattern')
        ? {}
        : { maxLength: limits.text };
    case 'object':
      return has('properties', 'maxProperties') ? {} : { maxProperties: limits.members };
    default:
      return {};
  }
}
