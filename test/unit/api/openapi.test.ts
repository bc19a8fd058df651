import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { z } from 'zod';
import { CONTROLLERS } from '../../../apps/api/src/server/api.module.js';
import { json, type RouteDocs } from '../../../apps/api/src/http/route-docs.js';
import type { RouteOptions } from '../../../apps/api/src/http/route.js';
import { routesOf } from '../../../apps/api/src/http/routes-of.js';
import { buildDocument } from '../../../apps/api/src/openapi/build-document.js';
import type { JsonSchema } from '../../../apps/api/src/openapi/json-schema.js';
import { referencePage } from '../../../apps/api/src/openapi/reference/page.js';
import { API_ERRORS } from '../../../domain/errors/api-errors.js';
import {
  expectDescribed,
  expectDescribedWebhook,
} from '../../support/assertions/described-responses.js';

interface Parts {
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  items?: JsonSchema;
  additionalProperties?: JsonSchema | boolean;
  properties?: Record<string, JsonSchema>;
  required?: string[];
}

const isList = (schema: JsonSchema): boolean =>
  schema['enum'] !== undefined || schema['x-extensible-enum'] !== undefined;

/** The places of objects and enumerations without a name, and of unions whose members no client can tell apart. */
function unnamed(schema: JsonSchema, place: string, isComponent: boolean): string[] {
  const { anyOf, oneOf, allOf, items, additionalProperties, properties = {} } = schema as Parts;
  const members = (anyOf ?? oneOf ?? allOf ?? []).filter(({ type }) => type !== 'null');
  const hasFields = Object.keys(properties).length > 0;
  // Alternatives are a component, a type of JSON each, or members that a discriminator or a constant names.
  const kinds = new Set(members.map(({ $ref, type }) => ($ref === undefined ? type : 'component')));
  const isDistinct =
    members.length < 2 ||
    schema['discriminator'] !== undefined ||
    (isComponent && !kinds.has('component')) ||
    differByConstant(members) ||
    kinds.size === members.length;
  return [
    ...(isComponent || (!hasFields && !isList(schema)) ? [] : [`${place}: no name`]),
    ...(isDistinct ? [] : [`${place}: a union without a discriminator`]),
    ...Object.entries(properties).flatMap(([name, inner]) =>
      unnamed(inner, `${place}.${name}`, false),
    ),
    ...[...members, items, additionalProperties].flatMap((inner) =>
      typeof inner === 'object' ? unnamed(inner, `${place}[]`, false) : [],
    ),
  ];
}

/** Whether the members of a union require one property, which has another constant in each. */
function differByConstant(members: JsonSchema[]): boolean {
  const models = members.map(
    ({ $ref }) =>
      (document.components.schemas[String($ref).split('/').at(-1) ?? ''] ?? {}) as Parts,
  );
  return Object.keys(models[0]?.properties ?? {}).some((name) => {
    const constants = models.map(({ properties, required = [] }) =>
      required.includes(name) ? properties?.[name]?.['const'] : undefined,
    );
    return !constants.includes(undefined) && new Set(constants).size === models.length;
  });
}

const OPTIONS = { baseUrl: 'http://127.0.0.1:4000', headerPrefix: 'service' };
const routes = CONTROLLERS.flatMap(routesOf);
const document = await buildDocument(routes, OPTIONS);
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.values(methods).map((operation) => ({ ...operation, path })),
);

