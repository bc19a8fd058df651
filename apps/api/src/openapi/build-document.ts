import { setImmediate } from 'node:timers/promises';
import { API_ERRORS, type ApiErrorCode } from '../../../../domain/errors/api-errors.js';
import { SCOPES } from '../../../../domain/api/scopes.js';
import { limitsOf } from '../http/input/input-limits.js';
import { MEDIA_TYPES } from '../http/input/media-type.js';
import type { RouteOptions } from '../http/route.js';
import { API_VERSIONS, NEWEST_VERSION } from '../http/api-versions.js';
import { errorsOfRoute } from './errors-of-route.js';
import { JsonSchemas, type JsonSchema } from './json-schemas.js';
import { limitedSchema } from './limited-schema.js';
import { errorBody, oauthError } from './models/error.model.js';
import { WEBHOOKS } from './models/webhook.model.js';
import type { Operation } from './operation.js';
import { OPERATIONS } from './operations.js';

export interface DocumentOptions {
  /** Without a slash at its end. */
  baseUrl: string;
  headerPrefix: string;
}

export interface OpenApiDocument {
  openapi: string;
  info: Record<string, unknown>;
  servers: { url: string }[];
  tags: { name: string }[];
  paths: Record<string, Record<string, OperationObject>>;
  webhooks: Record<string, Record<string, OperationObject>>;
  components: { schemas: Record<string, JsonSchema>; securitySchemes: Record<string, unknown> };
}

export interface OperationObject {
  tags?: string[];
  summary: string;
  operationId?: string;
  security?: Record<string, string[]>[];
  parameters?: ParameterObject[];
  requestBody?: { required: boolean; content: Record<string, { schema: JsonSchema }> };
  responses: Record<string, ResponseObject>;
}

export interface ParameterObject {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description?: string;
  schema: JsonSchema;
  explode?: boolean;
}

export interface ResponseObject {
  description: string;
  content?: Record<string, { schema: JsonSchema }>;
  /** The codes this status may come with. */
  'x-error-codes'?: ApiErrorCode[];
}

/**
 * The document of all calls: what the routes check, and what `operations.ts` says of their answers. A service makes it
 * while it serves other calls, so it stops after each route.
 */
export async function buildDocument(
  routes: readonly RouteOptions[],
  { baseUrl, headerPrefix }: DocumentOptions,
): Promise<OpenApiDocument> {
  const schemas = new JsonSchemas();
  const paths: OpenApiDocument['paths'] = {};
  for (const route of [...routes].sort(
    (a, b) => compare(a.path, b.path) || compare(a.method, b.method),
  )) {
    const operation = OPERATIONS[`${route.method} ${route.path}`];
    if (operation === undefined) continue;
    const path = route.path.replaceAll(/:([A-Za-z_]+)/g, '{$1}');
    paths[path] = {
      ...paths[path],
      [route.method.toLowerCase()]: describe(route, operation, schemas, headerPrefix),
    };
    await setImmediate();
  }
  const webhooks = Object.fromEntries(
    Object.entries(WEBHOOKS).map(([name, { summary, body }]) => [
      name,
      { post: describeWebhook(summary, schemas.of(body, 'output'), headerPrefix) },
    ]),
  );
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tributary',
      version: NEWEST_VERSION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      description:
        'Financial accounts, linked by their owners and read over HTTP. Sandbox and Live share one address; the key pair selects the environment.',
    },
    servers: [{ url: baseUrl }],
    tags: [...new Set(Object.values(OPERATIONS).map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    webhooks,
    components: { schemas: sorted(schemas.components), securitySchemes: securitySchemes(baseUrl) },
  };
}

function describe(
  route: RouteOptions,
  operation: Operation,
  schemas: JsonSchemas,
  headerPrefix: string,
): OperationObject {
  const { body } = route;
  return {
    tags: [operation.tag],
    summary: operation.summary,
    operationId: operation.id,
    security: securityOf(route),
    parameters: parametersOf(route, schemas, headerPrefix),
    ...(body === 'raw'
      ? { requestBody: { required: false, content: { [MEDIA_TYPES.raw]: { schema: {} } } } }
      : {}),
    ...(body === undefined || route.input?.body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: {
              [MEDIA_TYPES[body]]: {
                schema: limitedSchema(
                  schemas.named(`${nameOf(operation)}Request`, route.input.body, 'input'),
                  limitsOf(route),
                ),
              },
            },
          },
        }),
    responses: {
      ...successOf(route, operation, schemas),
      ...refusalsOf(route, operation, schemas),
    },
  };
}

/** `links.list` → `LinksList`. */
function nameOf({ id }: Operation): string {
  return id
    .split('.')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}

function securityOf({ auth, scope, path }: RouteOptions): Record<string, string[]>[] {
  if (auth === 'bearer') return [{ accessToken: scope === undefined ? [] : [scope] }];
  if (auth === 'connect') return [{ connectToken: [] }];
  return path.endsWith('/token') ? [{ clientPair: [] }, {}] : [];
}

