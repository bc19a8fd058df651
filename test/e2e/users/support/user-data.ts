import { randomUUID } from 'node:crypto';
import type { FetchedTransaction } from '../../../../domain/refresh/fetched-data.js';
import { StoredItem } from '../../../support/fixtures/stored-item.js';
import { connectedLink } from '../../../support/services/api-in-process.js';
import { service, token } from '../../../support/services/api-of-file.js';

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
  const plain = { description: null, rawDescription: null, category: null };
  await new StoredItem(service, linkId).fetchTransactions(
    ...rows.map((row, index) => ({ providerTransactionId: `t${index}`, ...plain, ...row })),
  );
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
