import type { ApiRequest, ApiResponse } from '../../../support/services/api-client.js';
import {
  BANK,
  connectedLink,
  finishedSession,
  type ApiInProcess,
} from '../../../support/services/api-in-process.js';
import { apiOfFile, service, token } from '../../../support/services/api-of-file.js';
import { releaseHeldWork } from './held-work.js';

export { service, token } from '../../../support/services/api-of-file.js';
/** Another process of the API, on the same database. */
export let otherProcess: Awaited<ReturnType<ApiInProcess['another']>>;

/** Starts two processes of the API on one database. */
export function startTwoProcesses(): void {
  afterAll(() => otherProcess?.close());
  apiOfFile();
  beforeAll(async () => {
    otherProcess = await service.another();
  });
  afterEach(releaseHeldWork);
}

export const user = { customer_user: { id: 'user-4711' } };
let keys = 0;
export const newKey = () => `key-${(keys += 1)}`;
export const post = (path: string, key: string, request: ApiRequest, as = token) =>
  service.api
    .as(as)
    .post(path, { ...request, headers: { ...request.headers, 'idempotency-key': key } });
export const session = (key: string, json: unknown = user, as = token) =>
  post('/link-session', key, { json }, as);
export const sessions = () => service.database.prisma.linkSession.count();

/** A call that accepts a key, and the effect that must not happen twice. */
interface KeyedCall {
  path: string;
  json: unknown;
  status: number;
  effects(): Promise<number>;
}

const IMPORT = {
  ...user,
  institution_id: BANK,
  accounts: [{ account_id: 'a', name: 'A', type: 'checking', balances: { currency: 'USD' } }],
};
export const CALLS: [string, () => Promise<KeyedCall>][] = [
  [
    'a session',
    () => Promise.resolve({ path: '/link-session', json: user, status: 201, effects: sessions }),
  ],
  [
    'an exchange',
    async () => {
      const { exchangeableToken } = await finishedSession(service, token);
      const effects = () =>
        service.database.prisma.webhookEvent.count({
          where: { body: { contains: '"connected"' } },
        });
      return {
        path: '/link-session/exchange-token',
        json: { exchangeable_token: exchangeableToken },
        status: 201,
        effects,
      };
    },
  ],
  [
    'a refresh',
    async () => {
      const linkId = await connectedLink(service, token);
      return {
        path: `/links/${linkId}/products`,
        json: { products: ['transactions'] },
        status: 202,
        effects: () => service.database.prisma.refreshRequest.count(),
      };
    },
  ],
  [
    'an import of a link',
    () =>
      Promise.resolve({
        path: '/links/import',
        json: IMPORT,
        status: 200,
        effects: () => service.database.prisma.link.count(),
      }),
  ],
  [
    'an import of rows',
    async () => {
      const { body } = await service.api.as(token).post('/links/import', { json: IMPORT });
      const { link_id: linkId } = body as { link_id: string };
      const json = { transactions: [{ account_id: 'a', amount: -1, date: '2026-02-01' }] };
      return {
        path: `/links/${linkId}/import/transactions`,
        json,
        status: 200,
        effects: () => service.database.prisma.transactionVersion.count(),
      };
    },
  ],
];

export const elsewhere = (path: string, key: string, json: unknown) =>
  otherProcess.api.as(token).post(path, { json, headers: { 'idempotency-key': key } });

/** Frees the keys in use, as the death of their process would. */
export const loseLocks = () =>
  service.database.pool.query(
    "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 1 AND granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())",
  );

export const exchange = (key: string, exchangeableToken: string, as = token) =>
  post(
    '/link-session/exchange-token',
    key,
    { json: { exchangeable_token: exchangeableToken } },
    as,
  );

export const replayed = ({ headers }: ApiResponse) => headers.get('idempotency-replayed');