describe('The OpenAPI document', () => {
  it('has one operation for each route', () => {
    expect(operations).toHaveLength(routes.length);
  });

  it('equals the file in docs', () => {
    expect(
      JSON.parse(readFileSync(new URL('../../../docs/openapi.json', import.meta.url), 'utf8')),
    ).toEqual(JSON.parse(JSON.stringify(document)));
  });

  it('names every error, and for each error a call that may return it', () => {
    expect(document.components.schemas['ErrorCode']).toMatchObject({
      'x-extensible-enum': Object.keys(API_ERRORS),
    });
    const named = new Set(
      operations.flatMap(({ responses }) =>
        Object.values(responses).flatMap(({ 'x-error-codes': codes = [] }) => codes),
      ),
    );
    const ofNoOperation = ['api_error.request.not_found', 'api_error.request.method_not_allowed'];
    const ofLaterCalls = Object.keys(API_ERRORS).filter(
      (code) => !named.has(code as keyof typeof API_ERRORS) && !ofNoOperation.includes(code),
    );
    for (const code of ofLaterCalls)
      expect(
        routes.some(({ path }) =>
          path.startsWith(
            code.startsWith('webhook_error') || code.endsWith('bad_config')
              ? '/webhooks'
              : '/sandbox',
          ),
        ),
      ).toBe(false);
  });

  it('names every model and enumeration, and the members of every union', () => {
    expect(
      Object.entries(document.components.schemas).flatMap(([name, schema]) => [
        ...(/^[A-Z][A-Za-z]*$/.test(name) ? [] : [`${name}: not a name`]),
        ...unnamed(schema, name, true),
      ]),
    ).toEqual([]);
    expect(
      operations.flatMap(({ operationId = '', parameters = [], requestBody, responses }) =>
        [
          ...parameters.map(({ schema }) => schema),
          ...[requestBody, ...Object.values(responses)].flatMap((body) =>
            Object.values(body?.content ?? {}).map(({ schema }) => schema),
          ),
        ].flatMap((schema) => unnamed(schema, operationId, false)),
      ),
    ).toEqual([]);
  });

  it('describes every operation and tag, and has an example of every body', () => {
    expect(document.tags.filter(({ description }) => description === '')).toEqual([]);
    const events = Object.values(document.webhooks).flatMap((methods) => Object.values(methods));
    expect(
      [...operations, ...events].flatMap(
        ({ operationId = '', description = '', requestBody, responses }) => [
          ...(description === '' ? [`${operationId} has no description`] : []),
          ...Object.entries({ request: requestBody, ...responses }).flatMap(([body, media]) =>
            Object.entries(media?.content ?? {})
              .filter(
                ([type, { example, examples }]) =>
                  // A message of a data source, and pages that ask to wait.
                  type !== 'application/octet-stream' &&
                  !(type === 'text/html' && body >= '4') &&
                  example === undefined &&
                  examples === undefined,
              )
              .map(() => `${operationId} has no example of its ${body}`),
          ),
        ],
      ),
    ).toEqual([]);
  });

  it('describes every property, parameter, header and scope', () => {
    const { schemas, headers, securitySchemes } = document.components;
    // Values of these say nothing of their property.
    const plain = ['Timestamp', 'WebhookTimestamp', 'Day', 'Money', 'UnsignedMoney', 'Currency'];
    const isDescribed = ({ description, $ref, anyOf, items }: Parts & JsonSchema): boolean => {
      if (typeof description === 'string') return description.endsWith('.');
      const name = typeof $ref === 'string' ? ($ref.split('/').at(-1) ?? '') : undefined;
      if (name !== undefined) return !plain.includes(name) && isDescribed(schemas[name] ?? {});
      return [...(anyOf ?? []), items ?? {}].some((part) => '$ref' in part && isDescribed(part));
    };
    const undescribed = (schema: JsonSchema, place: string): string[] => {
      const { anyOf, oneOf, allOf, items, additionalProperties, properties = {} } = schema as Parts;
      return [
        ...Object.entries(properties).flatMap(([name, inner]) => [
          ...(isDescribed(inner) ? [] : [`${place}.${name}`]),
          ...undescribed(inner, `${place}.${name}`),
        ]),
        ...[...(anyOf ?? oneOf ?? allOf ?? []), items, additionalProperties].flatMap((inner) =>
          typeof inner === 'object' ? undescribed(inner, `${place}[]`) : [],
        ),
      ];
    };
    expect(Object.entries(schemas).flatMap(([name, schema]) => undescribed(schema, name))).toEqual(
      [],
    );
    const { scopes } = (
      securitySchemes['accessToken'] as {
        flows: { clientCredentials: { scopes: Record<string, string> } };
      }
    ).flows.clientCredentials;
    const parts: [string, string | undefined][] = [
      ...operations.flatMap(({ operationId, parameters = [] }) =>
        parameters.map(({ name, description }): [string, string | undefined] => [
          `${operationId}: ${name}`,
          description,
        ]),
      ),
      ...Object.entries(headers).map(([name, { description }]): [string, string] => [
        name,
        description,
      ]),
      ...Object.entries(scopes),
    ];
    expect(parts.filter(([, description = '']) => description === '')).toEqual([]);
  });

  it('has one schema for the errors of each family', () => {
    const schemas = operations.flatMap(({ responses }) =>
      Object.entries(responses)
        .filter(([status]) => status >= '4')
        .flatMap(([, { content = {} }]) => content['application/json']?.schema['$ref'] ?? []),
    );
    expect([...new Set(schemas)].sort()).toEqual(
      ['ApiError', 'ConnectError', 'OAuthError', 'ServiceIsReadyResult'].map(
        (name) => `#/components/schemas/${name}`,
      ),
    );
  });

  it('gives every amount of money the format decimal', () => {
    const formats = (schema: JsonSchema, place: string): [string, unknown][] => [
      ...([schema['type']].flat().includes('number') && schema['const'] === undefined
        ? [[place, schema['format']] as [string, unknown]]
        : []),
      ...Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>).flatMap(
        ([name, inner]) => formats(inner, name),
      ),
      ...['items', 'anyOf', 'oneOf', 'allOf'].flatMap((part) =>
        ([schema[part] ?? []].flat() as JsonSchema[]).flatMap((inner) => formats(inner, place)),
      ),
    ];
    const numbers = Object.entries(document.components.schemas).flatMap(([name, schema]) =>
      formats(schema, name),
    );
    const plain = numbers.filter(([, format]) => format !== 'decimal').map(([place]) => place);
    expect([...new Set(plain)].sort()).toEqual(['chance', 'delay_seconds', 'resend_after_seconds']);
    expect(numbers).toContainEqual(['Money', 'decimal']);
  });

  it('gives every integer a format that holds its values', () => {
    const found: Record<string, unknown>[] = [];
    const visit = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      const schema = value as Record<string, unknown>;
      if ([schema['type']].flat().includes('integer')) found.push(schema);
      for (const [key, inner] of Object.entries(schema))
        if (key !== 'example' && key !== 'examples') visit(inner);
    };
    visit(document);
    expect(found.length).toBeGreaterThan(50);
    for (const { format, minimum = 0, maximum = 0 } of found) {
      expect(['int32', 'int64']).toContain(format);
      if (format === 'int32')
        expect([Number(minimum) >= -(2 ** 31), Number(maximum) < 2 ** 31]).toEqual([true, true]);
    }
  });

  it('has one type for each schema, besides null', () => {
    const types = [...JSON.stringify(document).matchAll(/"type":(\[[^\]]*\])/g)].map(
      ([, text = '']) => (JSON.parse(text) as string[]).filter((type) => type !== 'null'),
    );
    expect(types.length).toBeGreaterThan(50);
    expect(types.filter(({ length }) => length !== 1)).toEqual([]);
  });

  it('has only patterns that every engine knows', () => {
    const patterns = [...JSON.stringify(document).matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)].map(
      ([, text = '']) => JSON.parse(text) as string,
    );
    expect(patterns.length).toBeGreaterThan(20);
    // No Unicode properties, named groups, references or assertions, which Python, Go or Rust lack.
    for (const pattern of new Set(patterns)) {
      expect(pattern).not.toMatch(/\\([pPk]|[uxc1-9])|\(\?[^:]/);
      for (const flags of ['', 'u']) expect(() => new RegExp(pattern, flags)).not.toThrow();
    }
  });

  it('has valid schemas and no dangling references', () => {
    const ajv = new Ajv2020({ strict: false });
    formats.default(ajv);
    // Of the registry of OpenAPI: a decimal number, whose exact value a float may lose.
    ajv.addFormat('decimal', true);
    ajv.addSchema({ $id: 'openapi', components: document.components });
    for (const name of Object.keys(document.components.schemas))
      expect(() => ajv.compile({ $ref: `openapi#/components/schemas/${name}` })).not.toThrow();
    const references = [
      ...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g),
    ].map(([, name = '']) => name);
    expect(references.length).toBeGreaterThan(100);
    for (const name of new Set(references))
      expect(document.components.schemas).toHaveProperty([name]);
  });

  it('names each operation once and declares the parameters of its path', () => {
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
    for (const { path, parameters = [] } of operations) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect(
        parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name),
      ).toEqual(inPath);
    }
  });

  it('names operations by resource and verb, and every JSON body by its operation', () => {
    for (const { operationId = '', requestBody, responses } of operations) {
      expect(operationId).toMatch(/^[a-z]+[A-Za-z]*\.[a-z]+[A-Za-z]*$/);
      for (const part of [requestBody, ...Object.values(responses).slice(0, 1)]) {
        const json = part?.content?.['application/json'];
        if (json !== undefined) expect(json.schema).toEqual({ $ref: expect.any(String) });
      }
    }
  });

  it('lists the versions in the header that chooses one, without a format', () => {
    const headers = operations.flatMap(({ parameters = [] }) =>
      parameters.filter(({ name }) => name === 'service-version'),
    );
    expect(headers.length).toBeGreaterThan(40);
    for (const { schema } of headers)
      expect(schema).toEqual({ $ref: '#/components/schemas/ApiVersion' });
    expect(document.components.schemas['ApiVersion']).toMatchObject({
      type: 'string',
      enum: ['2023-02-18', '2026-11-25', '2026-11-27'],
    });
    expect(document.components.schemas['ApiVersion']).not.toHaveProperty('format');
  });

  it('has every webhook', () => {
    expect(Object.keys(document.webhooks)).toEqual([
      'link.state_changed',
      'link.product_refresh',
      'transactions.updates_available',
      'investments.updates_available',
      'link.permission_expiring',
      'link_session.finished',
    ]);
  });

  it('names the signature of every webhook, which is how receivers trust it', () => {
    for (const [name, { post }] of Object.entries(document.webhooks))
      expect([name, post?.security]).toEqual([name, [{ webhookSignature: [] }]]);
    expect(document.components.securitySchemes).toHaveProperty(
      ['webhookSignature', 'in'],
      'header',
    );
  });

  it('names headers as the service sends them', async () => {
    const text = JSON.stringify(
      await buildDocument(routes, { baseUrl: 'https://api.example', headerPrefix: 'acme' }),
    );
    expect(text).toContain('"acme-version"');
    expect(text).toContain('"acme-signature"');
    expect(text).not.toContain('service-version');
    expect(text).toContain('"servers":[{"url":"https://api.example"}]');
  });
});

