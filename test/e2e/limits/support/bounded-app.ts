import { APP_BOUNDS, type BoundName } from '../../../../domain/limits/app-bounds.js';
import type { Environment } from '../../../../domain/api/environment.js';
import { AppUseRepository } from '../../../../prisma/tenants/usage/app-use.repository.js';
import { runCommand } from '../../../support/actors/operator.js';
import type { ApiResponse } from '../../../support/services/api-client.js';
import {
  BANK,
  clientId,
  clientSecret,
  type ApiInProcess,
  type AppId,
} from '../../../support/services/api-in-process.js';
import { apiOfFile, service, token } from '../../../support/services/api-of-file.js';

export { service, token } from '../../../support/services/api-of-file.js';
export const APP = 'pocket-ledger';
const HOOK = 'https://app.example/hooks/bank';
/** A bound from the settings. Every other bound of these tests belongs to one app. */
export const ROWS = 60;

/** Another process of the API, on the same database. */
export let otherProcess: Awaited<ReturnType<ApiInProcess['another']>>;
let unique = 0;

/** Starts two processes of the API for the file. */
export function startBoundedApp(): void {
  afterAll(() => otherProcess?.close());
  apiOfFile({ ROWS_PER_APP: String(ROWS), SANDBOX_BANKS_IN_LIVE: 'on' });
  beforeAll(async () => {
    otherProcess = await service.another();
  });

  // Outside of the first test, an app has room for rows. A test may change every bound.
  beforeEach(async () => {
    await service.database.prisma.appLimit.deleteMany();
    await limit('rows', 1_000_000);
  });
}

interface ShownBound {
  environment: Environment;
  bound: BoundName;
  used: number;
  limit: number;
  counted: string;
  set_by: string;
}

export async function operate<T>(...args: string[]): Promise<T> {
  const { status, stdout, stderr } = await runCommand([...args, '--json'], service.environment);
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as T;
}
export const shown = async (app: AppId = APP) =>
  (await operate<{ bounds: ShownBound[] }>('apps', 'show', app)).bounds;

/** The same as the commands of an operator, without the start of a program. */
export const used = async (bound: BoundName) =>
  (await new AppUseRepository(service.ctx).ofApp(APP)).find(
    (row) => row.bound === bound && row.environment === 'sandbox',
  )?.used ?? 0;
export const limit = (bound: BoundName, max: number | 'default') =>
  new AppUseRepository(service.ctx).setLimit(
    { appId: APP, environment: 'sandbox' },
    bound,
    max === 'default' ? null : max,
  );

const rowsOf = (count: number) =>
  Array.from({ length: count }, () => ({
    account_id: 'a',
    amount: 1,
    date: '2026-02-01',
    transaction_id: `row-${(unique += 1)}`,
  }));
export const importRequest = (rows: number, over: Record<string, unknown> = {}) => ({
  customer_user: { id: 'user-1' },
  institution_id: BANK,
  accounts: [{ account_id: 'a', name: 'A', type: 'checking', balances: { currency: 'USD' } }],
  transactions: rowsOf(rows),
  ...over,
});
export const importLink = (
  rows: number,
  over: Record<string, unknown> = {},
  headers: Record<string, string> = {},
) => service.api.as(token).post('/links/import', { json: importRequest(rows, over), headers });
export const linkIdOf = ({ body }: ApiResponse) => (body as { link_id: string }).link_id;
export const deleteLink = (linkId: string) =>
  service.api.as(token).send('DELETE', `/links/${linkId}`);
export const session = (headers: Record<string, string> = {}) =>
  service.api.as(token).post('/link-session', { json: { customer_user: { id: 'u' } }, headers });
export const errorIn = ({ status, body }: ApiResponse) => {
  const { error_code: code, error_message: message } = body as Record<string, unknown>;
  return { status, code, message };
};
export const refusedBy = (bound: BoundName, max: number) => ({
  status: 429,
  code: 'api_error.rate_limit_exceeded',
  message: expect.stringMatching(
    new RegExp(`${max} ${APP_BOUNDS[bound].counts}.*${APP_BOUNDS[bound].setting}`),
  ) as string,
});
/** The stored amounts, under the names of the bounds. */
export const stored = async () => ({
  links: await service.database.prisma.link.count({
    where: { appId: APP, environment: 'sandbox', state: { not: 'deleted' } },
  }),
  rows: await service.database.prisma.transactionVersion.count(),
  sessions: await service.database.prisma.linkSession.count(),
  events: await service.database.prisma.webhookEvent.count(),
  deliveries: await service.database.prisma.webhookDelivery.count(),
  users: await service.database.prisma.customerUser.count(),
  records: await service.database.prisma.idempotencyRecord.count(),
  tokens: await service.database.prisma.accessToken.count(),
});

/** A call that uses one unit of a bound, or a known number. */
interface Use {
  prepare?: () => Promise<unknown>;
  call: (prepared: unknown) => Promise<ApiResponse>;
  /** The units that each call uses; 1 if omitted. */
  amount?: number;
}

const hookedLink = async () => linkIdOf(await importLink(0, { webhook: HOOK }));
const testEvent = (linkId: unknown) =>
  service.api.as(token).post(`/webhooks/test/link/${String(linkId)}`, {
    json: { webhook_event: 'link.state_changed', webhook_idempotency_key: `t-${(unique += 1)}` },
  });
/** Always has the same length. */
const oneRowTransfer = () => ({
  transactions: rowsOf(1).map((row) => ({
    ...row,
    transaction_id: String((unique += 1)).padStart(9, '0'),
  })),
});

export const USES: Readonly<Record<BoundName, Use>> = {
  links: { call: () => importLink(0) },
  rows: {
    prepare: async () => linkIdOf(await importLink(0)),
    call: (linkId) =>
      service.api
        .as(token)
        .post(`/links/${String(linkId)}/import/transactions`, { json: oneRowTransfer() }),
  },
  imported_bytes: {
    prepare: async () => linkIdOf(await importLink(0)),
    call: (linkId) =>
      service.api
        .as(token)
        .post(`/links/${String(linkId)}/import/transactions`, { json: oneRowTransfer() }),
    amount: JSON.stringify(oneRowTransfer()).length,
  },
  sessions: { call: () => session() },
  sandbox_calls: { call: () => session() },
  test_events: { prepare: hookedLink, call: testEvent },
  replays: {
    prepare: async () => {
      const linkId = await hookedLink();
      await testEvent(linkId);
      const { body } = await service.api
        .as(token)
        .get(`/webhooks/events?link_id=${linkId}&limit=1`);
      return (body as { events: { event_id: string }[] }).events[0]?.event_id;
    },
    call: (eventId) => service.api.as(token).post(`/webhooks/events/${String(eventId)}/replay`),
  },
  idempotency_records: { call: () => session({ 'idempotency-key': `key-${(unique += 1)}` }) },
  access_tokens: {
    call: () =>
      service.api.post('/auth/token', {
        form: { client_id: clientId(APP, 'sandbox'), client_secret: clientSecret(APP, 'sandbox') },
      }),
  },
  simplefin_tokens: {
    call: () => service.api.as(token).post(`/users/new-${(unique += 1)}/simplefin-tokens`),
  },
};
