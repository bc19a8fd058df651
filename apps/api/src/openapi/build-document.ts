import { setImmediate } from 'node:timers/promises';
import { SCOPES } from '../../../../domain/api/scopes.js';
import { limitsOf } from '../http/input/input-limits.js';
import { MEDIA_TYPES } from '../http/input/media-type.js';
import type { RouteOptions } from '../http/route.js';
import { TAGS } from '../http/route-docs.js';
import { API_VERSIONS, NEWEST_VERSION } from '../http/api-versions.js';
import { componentName } from './component-name.js';
import type {
  MediaObject,
  OpenApiDocument,
  OperationObject,
  ParameterObject,
} from './document.types.js';
import { checkExamples } from './examples.js';
import { JsonSchemas, type JsonSchema } from './json-schemas.js';
import { limitedSchema } from './limited-schema.js';
import { WEBHOOKS } from './models/webhook.model.js';
import { responsesOf } from './responses-of.js';

export interface DocumentOptions {
  /** Without a slash at its end. */
  baseUrl: string;
  headerPrefix: string;
}

/**
 * The document of all calls, from the declarations of their routes. A service builds it while it serves other calls, so
 * it yields after each route.
 * @throws Error when an example does not match its schema
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
    await checkExamples(route);
    const path = route.path.replaceAll(/:([A-Za-z_]+)/g, '{$1}');
    paths[path] = {
      ...paths[path],
      [route.method.toLowerCase()]: describe(route, schemas, headerPrefix),
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
    tags: TAGS.map((name) => ({ name })),
    paths,
    webhooks,
    components: { schemas: sorted(schemas.components), securitySchemes: securitySchemes(baseUrl) },
  };
}

function describe(
  route: RouteOptions,
  schemas: JsonSchemas,
  headerPrefix: string,
): OperationObject {
  const { tag, summary, description, id } = route.docs;
  return {
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    operationId: id,
    security: securityOf(route),
    parameters: parametersOf(route, schemas, headerPrefix),
    ...requestBodyOf(route, schemas),
    responses: responsesOf(route, schemas),
  };
}

function requestBodyOf(
  route: RouteOptions,
  schemas: JsonSchemas,
): Pick<OperationObject, 'requestBody'> {
  const { body, input, docs } = route;
  if (body === 'raw')
    return { requestBody: { required: false, content: { [MEDIA_TYPES.raw]: { schema: {} } } } };
  if (body === undefined || input?.body === undefined) return {};
  const schema = schemas.named(componentName(docs, 'Request'), input.body, 'input');
  const content: MediaObject = {
    schema: limitedSchema(schema, limitsOf(route)),
    ...(docs.requestExample === undefined ? {} : { example: docs.requestExample }),
  };
  return { requestBody: { required: true, content: { [MEDIA_TYPES[body]]: content } } };
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
    // Without a format: some client generators do not support headers of type date.
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