describe('The documentation of a route', () => {
  const note = z.object({ note_id: z.string(), text: z.string() });
  const documented = (docs: Partial<RouteDocs>): RouteOptions => ({
    method: 'POST',
    path: '/notes',
    auth: 'bearer',
    scopes: null,
    sandboxOnly: false,
    family: 'native',
    body: 'json',
    input: { body: z.object({ text: z.string() }) },
    docs: {
      id: 'notes.create',
      tag: 'Links',
      summary: 'Add a note',
      description: 'Notes are private.',
      response: json(note),
      ...docs,
    },
  });

  it('shows its description and examples in the document and on the page', async () => {
    const route = documented({
      description: 'At most `100` notes <per link>.\n\nOlder ones are removed.',
      requestExample: { text: 'a < b' },
      response: json(note, { example: { note_id: 'note_1', text: 'a < b' } }),
    });
    const made = await buildDocument([route], OPTIONS);
    expect(made.paths['/notes']?.['post']).toMatchObject({
      description: 'At most `100` notes <per link>.\n\nOlder ones are removed.',
      requestBody: { content: { 'application/json': { example: { text: 'a < b' } } } },
      responses: {
        200: { content: { 'application/json': { example: { note_id: 'note_1' } } } },
      },
    });
    const page = referencePage(made);
    expect(page).toContain(
      '<p>At most <code>100</code> notes &lt;per link&gt;.</p><p>Older ones are removed.</p>',
    );
    expect(page).toContain("-d '{\n  &quot;text&quot;: &quot;a &lt; b&quot;\n}'</code></pre>");
    expect(page).toContain('&quot;note_id&quot;: &quot;note_1&quot;');
  });

  it.each<[string, Partial<RouteDocs>, string]>([
    ['request', { requestExample: { text: 1 } }, 'the request of notes.create'],
    [
      'response',
      { response: { kind: 'json', schema: note, example: { text: 'a' } } },
      'the response of notes.create',
    ],
  ])('causes an error when its %s does not allow its example', async (_, docs, message) => {
    await expect(buildDocument([documented(docs)], OPTIONS)).rejects.toThrow(message);
  });
});

