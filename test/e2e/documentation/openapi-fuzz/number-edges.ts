import type { Document, JsonSchema, Operation } from './operations.js';
import { representatives } from '../../../support/runner/representatives.js';
import { asWritten } from './odd-values.js';

/** The edges of int32, int64 and doubles, and their neighbors. */
const EDGES: readonly (number | string)[] = [
  -1,
  0,
  2 ** 31 - 1,
  2 ** 31,
  -(2 ** 31),
  -(2 ** 31) - 1,
  2 ** 32 - 1,
  2 ** 32,
  Number.MAX_SAFE_INTEGER,
  Number.MIN_SAFE_INTEGER,
  2 ** 53,
  asWritten('9223372036854775807'),
  asWritten('9223372036854775808'),
  asWritten('-9223372036854775808'),
  asWritten('-9223372036854775809'),
  asWritten('18446744073709551616'),
  0.5,
  -0,
  Number.MIN_VALUE,
  Number.EPSILON,
  Number.MAX_VALUE,
  -Number.MAX_VALUE,
  asWritten('1e400'),
];

/** A number that is too small for a count, one that is no integer, and one just outside each type. */
const OUTSIDE = new Set<number | string>([
  -1,
  0.5,
  2 ** 31,
  asWritten('9223372036854775808'),
  asWritten('1e400'),
]);
const NUMBER_EDGES = representatives(EDGES, (edge) => OUTSIDE.has(edge));

/** An operation whose requests all have a certain number in one of its fields. */
export interface WithNumber {
  field: string;
  operation: Operation;
}

/**
 * Every edge in every numeric field. Of an operation with many such fields, `npm test` takes one edge
 * for each field, in turn, and so every edge.
 */
export function numbersOf(operation: Operation, document: Document): WithNumber[] {
  return NUMBER_EDGES.flatMap((edge, turn) =>
    withNumber(edge, operation, document).filter(
      (_, field, { length }) =>
        Boolean(process.env['LONG_RUNS']) ||
        length < NUMBER_EDGES.length ||
        field % NUMBER_EDGES.length === turn,
    ),
  );
}

/** One for each numeric field of the query and the body, at any depth. */
function withNumber(
  edge: number | string,
  operation: Operation,
  { components: { schemas } }: Document,
): WithNumber[] {
  const edgesIn = (schema: JsonSchema, name: string) => placed(edge, schema, schemas, name);
  const inQuery = operation.parameters.flatMap((parameter, index) =>
    edgesIn(parameter.schema, parameter.name).map(({ field, schema }) => ({
      field,
      operation: {
        ...operation,
        parameters: operation.parameters.with(index, { ...parameter, required: true, schema }),
      },
    })),
  );
  const { body } = operation;
  if (body === null) return inQuery;
  const inBody = edgesIn(body.schema, '').map(({ field, schema }) => ({
    field,
    operation: { ...operation, body: { ...body, schema } },
  }));
  return [...inQuery, ...inBody];
}

interface Placed {
  field: string;
  schema: JsonSchema;
}

/** The schema once for each number in it, with only the edge as value of that number, which is required. */
function placed(
  edge: number | string,
  schema: JsonSchema,
  components: Record<string, JsonSchema>,
  field: string,
): Placed[] {
  const edgesIn = (inner: JsonSchema, name: string) => placed(edge, inner, components, name);
  const { $ref: reference, type, items, properties } = schema;
  if (typeof reference === 'string')
    return edgesIn(components[reference.split('/').at(-1) ?? ''] ?? {}, field);
  const alternatives = ['anyOf', 'oneOf'].flatMap((key) => (schema[key] ?? []) as JsonSchema[]);
  if (alternatives.length > 0)
    return alternatives.flatMap((alternative) => edgesIn(alternative, field));
  const types = [type].flat();
  if (types.includes('integer') || types.includes('number'))
    return [{ field, schema: { enum: [edge] } }];
  if (typeof items === 'object' && items !== null)
    return edgesIn(items as JsonSchema, `${field}[]`).map((inner) => ({
      field: inner.field,
      schema: { ...schema, items: inner.schema, minItems: 1, maxItems: 1 },
    }));
  return Object.entries((properties ?? {}) as Record<string, JsonSchema>).flatMap(([name, inner]) =>
    edgesIn(inner, field === '' ? name : `${field}.${name}`).map((edged) => ({
      field: edged.field,
      schema: {
        ...schema,
        type: 'object',
        properties: { ...(properties as object), [name]: edged.schema },
        required: [...new Set([...((schema['required'] ?? []) as string[]), name])],
      },
    })),
  );
}
