import { compareComponents, schemaChanges, type Schemas } from './schema-changes.js';

/** The parts of an OpenAPI document that callers rely on. */
export interface ComparedDocument {
  paths: Record<string, Record<string, ComparedOperation>>;
  webhooks: Record<string, Record<string, ComparedOperation>>;
  components: { schemas: Record<string, unknown> };
}

interface ComparedOperation {
  parameters?: { name: string; in: string; required: boolean; schema: unknown }[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, { content?: Content }>;
  security?: Record<string, string[]>[];
}
type Content = Record<string, { schema: unknown }>;

export interface BreakingChange {
  /** Such as `GET /links/:id`, or the name of a webhook. */
  call: string;
  problem: string;
}

/**
 * What a client of the earlier document may stumble over. Further fields, further values of an enumeration and further
 * errors of a response are not among it: clients ignore or expect them (native-api 6).
 */
export function breakingChanges(
  earlier: ComparedDocument,
  later: ComparedDocument,
): BreakingChange[] {
  const schemas = compareComponents(earlier.components.schemas, later.components.schemas);
  const calls = Object.entries(earlier.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      const call = `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`;
      const now = later.paths[path]?.[method];
      const problems = now === undefined ? ['removed'] : changesOf(operation, now, schemas);
      return problems.map((problem) => ({ call, problem }));
    }),
  );
  const webhooks = Object.entries(earlier.webhooks).flatMap(([call, { post }]) => {
    const now = later.webhooks[call]?.['post'];
    const problems =
      now === undefined
        ? ['removed']
        : contentChanges('body', post?.requestBody?.content, now.requestBody?.content, schemas);
    return problems.map((problem) => ({ call, problem }));
  });
  return [...calls, ...webhooks];
}

function changesOf(
  earlier: ComparedOperation,
  later: ComparedOperation,
  schemas: Schemas,
): string[] {
  return [
    ...parameterChanges(earlier, later, schemas),
    ...requestChanges(earlier, later, schemas),
    ...responseChanges(earlier, later, schemas),
    ...securityChanges(earlier, later),
  ];
}

function parameterChanges(
  { parameters: earlier = [] }: ComparedOperation,
  { parameters: later = [] }: ComparedOperation,
  schemas: Schemas,
): string[] {
  const keyOf = (parameter: { in: string; name: string }) => `${parameter.in} ${parameter.name}`;
  const known = new Map(earlier.map((parameter) => [keyOf(parameter), parameter]));
  const present = new Map(later.map((parameter) => [keyOf(parameter), parameter]));
  return [
    ...[...known].flatMap(([key, { schema }]) => {
      const now = present.get(key);
      return now === undefined
        ? [`${key}: removed`]
        : schemaChanges(key, 'request', schema, now.schema, schemas);
    }),
    ...[...present].flatMap(([key, { required }]) =>
      required && known.get(key)?.required !== true ? [`${key}: required now`] : [],
    ),
  ];
}

function requestChanges(
  { requestBody: earlier }: ComparedOperation,
  { requestBody: later }: ComparedOperation,
  schemas: Schemas,
): string[] {
  if (earlier === undefined) return later?.required === true ? ['body: required now'] : [];
  return Object.entries(earlier.content).flatMap(([type, { schema }]) => {
    const now = later?.content[type];
    return now === undefined
      ? [`body: ${type} removed`]
      : schemaChanges('body', 'request', schema, now.schema, schemas);
  });
}

/** Statuses of errors may come and go; those of success may not. */
function responseChanges(
  earlier: ComparedOperation,
  later: ComparedOperation,
  schemas: Schemas,
): string[] {
  return Object.entries(earlier.responses).flatMap(([status, { content }]) => {
    const now = later.responses[status];
    if (now !== undefined) return contentChanges(status, content, now.content, schemas);
    return status < '4' ? [`${status}: removed`] : [];
  });
}

function contentChanges(
  place: string,
  earlier: Content = {},
  later: Content = {},
  schemas: Schemas,
): string[] {
  return Object.entries(earlier).flatMap(([type, { schema }]) => {
    const now = later[type];
    return now === undefined
      ? [`${place}: ${type} removed`]
      : schemaChanges(place, 'response', schema, now.schema, schemas);
  });
}

function securityChanges(
  { security: earlier = [] }: ComparedOperation,
  { security: later = [] }: ComparedOperation,
): string[] {
  const accepts = (given: Record<string, string[]>): boolean =>
    later.length === 0 ||
    later.some((alternative) =>
      Object.entries(alternative).every(
        ([scheme, scopes]) =>
          given[scheme] !== undefined && scopes.every((scope) => given[scheme]?.includes(scope)),
      ),
    );
  const alternatives = earlier.length === 0 ? [{}] : earlier;
  return alternatives.every(accepts) ? [] : ['security: needs more'];
}
