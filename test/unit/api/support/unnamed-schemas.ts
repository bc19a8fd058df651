import type { JsonSchema } from '../../../../apps/api/src/openapi/json-schema.js';

interface Parts {
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  items?: JsonSchema;
  additionalProperties?: JsonSchema | boolean;
  properties?: Record<string, JsonSchema>;
}

/** The places of objects and enumerations without a name, and of unions whose members no client can tell apart. */
export function unnamed(schema: JsonSchema, place: string, isComponent: boolean): string[] {
  const { anyOf, oneOf, allOf, items, additionalProperties, properties = {} } = schema as Parts;
  const members = (anyOf ?? oneOf ?? allOf ?? []).filter(({ type }) => type !== 'null');
  const hasFields = Object.keys(properties).length > 0;
  // Alternatives are a component, a type of JSON each, or members that a discriminator names.
  const kinds = new Set(members.map(({ $ref, type }) => ($ref === undefined ? type : 'component')));
  const isDistinct =
    members.length < 2 ||
    schema['discriminator'] !== undefined ||
    (isComponent && !kinds.has('component')) ||
    kinds.size === members.length;
  return [
    ...(isComponent || (!hasFields && schema['enum'] === undefined) ? [] : [`${place}: no name`]),
    ...(isDistinct ? [] : [`${place}: a union without a discriminator`]),
    ...Object.entries(properties).flatMap(([name, inner]) =>
      unnamed(inner, `${place}.${name}`, false),
    ),
    ...[...members, items, additionalProperties].flatMap((inner) =>
      typeof inner === 'object' ? unnamed(inner, `${place}[]`, false) : [],
    ),
  ];
}
