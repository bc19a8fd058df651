import { randomUUID } from 'node:crypto';
import { Decimal } from 'decimal.js';
import type { FetchedTransaction } from '../../../../domain/refresh/fetched-data.js';
import { RefreshRepository } from '../../../../prisma/work/refresh/refresh.repository.js';
import { attemptOf } from '../../../support/fixtures/stored-link.js';
import {
  connectedLink,
  startApiInProcess,
  type ApiInProcess,
} from '../../../support/services/api-in-process.js';

export let service: ApiInProcess;
export let token: string;

/** Starts an API, whose data one app reads by user. */
export function startUserData(): void {
  beforeAll(async () => {
    service = await startApiInProcess();
    token = await service.token('pocket-ledger');
  });

  afterAll(async () => {
    await service?.close();
  });
}

export async function get<T>(path: string, bearer = token): Promise<T> {
  const response = await service.api.as(bearer).get(path);
  if (response.status !== 200)
    throw new Error(`${path} returned ${response.status}: ${response.text}`);
  return response.body as T;
}

/** Stores transactions of the link: one per entry, on the checking account by default. */
export async function fetchRows(
  linkId: string,
  rows: Partial<FetchedTransaction>[],
): Promise<void> {
  const refresh = new RefreshRepository(service.ctx);
  const { pk } = await service.database.prisma.link.findUniqueOrThrow({ where: { linkId } });
  await service.ctx.database.transaction((tx) =>
    refresh.requestProducts(tx, pk, ['transactions'], 'scheduled'),
  );
  const name = attemptOf(await refresh.beginRun(linkId), 'transactions');
  const transactions = rows.map((row, index): FetchedTransaction => ({
    providerTransactionId: `t${index}`,
    providerAccountId: 'checking',
    amount: new Decimal('4.50'),
    type: 'debit',
    currency: 'USD',
    date: '2026-03-01',
    datetime: null,
    description: null,
    rawDescription: null,
    pending: false,
    category: null,
    ...row,
  }));
  await refresh.storeTransactions(linkId, name, {
    transactions,
    last: true,
    window: null,
    seenIds: [],
  });
}

export const newUser = () => `user/${randomUUID()} ü`;
export const linkOf = (userId: string, bearer = token, request: Record<string, unknown> = {}) =>
  connectedLink(service, bearer, { customer_user: { id: userId }, ...request });
export const of = (userId: string, what: string) => `/users/${encodeURIComponent(userId)}/${what}`;

export interface UserTransactions {
  total: number;
  page: number;
  size: number;
  transactions: {
    transaction_id: string;
    account_id: string;
    date: string;
    type: string;
    category: string | null;
  }[];
  accounts: Record<
    string,
    { name: string; last_synced_at: string | null; institution_id: string; link_id: string }
  >;
}
