import type { z } from 'zod';
import { CONTROLLERS } from '../../../apps/api/src/server/api.module.js';
import { PLAID_ROUTES } from '../../../apps/api/src/plaid/plaid-paths.js';
import {
  limitsOf,
  PLAID_LIMITS,
  type InputLimits,
} from '../../../apps/api/src/http/input/input-limits.js';
import type { RouteOptions } from '../../../apps/api/src/http/route.js';
import { routesOf } from '../../../apps/api/src/http/routes-of.js';
import { freePort } from '../../../apps/standalone/src/ports.js';
import {
  BANK,
  clientId,
  clientSecret,
  connectedLink,
  openSession,
  startApiInProcess,
  type ApiInProcess,
} from '../../support/services/api-in-process.js';
import { startApiProcess, type ApiProcess } from '../../support/services/api-process.js';
import { worstTime } from './support/worst-time.js';
import type { JsonSchema } from '../../../apps/api/src/openapi/json-schema.js';
import { JsonSchemas } from '../../../apps/api/src/openapi/json-schemas.js';

const CHARACTER = '\u{1F600}';

type Bodies = [title: string, body: string][];

/** JSON of the maximum size that a call accepts, as costly as possible, without any of its fields. */
function worstBodiesOfAnyCall(limits: InputLimits): Bodies {
  return [
    ['deep', `${'['.repeat(limits.bytes / 2)}${']'.repeat(limits.bytes / 2)}`],
    ['wide', `{"accounts":[${repeated('1', limits.bytes - 20)}]}`],
    ['of many members', `{${members((n) => `"k${n}":1`, limits.bytes - 20)}}`],
    [
      'of long names and texts',
      `{"${'x'.repeat(limits.bytes / 2)}":"${'\\u0000'.repeat(limits.bytes / 16)}"}`,
    ],
  ];
}

/** The same with the fields of the call. */
function worstBodiesOf(schema: z.ZodType, limits: InputLimits): Bodies {
  const schemas = new JsonSchemas();
  const fields = inlined(schemas.of(schema, 'input', limits), schemas.components) as JsonSchema;
  return [
    ['wrong in each element', fitting(fields, limits, wrongLeaf)],
    ['of long texts', fitting(fields, limits, longLeaf)],
  ];
}

/** A form or query of the maximum length. */
const worstParameters = (bytes: number): string => 'a&'.repeat(bytes / 2).slice(0, -1);

function repeated(text: string, bytes: number): string {
  return Array.from({ length: bytes / (text.length + 1) }, () => text).join(',');
}

function members(member: (n: number) => string, bytes: number): string {
  const members: string[] = [];
  for (let size = 0; size < bytes - 20; size += (members.at(-1) ?? '').length + 1)
    members.push(member(members.length));
  return members.join(',');
}

/** The schema without references: requests have no models that contain themselves. */
function inlined(value: unknown, components: Readonly<Record<string, JsonSchema>>): unknown {
  if (Array.isArray(value)) return value.map((inner) => inlined(inner, components));
  if (typeof value !== 'object' || value === null) return value;
  const { $ref: reference } = value as JsonSchema;
  if (typeof reference === 'string')
    return inlined(components[reference.split('/').at(-1) ?? ''], components);
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, inlined(inner, components)]),
  );
}

const typeOf = ({ type }: JsonSchema): unknown => [type].flat()[0];

type Leaf = (schema: JsonSchema) => unknown;

