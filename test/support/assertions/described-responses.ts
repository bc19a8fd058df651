import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { API_VERSIONS, changesSince, versionOf } from '../../../apps/api/src/http/api-versions.js';

interface ResponseObject {
  headers?: Record<string, { $ref: string }>;
  'x-error-codes'?: string[];
  content?: Record<string, { schema: unknown }>;
}

interface Described {
  paths: Record<string, Record<string, { responses: Record<string, ResponseObject> }>>;
  webhooks: Record<
    string,
    Record<string, { requestBody: { content: Record<string, { schema: unknown }> } }>
  >;
  components: {
    schemas: Record<string, unknown>;
    headers: Record<string, { required?: boolean; schema: unknown }>;
  };
}

/**
 * The document that the service returns. `npm run check` and a test verify that it is this file.
 */
const DOCUMENT = JSON.parse(
  readFileSync(new URL('../../../docs/openapi.json', import.meta.url), 'utf8'),
) as Described;
/** The described headers, by their names in lower case. */
const HEADERS = new Set(
  Object.values(DOCUMENT.paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ responses }) => Object.values(responses))
    .flatMap(({ headers = {} }) => Object.keys(headers))
    .map((name) => name.toLowerCase()),
);
/** Responses for unknown addresses and methods belong to no operation. */
const OF_NO_OPERATION = ['api_error.request.not_found', 'api_error.request.method_not_allowed'];
/** The hosted app and its files are pages, not calls. */
const PAGES = /^\/connect(?!\/api\/|\/oauth\/callback)/;

const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
// The service itself sends no value of a list that the document does not list.
ajv.addKeyword({
  keyword: 'x-extensible-enum',
  validate: (known: readonly unknown[], value: unknown) => known.includes(value),
});
// Of the registry of OpenAPI: a decimal number, whose exact value a float may lose.
ajv.addFormat('decimal', true);
ajv.addSchema({ $id: 'openapi', components: closed(DOCUMENT.components) as object });
const validators = new Map<string, ValidateFunction>();
const templates = Object.keys(DOCUMENT.paths).map((template) => ({
  template,
  pattern: new RegExp(
    `^${template.replaceAll('.', String.raw`\.`).replaceAll(/\{[^}]+\}/g, '[^/]+')}$`,
  ),
  parameters: template.split('{').length,
}));

export interface DescribedResponse {
  method: string;
  /** With or without a query. */
  path: string;
  status: number;
  contentType: string | null;
  /** The headers of the response; missing = they are not compared. */
  headers?: Pick<Headers, 'get'>;
  body: unknown;
  /** Of a successful request; The document describes the newest. */
  version?: string | undefined;
}

/**
 * Throws when a response does not match the document: another status, another media type, a
 * missing or additional field.
 */
export function expectDescribed(described: DescribedResponse): void {
  const problem = problemOf(described);
  if (problem !== null)
    throw new Error(
      `${described.method} ${described.path} → ${described.status} does not match docs/openapi.json: ${problem}\n${JSON.stringify(described.body)?.slice(0, 2_000)}`,
    );
}

/** Does the same for the body of a webhook. */
export function expectDescribedWebhook(event: unknown, body: unknown): void {
  const schema =
    DOCUMENT.webhooks[String(event)]?.['post']?.requestBody.content['application/json']?.schema;
  const problem =
    schema === undefined
      ? 'there is no such webhook'
      : violations(`webhook ${String(event)}`, schema, body);
  if (problem !== null)
    throw new Error(
      `the webhook ${String(event)} does not match docs/openapi.json: ${problem}\n${JSON.stringify(body)}`,
    );
}

function problemOf({
  method,
  path,
  status,
  contentType,
  headers,
  body,
  version,
}: DescribedResponse): string | null {
  const address = path.split('?')[0] ?? '';
  if (PAGES.test(address) || method === 'OPTIONS') return null;
  const code =
    typeof body === 'object' && body !== null && 'error_code' in body
      ? String(body.error_code)
      : '';
  if (OF_NO_OPERATION.includes(code))
    return violations('ApiError', { $ref: '#/components/schemas/ApiError' }, body);
  const found = templates
    .filter(({ pattern }) => pattern.test(address))
    .sort((a, b) => a.parameters - b.parameters)[0];
  // The hosted app may be served at any path.
  if (found === undefined && contentType?.startsWith('text/html') === true) return null;
  const verb = method === 'HEAD' ? 'get' : method.toLowerCase();
  const response =
    found === undefined ? undefined : DOCUMENT.paths[found.template]?.[verb]?.responses[status];
  if (found === undefined || response === undefined) return 'this answer is not described';
  const wrong = headers === undefined ? null : wrongHeader(response, headers);
  if (wrong !== null) return wrong;
  if (response.content === undefined || method === 'HEAD')
    return body === undefined || body === null || body === '' ? null : 'there is a body';
  const type = (contentType ?? '').split(';')[0]?.trim() ?? '';
  const media = response.content[type];
  if (media === undefined) return `the media type is "${type}"`;
  const call = `${verb.toUpperCase()} ${found.template.replaceAll(/\{([^}]+)\}/g, ':$1')}`;
  const date = API_VERSIONS.find((known) => known.date === version)?.date ?? versionOf(undefined);
  if (status < 300 && changesSince(date, call).length > 0) return null;
  const { 'x-error-codes': codes } = response;
  if (codes !== undefined && !codes.includes(code))
    return `the error code is "${code}", not one of ${codes.join(', ')}`;
  return type === 'application/json'
    ? violations(`${verb} ${found.template} ${status}`, media.schema, body)
    : null;
}

/** A described header that another response has, or that is missing or wrong here. */
function wrongHeader(
  { headers: described = {} }: ResponseObject,
  sent: Pick<Headers, 'get'>,
): string | null {
  const own = new Map(
    Object.entries(described).map(([name, { $ref }]) => [
      name.toLowerCase(),
      DOCUMENT.components.headers[$ref.split('/').at(-1) ?? ''],
    ]),
  );
  for (const name of HEADERS) {
    const value = sent.get(name);
    const header = own.get(name);
    if (value !== null && header === undefined) return `the header ${name} is not described`;
    // The names of a service with another prefix.
    if (value === null && header?.required === true && !name.startsWith('service-'))
      return `the header ${name} is missing`;
    const typed = (header?.schema as { type?: string } | undefined)?.type === 'integer';
    if (value === null || header === undefined) continue;
    const problem = violations(`header ${name}`, header.schema, typed ? Number(value) : value);
    if (problem !== null) return `the header ${name}: ${problem}`;
  }
  return null;
}

function violations(name: string, schema: unknown, body: unknown): string | null {
  let validate = validators.get(name);
  if (validate === undefined) {
    validate = ajv.compile(absolute(closed(schema)) as object);
    validators.set(name, validate);
  }
  return validate(body) ? null : ajv.errorsText(validate.errors, { dataVar: 'body' });
}

/**
 * Clients ignore unknown fields, but a field missing in the document is a mistake of the service.
 */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const inner = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, closed(value)]),
  );
  const isModel = 'type' in inner && 'properties' in inner && !('additionalProperties' in inner);
  return isModel ? { ...inner, additionalProperties: false } : inner;
}

function absolute(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(absolute);
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [
      key,
      key === '$ref' && typeof value === 'string' ? `openapi${value}` : absolute(value),
    ]),
  );
}