function parametersOf(
  route: RouteOptions,
  schemas: JsonSchemas,
  headerPrefix: string,
): ParameterObject[] {
  const { family, idempotent, input, path } = route;
  const inPath = [...path.matchAll(/:([A-Za-z_]+)/g)].map(([, name = '']): ParameterObject => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  const query = input?.query === undefined ? {} : schemas.of(input.query, 'input');
  const properties = (query['properties'] ?? {}) as Record<string, JsonSchema>;
  const required = new Set((query['required'] ?? []) as string[]);
  const inQuery = Object.entries(properties).map(([name, schema]): ParameterObject => ({
    name,
    in: 'query',
    required: required.has(name),
    schema,
  }));
  const version: ParameterObject = {
    name: `${headerPrefix}-version`,
    in: 'header',
    required: false,
    // Without a format: some generators of clients have no header of type date.
    schema: { type: 'string', enum: API_VERSIONS.map(({ date }) => date) },
  };
  const key: ParameterObject = {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description: 'A request with the same key and the same body takes effect once within 24 hours.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
  };
  return [
    ...inPath,
    ...inQuery,
    ...(family === 'native' ? [version] : []),
    ...(idempotent === true ? [key] : []),
  ];
}

function successOf(
  { status = 200 }: RouteOptions,
  operation: Operation,
  schemas: JsonSchemas,
): Record<string, ResponseObject> {
  const { answer } = operation;
  switch (answer.kind) {
    case 'json':
      return {
        [status]: {
          description: 'Success',
          content: {
            'application/json': {
              schema: schemas.named(`${nameOf(operation)}Response`, answer.schema, 'output'),
            },
          },
        },
        ...(answer.cacheable === true ? NOT_MODIFIED : {}),
      };
    case 'media':
      return {
        [status]: {
          description: 'Success',
          content: { [answer.type]: { schema: { type: 'string' } } },
        },
        ...(answer.cacheable === true ? NOT_MODIFIED : {}),
        ...(answer.type === 'text/html' ? { 429: WAIT_PAGE } : {}),
      };
    case 'nothing':
      return { [status]: { description: 'Success' } };
    case 'browser':
      return {
        303: { description: 'Redirect to the app' },
        400: { ...WAIT_PAGE, description: 'A page that explains what to do' },
        429: WAIT_PAGE,
        503: WAIT_PAGE,
      };
  }
}

const NOT_MODIFIED = { 304: { description: 'Not modified since the ETag in If-None-Match' } };
const WAIT_PAGE: ResponseObject = {
  description: 'A page that asks the user to wait',
  content: { 'text/html': { schema: { type: 'string' } } },
};

/** Statuses of refusals that are pages. */
function pageStatusesOf({ answer }: Operation): readonly number[] {
  if (answer.kind === 'browser') return [400, 429, 503];
  return answer.kind === 'media' && answer.type === 'text/html' ? [429] : [];
}

function refusalsOf(
  route: RouteOptions,
  operation: Operation,
  schemas: JsonSchemas,
): Record<string, ResponseObject> {
  const error = schemas.of(errorBody, 'output');
  if (operation.oauthErrors === true) {
    const content = { 'application/json': { schema: schemas.of(oauthError, 'output') } };
    return Object.fromEntries(
      [400, 401, 429, 500, 503].map((status) => [
        status,
        { description: 'An error as defined by RFC 6749', content },
      ]),
    );
  }
  const byStatus = new Map<number, ApiErrorCode[]>();
  for (const code of new Set([...errorsOfRoute(route), ...(operation.errors ?? [])])) {
    // native-api 3.1: what is wrong besides the key pair is 400 there.
    const statuses =
      code === 'api_error.auth.unauthorized' && route.path === '/auth/token'
        ? [400, 401]
        : [API_ERRORS[code].status];
    for (const status of statuses) byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus]
      .sort(([a], [b]) => a - b)
      .flatMap(([status, codes]) => {
        if (pageStatusesOf(operation).includes(status)) return [];
        const refusal = {
          allOf: [error, { type: 'object', properties: { error_code: { enum: codes } } }],
        };
        const other = operation.otherAnswers?.[status];
        const schema =
          other === undefined ? refusal : { anyOf: [schemas.of(other, 'output'), refusal] };
        return [
          [
            status,
            {
              description: codes.map((code) => API_ERRORS[code].message).join(' '),
              'x-error-codes': codes,
              content: { 'application/json': { schema } },
            },
          ],
        ];
      }),
  );
}

function describeWebhook(
  summary: string,
  schema: JsonSchema,
  headerPrefix: string,
): OperationObject {
  const signature = `${headerPrefix}-signature`;
  return {
    summary,
    parameters: [
      {
        name: signature,
        in: 'header',
        required: true,
        description: 'A JWT (ES256) over the exact bytes of the body.',
        schema: { type: 'string' },
      },
    ],
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: {
      '2XX': { description: 'Accepted' },
      410: { description: 'The endpoint wants no further webhooks' },
    },
  };
}

function securitySchemes(baseUrl: string): Record<string, unknown> {
  return {
    accessToken: {
      type: 'oauth2',
      flows: {
        clientCredentials: {
          tokenUrl: `${baseUrl}/oauth/token`,
          scopes: Object.fromEntries(SCOPES.map((scope) => [scope, `Calls that need ${scope}`])),
        },
      },
    },
    clientPair: {
      type: 'http',
      scheme: 'basic',
      description: 'client_id and client_secret; alternatively in the form.',
    },
    connectToken: {
      type: 'http',
      scheme: 'bearer',
      description: 'The connect_token of an opened session.',
    },
  };
}

function sorted<T>(entries: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(entries).sort(([a], [b]) => compare(a, b)));
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