/** Values of the schema, with the longest arrays that still fit. */
function fitting(schema: JsonSchema, limits: InputLimits, leaf: Leaf): string {
  for (let share = limits.bytes; ; share *= 0.8) {
    const body = JSON.stringify(filled(schema, leaf, share));
    const values = body.split(/[,[{]/).length;
    if (Buffer.byteLength(body) <= limits.bytes && values < limits.values) return body;
  }
}

function filled(schema: JsonSchema, leaf: Leaf, bytes: number): unknown {
  const { anyOf, oneOf, items, properties } = schema as {
    anyOf?: JsonSchema[];
    oneOf?: JsonSchema[];
    items?: JsonSchema;
    properties?: Record<string, JsonSchema>;
  };
  const [variant] = anyOf ?? oneOf ?? [];
  if (variant !== undefined) return filled(variant, leaf, bytes);
  if (items !== undefined) return elements(items, leaf, bytes, Number(schema['maxItems']));
  if (properties !== undefined) {
    return Object.fromEntries(
      Object.entries(properties).map(([name, inner]) => [name, filled(inner, leaf, bytes)]),
    );
  }
  return leaf(schema);
}

function elements(items: JsonSchema, leaf: Leaf, bytes: number, most: number): unknown[] {
  const element = filled(items, leaf, Math.min(bytes, 1_000));
  const fitting = Math.floor(bytes / (JSON.stringify(element).length + 1));
  return Array.from({ length: Math.max(1, Math.min(most, fitting)) }, () => element);
}

function wrongLeaf(schema: JsonSchema): unknown {
  const type = typeOf(schema);
  return type === 'string' || type === undefined ? 0 : 'x';
}

function longLeaf(schema: JsonSchema): unknown {
  const { enum: values, maxLength } = schema;
  const type = typeOf(schema);
  if (Array.isArray(values)) return values[0];
  if (type === 'string') return CHARACTER.repeat(Math.min(Number(maxLength ?? 100), 1_000));
  return type === 'boolean' ? true : 1;
}

const JSON_TYPE = { 'content-type': 'application/json' };
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' };
const MAX_MS = worstTime();

let service: ApiInProcess;
/** Works on the same rows in its own process, where only requests use the event loop. */
let api: ApiProcess;
const tokens: Record<RouteOptions['auth'], string | null> = {
  bearer: null,
  connect: null,
  handler: null,
  none: null,
};
let linkId: string;

beforeAll(async () => {
  service = await startApiInProcess({ RATE_LIMIT_COMPAT: 'off' });
  tokens.bearer = await service.token('pocket-ledger');
  tokens.connect = (await openSession(service, tokens.bearer)).connectToken;
  linkId = await connectedLink(service, tokens.bearer);
  const port = await freePort('127.0.0.1');
  api = await startApiProcess({
    ...service.environment,
    API_PORT: String(port),
    METRICS_PORT: String(await freePort('127.0.0.1', [port])),
  });
});

afterAll(async () => {
  await api?.close();
  await service?.close();
});

interface Sent {
  path: string;
  token: string | null;
  raw?: string;
  headers?: Record<string, string>;
}

/**
 * Sends requests one after another. None may cause a failure of the service or block its event
 * loop.
 */
async function neverBlocks(
  method: string,
  requests: [title: string, request: Sent][],
  expected?: number,
): Promise<void> {
  await api.longestBlock();
  for (const [title, { path, ...request }] of requests) {
    const status = await send(method, path, request);
    const blockedMs = await api.longestBlock();
    expect({ title, status }).not.toEqual({ title, status: 500 });
    if (expected !== undefined) expect(status).toBe(expected);
    const isBlocked = blockedMs >= MAX_MS;
    expect({ title, blockedMs, isBlocked }).toEqual({ title, blockedMs, isBlocked: false });
  }
}

function numbered<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

async function send(
  method: string,
  path: string,
  { token, raw, headers }: Omit<Sent, 'path'>,
): Promise<number> {
  const authorization: Record<string, string> =
    token === null ? {} : { authorization: `Bearer ${token}` };
  const response = await fetch(api.url + path, {
    method,
    headers: { ...authorization, ...headers },
    ...(raw === undefined ? {} : { body: raw }),
    redirect: 'manual',
  });
  await response.arrayBuffer();
  return response.status;
}

const routes = CONTROLLERS.flatMap(routesOf);

/** For each API and limits, the call that also receives the bodies of any call: one parser reads them. */
const first = new Map<string, unknown>();

function worstBodies(
  from: 'native' | 'compatible',
  call: unknown,
  body: z.ZodType,
  limits: InputLimits,
): [title: string, body: string][] {
  const key = `${from} ${JSON.stringify(limits)}`;
  if (!first.has(key)) first.set(key, call);
  const all = Boolean(process.env['LONG_RUNS']) || first.get(key) === call;
  return [...(all ? worstBodiesOfAnyCall(limits) : []), ...worstBodiesOf(body, limits)];
}

describe('The event loop is not blocked for 100 ms', () => {
  it.each(routes.map((route) => [`${route.method} ${route.path}`, route] as const))(
    'by the worst requests to %s',
    async (_title, route) => {
      const { method, auth, body, input } = route;
      const path = route.path
        .replace(':id', linkId)
        .replace(':institution_id', BANK)
        .replaceAll(/:\w+/g, 'x'.repeat(1_000));
      const token = tokens[auth];
      const limits = limitsOf(route);
      const inQuery: [string, Sent] = [
        'a query',
        { path: `${path}?${worstParameters(14_000)}`, token },
      ];
      if (body === undefined || input?.body === undefined) return neverBlocks(method, [inQuery]);
      if (body === 'form') {
        const forms = [limits.bytes, 260_000].map((bytes): [string, Sent] => [
          `a form of ${bytes} bytes`,
          { path, token, raw: worstParameters(bytes), headers: FORM_TYPE },
        ]);
        return neverBlocks(method, [inQuery, ...forms]);
      }
      const bodies = worstBodies('native', route, input.body, limits).map(
        ([title, raw]): [string, Sent] => [
          `a body ${title}`,
          { path, token, raw, headers: JSON_TYPE },
        ],
      );
      return neverBlocks(method, [inQuery, ...bodies]);
    },
  );

  it('by the largest import, which is stored in time', async () => {
    const account = (index: number) => ({
      account_id: `acct-${index}`,
      name: `Account ${index}`,
      type: 'checking',
      balances: { currency: 'USD', available: '10.50' },
    });
    const row = (index: number) => ({
      account_id: `acct-${index % 200}`,
      amount: '-4.50',
      date: '2026-02-01T10:00:00',
      transaction_id: `row ${index}`,
      description: `Corner Cafe ${'é'.repeat(40)}`,
    });
    const body = {
      customer_user: { id: 'u' },
      institution_id: BANK,
      accounts: numbered(200, account),
      transactions: numbered(4_500, row),
    };
    const raw = JSON.stringify(body);
    expect(Buffer.byteLength(raw)).toBeGreaterThan(900_000);
    await neverBlocks(
      'POST',
      [['', { path: '/links/import', token: tokens.bearer, raw, headers: JSON_TYPE }]],
      200,
    );
  });

  it('by the largest sandbox data of a user', async () => {
    const account = {
      account_type: 'depository.checking',
      name: 'Checking',
      account_number: '100020001101',
    };
    const row = (index: number) => ({
      account: index % 20,
      date: '2026-02-01',
      amount: 4.5,
      type: 'debit',
      description: 'é'.repeat(50),
    });
    const body = {
      customer_user: { id: 'u' },
      settings: { theme: { texts: { a: 'é'.repeat(16_000) } } },
      custom_sandbox_data: {
        accounts: numbered(20, () => account),
        transactions: numbered(5_000, row),
      },
    };
    await neverBlocks(
      'POST',
      [
        [
          '',
          {
            path: '/link-session',
            token: tokens.bearer,
            raw: JSON.stringify(body),
            headers: JSON_TYPE,
          },
        ],
      ],
      201,
    );
  });

  it.each(PLAID_ROUTES.map(({ path, request }) => [path, request] as const))(
    'by the worst requests to the compatibility call %s',
    async (path, request) => {
      const headers = {
        ...JSON_TYPE,
        'plaid-client-id': clientId('pocket-ledger', 'sandbox'),
        'plaid-secret': clientSecret('pocket-ledger', 'sandbox'),
      };
      await neverBlocks(
        'POST',
        worstBodies('compatible', path, request, PLAID_LIMITS).map(([title, raw]) => [
          `a body ${title}`,
          { path, token: null, raw, headers },
        ]),
      );
    },
  );
});
