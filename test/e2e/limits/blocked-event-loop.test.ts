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
import { worstBodiesOf, worstBodiesOfAnyCall, worstParameters } from './support/worst-bodies.js';
import { worstTime } from './support/worst-time.js';

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