describe('The check of responses against the document', () => {
  const institution = {
    institution_id: 'a',
    institution_id_aliases: [],
    name: 'A',
    country: 'US',
    domain: null,
    color: null,
    color_dark: null,
    is_featured: false,
  };
  const answer = {
    method: 'GET',
    path: '/institutions/a',
    status: 200,
    contentType: 'application/json; charset=utf-8',
    body: institution,
  };
  const refusal = {
    error_code: 'institution_error.not_found',
    error_message: 'x',
    documentation_url: null,
  };

  const UNAUTHORIZED = { ...refusal, error_code: 'api_error.auth.unauthorized' };
  const LIMITED = { ...refusal, error_code: 'api_error.rate_limit_exceeded' };

  it('accepts a response that the document describes', () => {
    expectDescribed(answer);
    const headers = new Headers({ RateLimit: '"app";r=1;t=1', 'Retry-After': '1' });
    expectDescribed({ ...answer, status: 429, body: LIMITED, headers });
    expectDescribed({ ...answer, status: 404, body: refusal });
    expectDescribed({
      ...answer,
      path: '/nowhere',
      status: 404,
      body: { ...refusal, error_code: 'api_error.request.not_found' },
    });
    expectDescribedWebhook('transactions.updates_available', {
      webhook_event: 'transactions.updates_available',
      webhook_major_version: 1,
      webhook_minor_version: 0,
      webhook_idempotency_key: 'k',
      webhook_timestamp: '2026-03-02T10:15:32.418+00:00',
      link_id: 'mk_rEhksmcWQTnydVaHJ7FT6N',
      link_tags: [],
      has_history: false,
    });
  });

  it.each([
    ['a field too much', { body: { ...institution, secret: 1 } }],
    ['a field too little', { body: { ...institution, name: undefined } }],
    ['a wrong type', { body: { ...institution, is_featured: 'yes' } }],
    ['another status', { status: 201 }],
    ['another media type', { contentType: 'text/plain' }],
    [
      'an error of another call',
      { status: 404, body: { ...refusal, error_code: 'link_error.not_found' } },
    ],
    ['an error with another status', { status: 410, body: refusal }],
    ['another method', { method: 'PUT' }],
    ['an unknown address', { path: '/nowhere' }],
    ['a header of another response', { headers: new Headers({ 'retry-after': '1' }) }],
    ['a missing header', { status: 401, body: UNAUTHORIZED, headers: new Headers() }],
    [
      'a wrong header',
      { status: 429, body: LIMITED, headers: new Headers({ 'retry-after': 'soon' }) },
    ],
  ])('refuses %s', (_, change) => {
    expect(() => expectDescribed({ ...answer, ...change })).toThrow(
      'does not match docs/openapi.json',
    );
  });

  it('refuses a webhook body that the document does not describe', () => {
    expect(() => expectDescribedWebhook('link.deleted', {})).toThrow('there is no such webhook');
    expect(() =>
      expectDescribedWebhook('link.state_changed', { webhook_event: 'link.state_changed' }),
    ).toThrow('must have required property');
  });
});
