import { until } from '../until.js';
import { call, CallFailure } from './http-calls.js';
import type { Narrator } from './narrator.js';

const PREFETCH_WITHIN_MS = 60_000;
const SHOWN_ROWS = 5;
const PAGE = 25;

interface Link {
  state: string;
  products: Record<string, { refreshed_at: string | null }>;
}

interface Account {
  account_id: string;
  name: string;
  account_type: string;
  balances: { currency: string; available: number | null; current: number | null };
}

interface Transaction {
  transaction_id: string;
  date: string;
  amount: number;
  type: 'debit' | 'credit';
  description: string | null;
  category: string | null;
  pending: boolean;
}

interface SyncPage {
  transactions: { created: Transaction[]; updated: Transaction[]; removed: string[] };
  cursor: { next: string };
  has_more: boolean;
}

/** Reads the data of the link: accounts, the newest transactions, and all transactions by sync. */
export async function readTheData(
  narrator: Narrator,
  api: string,
  { accessToken: bearer, linkId }: { accessToken: string; linkId: string },
): Promise<void> {
  const links = `${api}/links/${linkId}`;

  narrator.step('The transactions are being fetched', `GET /links/${linkId}`);
  const link = await untilFetched(links, bearer);
  narrator.rows(
    Object.entries(link.products).map(([name, { refreshed_at: at }]) => [
      name,
      at === null ? 'not yet' : `refreshed at ${at}`,
    ]),
  );

  narrator.step('The app reads the accounts', 'GET …/accounts');
  await readAccounts(narrator, links, bearer);

  narrator.step('… the newest transactions', `GET …/transactions?size=${SHOWN_ROWS}`);
  const total = await readTransactions(narrator, links, bearer, SHOWN_ROWS);

  narrator.step('… and keeps a copy in step', `GET …/transactions/sync?size=${PAGE}`);
  const synced = await syncAll(narrator, links, bearer);
  if (synced !== total)
    throw new CallFailure(`sync brought ${synced} transactions, the list has ${total}`);
}

/** Waits until the transactions of a new link are available. @param link its address in the API */
export async function untilFetched(link: string, bearer: string): Promise<Link> {
  let read = await call<Link>('GET', link, { bearer });
  const fetched = await until(
    async () => {
      read = await call<Link>('GET', link, { bearer });
      return read.products['transactions']?.refreshed_at !== null;
    },
    { within: PREFETCH_WITHIN_MS, every: 200 },
  );
  if (!fetched)
    throw new CallFailure(
      `the transactions were not fetched within ${PREFETCH_WITHIN_MS / 1000} s`,
    );
  return read;
}

/** Prints the accounts of a link. */
export async function readAccounts(
  narrator: Narrator,
  link: string,
  bearer: string,
): Promise<void> {
  const { accounts } = await call<{ accounts: Account[] }>('GET', `${link}/accounts`, { bearer });
  narrator.rows(
    accounts.map(({ name, account_type: type, balances }) => [
      name,
      type,
      balances.current ?? 0,
      balances.currency,
    ]),
  );
}

/** Prints the newest transactions of a link. @returns their number in the last 90 days */
export async function readTransactions(
  narrator: Narrator,
  link: string,
  bearer: string,
  shown: number,
): Promise<number> {
  const { total, transactions } = await call<{ total: number; transactions: Transaction[] }>(
    'GET',
    `${link}/transactions?size=${shown}`,
    { bearer },
  );
  narrator.rows(
    transactions.map((row) => [
      row.date.slice(0, 10),
      row.type === 'debit' ? -row.amount : row.amount,
      row.description ?? '',
      row.category ?? '',
      row.pending ? 'pending' : '',
    ]),
  );
  narrator.result(`${total} in the last 90 days`);
  return total;
}

/** @returns the number of transactions in the copy at the end */
async function syncAll(narrator: Narrator, links: string, bearer: string): Promise<number> {
  const copy = new Map<string, Transaction>();
  let cursor = '';
  for (let page = 1; ; page += 1) {
    const {
      transactions,
      cursor: next,
      has_more: more,
    } = await call<SyncPage>(
      'GET',
      `${links}/transactions/sync?size=${PAGE}&cursor=${encodeURIComponent(cursor)}`,
      { bearer },
    );
    for (const row of [...transactions.created, ...transactions.updated])
      copy.set(row.transaction_id, row);
    for (const id of transactions.removed) copy.delete(id);
    narrator.result(
      `page ${page}: ${transactions.created.length} created, ${transactions.updated.length} updated, ${transactions.removed.length} removed${more ? ', more to come' : ''}`,
    );
    cursor = next.next;
    if (!more) return copy.size;
  }
}
