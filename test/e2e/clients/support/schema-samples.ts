import document from '../../../../docs/openapi.json' with { type: 'json' };

type Schema = Readonly<Record<string, unknown>>;

/** A value that no list of the document has. */
export const OF_TOMORROW = 'value_of_tomorrow';

const SCHEMAS = document.components.schemas as unknown as Record<string, Schema>;
const MAX_DEPTH = 12;

export interface SampledOperation {
  operationId: string;
  method: string;
  /** With values in the place of its parameters. */
  path: string;
  /** The values of its path, in their order. */
  values: string[];
  hasQuery: boolean;
  hasBody: boolean;
  status: number;
  body: unknown;
}

interface Operation {
  operationId: string;
  parameters?: { in: string }[];
  requestBody?: object;
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

/** Calls of the hosted app, of operators and of sources, and those that clients make by themselves. */
const OF_OTHERS = /^(connect|service|providers)\.|^tokens\.create/;

/** Every call of apps with a response that has each member, and a value of tomorrow in each open list. */
export const SAMPLED_OPERATIONS: readonly SampledOperation[] = Object.entries(
  document.paths as unknown as Record<string, Record<string, Operation>>,
).flatMap(([template, methods]) =>
  Object.entries(methods).flatMap(([method, operation]) => {
    const [status, schema] = resultOf(operation);
    if (schema === undefined || OF_OTHERS.test(operation.operationId)) return [];
    const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    return [
      {
        operationId: operation.operationId,
        method: method.toUpperCase(),
        path: template.replaceAll(/\{(\w+)\}/g, 'the_$1'),
        values: names.map((name) => `the_${name}`),
        hasQuery: operation.parameters?.some((each) => each.in === 'query') === true,
        hasBody: operation.requestBody !== undefined,
        status: Number(status),
        body: sampleOf(schema),
      },
    ];
  }),
);

/** The bodies of all events, in the same way. */
export const SAMPLED_EVENTS: readonly Record<string, unknown>[] = Object.values(
  document.webhooks as unknown as Record<
    string,
    { post: { requestBody: { content: { 'application/json': { schema: Schema } } } } }
  >,
).map(
  ({ post }) =>
    sampleOf(post.requestBody.content['application/json'].schema) as Record<string, unknown>,
);

function resultOf({ responses }: Operation): [string, Schema | undefined] {
  const [status = '', response] =
    Object.entries(responses).find(([each]) => each.startsWith('2')) ?? [];
  return [status, response?.content?.['application/json']?.schema];
}

function sampleOf(schema: Schema, depth = 0): unknown {
  const { $ref, anyOf, oneOf, enum: values, const: only, type, properties, items } = schema;
  if (typeof $ref === 'string') return sampleOf(SCHEMAS[$ref.split('/').at(-1) ?? ''] ?? {}, depth);
  if (only !== undefined) return only;
  if ('x-extensible-enum' in schema) return OF_TOMORROW;
  if (Array.isArray(values)) return values[0] as unknown;
  const alternatives = (anyOf ?? oneOf) as Schema[] | undefined;
  if (alternatives !== undefined)
    return sampleOf(alternatives.find((each) => each['type'] !== 'null') ?? {}, depth);
  const [kind] = [type ?? 'object'].flat().filter((each) => each !== 'null');
  if (kind === 'object') {
    const members = Object.entries((properties ?? {}) as Record<string, Schema>);
    const others = schema['additionalProperties'];
    return {
      ...Object.fromEntries(members.map(([name, each]) => [name, sampleOf(each, depth + 1)])),
      ...(typeof others === 'object' && depth < MAX_DEPTH
        ? { a_key: sampleOf(others as Schema, depth + 1) }
        : {}),
    };
  }
  if (kind === 'array')
    return depth > MAX_DEPTH ? [] : [sampleOf((items ?? {}) as Schema, depth + 1)];
  if (kind === 'number') return 1.5;
  if (kind === 'integer') return 1;
  if (kind === 'boolean') return false;
  return ((schema['examples'] ?? ['a text']) as unknown[])[0];
}
