import { setImmediate } from 'node:timers/promises';
import type { ApiErrorCode } from '../../../../domain/errors/api-errors.js';
import { SCOPE_REACH } from '../../../../domain/api/scopes.js';
import { isOptional } from '../http/input/check-shape.js';
import { limitsOf } from '../http/input/input-limits.js';
import { MEDIA_TYPES } from '../http/input/media-type.js';
import type { RouteOptions } from '../http/route.js';
import { TAGS } from '../http/route-docs.js';
import { API_VERSIONS, DEFAULT_VERSION, NEWEST_VERSION } from '../http/api-versions.js';
import { errorExamples } from './error-examples.js';
import { componentName } from './component-name.js';
import type {
  MediaObject,
  OpenApiDocument,
  OperationObject,
  ParameterObject,
} from './document.types.js';
import { EXAMPLE_ADDRESS, EXAMPLES, exampleOf } from './recorded-examples.js';
import { checkExamples } from './check-examples.js';
import type { JsonSchema } from './json-schema.js';
import { JsonSchemas } from './json-schemas.js';
import { WEBHOOKS, type DocumentedWebhook } from './models/webhook.model.js';
import { HEADER_COMPONENTS } from './response-headers.js';
import { pathParameterDescription } from './path-parameters.js';
import { responsesOf } from './responses-of.js';

export interface DocumentOptions {
  /** Without a slash at its end. */
  baseUrl: string;
  headerPrefix: string;
}

/** Not the tag of calls: a generator with a class for each tag writes one over the other. */
const WEBHOOK_TAG = { 'Webhook events': 'The events that the service sends to your app.' };

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
    Object.entries(WEBHOOKS).map(([name, webhook]) => [
      name,
      { post: describeWebhook(name, webhook, schemas) },
    ]),
  );
  const document: OpenApiDocument = {
    openapi: '3.1.0',
    info: {
      title: 'Tributary',
      version: NEWEST_VERSION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      description:
        'Financial accounts, linked by their owners and read over HTTP. Sandbox and Live share one address; the key pair selects the environment.',
    },
    servers: [{ url: baseUrl }],
    tags: Object.entries({ ...TAGS, ...WEBHOOK_TAG }).map(([name, description]) => ({
      name,
      description,
    })),
    paths,
    webhooks,
    components: {
      schemas: sorted(schemas.components),
      examples: errorExamples(codesOf(paths), baseUrl),
      headers: HEADER_COMPONENTS,
      securitySchemes: securitySchemes(baseUrl, headerPrefix),
    },
  };
  return JSON.parse(
    JSON.stringify(document)
      .replaceAll(EXAMPLE_ADDRESS, baseUrl)
      // Names of headers in the examples of webhooks that a listener makes.
      .replaceAll('"service-', `"${headerPrefix}-`),
  ) as OpenApiDocument;
}

function codesOf(paths: OpenApiDocument['paths']): Set<ApiErrorCode> {
  const responses = Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap((operation) => Object.values(operation.responses));
  return new Set(responses.flatMap(({ 'x-error-codes': codes = [] }) => codes));
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
    description,
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
  // Any media type; most client generators support no wildcard.
  if (body === 'raw')
    return {
      requestBody: {
        required: false,
        content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
      },
    };
  if (body === undefined || input?.body === undefined) return {};
  const content: MediaObject = {
    schema: schemas.named(componentName(docs, 'Request'), input.body, 'input', limitsOf(route)),
    ...exampleOf(docs, 'request'),
  };
  const required = !isOptional(input.body);
  return { requestBody: { required, content: { [MEDIA_TYPES[body]]: content } } };
}

function securityOf({ auth, scopes, path }: RouteOptions): Record<string, string[]>[] {
  if (auth === 'bearer')
    return scopes === null
      ? [{ accessToken: [] }]
      : scopes.map((scope) => ({ accessToken: [scope] }));
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
    description: pathParameterDescription(path, name),
    schema: { type: 'string' },
  }));
  const query = input?.query === undefined ? {} : schemas.of(input.query, 'input');
  const properties = (query['properties'] ?? {}) as Record<string, JsonSchema>;
  const required = new Set((query['required'] ?? []) as string[]);
  const inQuery = Object.entries(properties).map(
    ([name, { description, ...schema }]): ParameterObject => ({
      name,
      in: 'query',
      required: required.has(name),
      ...(typeof description === 'string' ? { description } : {}),
      schema,
    }),
  );
  const version: ParameterObject = {
    name: `${headerPrefix}-version`,
    in: 'header',
    required: false,
    description: 'The version of the API that the caller was written for.',
    schema: schemas.add('ApiVersion', {
      // Without a format: some client generators do not support headers of type date.
      type: 'string',
      enum: API_VERSIONS.map(({ date }) => date),
      default: DEFAULT_VERSION,
      description: 'A dated version of the API. This document describes the newest.',
    }),
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
  name: string,
  { summary, description, body }: DocumentedWebhook,
  schemas: JsonSchemas,
): OperationObject {
  return {
    tags: Object.keys(WEBHOOK_TAG),
    summary,
    description,
    operationId: `webhooks.${name.replaceAll(/[._](\w)/g, (_, letter: string) => letter.toUpperCase())}`,
    security: [{ webhookSignature: [] }],
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: schemas.of(body, 'output'),
          example: EXAMPLES.webhooks[name],
        },
      },
    },
    responses: {
      '2XX': { description: 'Accepted.' },
      410: { description: 'The endpoint wants no further webhooks: its address is disabled.' },
    },
  };
}

function securitySchemes(baseUrl: string, headerPrefix: string): Record<string, unknown> {
  return {
    accessToken: {
      type: 'oauth2',
      flows: {
        clientCredentials: {
          tokenUrl: `${baseUrl}/oauth/token`,
          scopes: SCOPE_REACH,
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
    webhookSignature: {
      type: 'apiKey',
      in: 'header',
      name: `${headerPrefix}-signature`,
      description:
        'Of webhooks that the service sends: a JWT (ES256) over the exact bytes of the body. Verify it with a key of `GET /.well-known/jwks.json` before you trust the body.',
    },
  };
}

function sorted<T>(entries: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(entries).sort(([a], [b]) => compare(a, b)));
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
