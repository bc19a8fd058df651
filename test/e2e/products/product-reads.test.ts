import { Decimal } from 'decimal.js';
import type { FetchedAccount, FetchedTransaction } from '../../../domain/refresh/fetched-data.js';
import type { Product } from '../../../domain/link/products.js';
import { refreshSteps, type RefreshSteps } from '../../support/fixtures/refresh-steps.js';
import { attemptOf } from '../../support/fixtures/stored-link.js';
import { errorOf } from '../../support/services/api-client.js';
import {
  connectedLink,
  finishedSession,
  forceLink,
  grantProducts,
} from '../../support/services/api-in-process.js';
import { apiOfFile, service, token } from '../../support/services/api-of-file.js';

apiOfFile();

interface Shown {
  account_id: string;
  name: string;
  closed: boolean;
  owners?: { names: string[] }[];
  numbers?: { ach: { account_number: string }[] };
}

async function get<T>(path: string): Promise<T> {
  const response = await service.api.as(token).get(path);
  if (response.status !== 200)
    throw new Error(`${path} returned ${response.status}: ${response.text}`);
  return response.body as T;
}
const accountsOf = async (linkId: string, what = 'accounts') =>
  (await get<{ accounts: Shown[] }>(`/links/${linkId}/${what}`)).accounts;

const account = (providerAccountId: string, name: string): FetchedAccount => ({
  providerAccountId,
  name,
  accountType: 'depository.checking',
  mask: '1101',
  currency: 'USD',
  available: new Decimal('0.1'),
  current: new Decimal('1234567890123.45'),
  limit: null,
  balanceDate: null,
});
const row = (providerTransactionId: string, providerAccountId: string): FetchedTransaction => ({
  providerTransactionId,
  providerAccountId,
  amount: new Decimal('10.10'),
  type: 'debit',
  currency: 'USD',
  date: '2026-03-01',
  datetime: '2026-03-01T08:12:00.000',
  description: 'Corner Cafe',
  rawDescription: 'POS 0301',
  pending: false,
  category: null,
});

/** Fetches one product, as the worker does. */
async function fetchProduct(
  linkId: string,
  product: Product,
  store: (refresh: RefreshSteps, name: string) => Promise<unknown>,
): Promise<void> {
  const refresh = refreshSteps(service.ctx);
  const { pk } = await service.database.prisma.link.findUniqueOrThrow({ where: { linkId } });
  await service.ctx.database.transaction((tx) =>
    refresh.requestProducts(tx, pk, [product], 'scheduled'),
  );
  await store(refresh, attemptOf(await refresh.beginRun(linkId), product));
}
const listAccounts = (linkId: string, ...accounts: FetchedAccount[]) =>
  fetchProduct(linkId, 'accounts', (refresh, name) =>
    refresh.storeAccounts(linkId, name, accounts),
  );
const fetchRows = (linkId: string, ...transactions: FetchedTransaction[]) =>
  fetchProduct(linkId, 'transactions', (refresh, name) =>
    refresh.storeTransactions(linkId, name, {
      transactions,
      last: true,
      window: null,
      seenIds: [],
    }),
  );

// native-api 3.5, and 3.6 guarantee 7
describe('An account that was closed at its bank', () => {
  let linkId: string;
  let userId: string;
  let [checking, savings]: (Shown | undefined)[] = [];
  beforeAll(async () => {
    userId = 'closing';
    linkId = await connectedLink(service, token, { customer_user: { id: userId } });
    [checking, savings] = await accountsOf(linkId);
    await fetchRows(linkId, row('a', 'checking'), row('b', 'savings'));
    await listAccounts(linkId, account('savings', 'Rainy Day Savings'));
  });

  it('is not listed, and can be read by its own id', async () => {
    expect((await accountsOf(linkId)).map(({ account_id: id }) => id)).toEqual([
      savings?.account_id,
    ]);
    expect(await accountsOf(linkId, `accounts?account_ids=${checking?.account_id}`)).toEqual([]);
    expect(await get(`/links/${linkId}/accounts/${checking?.account_id}`)).toMatchObject({
      account: { ...checking, closed: true, missing_since: expect.any(String) },
      link: { link_id: linkId },
    });
    const { links } = await get<{ links: Record<string, { accounts: Shown[] }> }>(
      `/users/${userId}/accounts`,
    );
    expect(links[linkId]?.accounts).toMatchObject([{ account_id: savings?.account_id }]);
  });

  it('keeps its transactions, which are returned with the account', async () => {
    const everything = `start_date=1900-01-01&account_ids=${checking?.account_id}`;
    const listed = await get<{ total: number; transactions: unknown[]; accounts: Shown[] }>(
      `/links/${linkId}/transactions?${everything}`,
    );
    expect(listed).toMatchObject({
      total: 1,
      transactions: [{ account_id: checking?.account_id, amount: 10.1 }],
      accounts: [{ account_id: checking?.account_id, closed: true }],
    });
    const synced = await get<{ transactions: { created: unknown[] }; accounts: Shown[] }>(
      `/links/${linkId}/transactions/sync`,
    );
    expect(synced.transactions.created).toHaveLength(2);
    expect(synced.accounts.map(({ account_id: id, closed }) => [id, closed]).sort()).toEqual(
      [
        [checking?.account_id, true],
        [savings?.account_id, false],
      ].sort(),
    );
    expect(await get(`/users/${userId}/transactions?start_date=1900-01-01`)).toMatchObject({
      total: 2,
    });
  });

  it('gets no new transactions', async () => {
    await fetchRows(linkId, row('c', 'checking'), row('d', 'savings'));
    expect(
      await get(
        `/links/${linkId}/transactions?start_date=1900-01-01&account_ids=${checking?.account_id}`,
      ),
    ).toMatchObject({ total: 1 });
  });
});

describe('The numbers and owners of accounts', () => {
  it('are returned for the requested accounts, and only for those that have some', async () => {
    const linkId = await connectedLink(service, token);
    await grantProducts(service, linkId, ['account_numbers', 'identity']);
    const [checking, savings] = await accountsOf(linkId);
    const ach = [
      { accountNumber: '100020001101', routingNumber: '999000014', wireRoutingNumber: null },
    ];
    await fetchProduct(linkId, 'account_numbers', (refresh, name) =>
      refresh.storeAccountNumbers(linkId, name, [
        { providerAccountId: 'checking', numbers: { ach, eft: [], bacs: [], international: [] } },
      ]),
    );
    await fetchProduct(linkId, 'identity', (refresh, name) =>
      refresh.storeIdentity(
        linkId,
        name,
        ['checking', 'savings'].map((providerAccountId) => ({
          providerAccountId,
          owners: [
            {
              names: [`owner of ${providerAccountId}`],
              addresses: [],
              phoneNumbers: [],
              emails: [],
            },
          ],
        })),
      ),
    );
    expect(
      (await accountsOf(linkId, 'accounts/numbers')).map(({ account_id: id, numbers }) => [
        id,
        numbers?.ach[0]?.account_number,
      ]),
    ).toEqual([[checking?.account_id, '100020001101']]);
    expect(await accountsOf(linkId, `accounts/numbers?account_ids=${savings?.account_id}`)).toEqual(
      [],
    );
    const owners = await accountsOf(
      linkId,
      `identity?account_ids=acc_nobody,${savings?.account_id}`,
    );
    expect(owners).toMatchObject([
      { account_id: savings?.account_id, owners: [{ names: ['owner of savings'] }] },
    ]);
  });
});

describe('An amount of money', () => {
  it('is the shortest number equal to the decimal', async () => {
    const linkId = await connectedLink(service, token);
    await listAccounts(linkId, account('checking', 'Checking'));
    expect((await service.api.as(token).get(`/links/${linkId}/accounts`)).text).toContain(
      '"balances":{"currency":"USD","available":0.1,"current":1234567890123.45,"limit":null,',
    );
    await fetchRows(linkId, { ...row('a', 'checking'), amount: new Decimal('100.10') });
    expect((await service.api.as(token).get(`/links/${linkId}/transactions/sync`)).text).toContain(
      '"amount":100.1,',
    );
  });
});

// native-api 1: 304 comes after all checks of 1.3
describe('A sync page with a matching If-None-Match', () => {
  it('returns 304 only to callers who may read it', async () => {
    const linkId = await connectedLink(service, token);
    await fetchRows(linkId, row('a', 'checking'));
    const path = `/links/${linkId}/transactions/sync`;
    const known = {
      'if-none-match': (await service.api.as(token).get(path)).headers.get('etag') ?? '',
    };
    const asked = async (bearer: string | null, query = '', headers: Record<string, string> = {}) =>
      errorOf(
        await service.api.get(path + query, { token: bearer, headers: { ...known, ...headers } }),
      );
    expect((await asked(token)).status).toBe(304);
    expect((await asked(token, '?size=49')).status).toBe(200);
    expect(await asked(null)).toMatchObject({ status: 401, code: 'api_error.auth.unauthorized' });
    expect(await asked(await service.token('rival'))).toMatchObject({
      status: 401,
      code: 'link_error.unauthorized_access',
    });
    expect(await asked(token, '', { 'service-version': '2020-01-01' })).toMatchObject({
      status: 400,
    });
    expect(await asked(token, '?cursor=x')).toMatchObject({
      status: 422,
      locations: ['query.cursor'],
    });
    await forceLink(service, linkId, { state: 'connecting' });
    expect(await asked(token)).toMatchObject({ status: 422, code: 'link_error.bad_state' });
    await forceLink(service, linkId, { state: 'connected' });
    await service.api.as(token).delete(`/links/${linkId}`);
    expect(await asked(token)).toMatchObject({ status: 410, code: 'link_error.deleted' });
  });

  it('is the only response of the API with 304: other calls ignore If-None-Match', async () => {
    const linkId = await connectedLink(service, token);
    // Without the second header `fetch` adds `no-cache`, which most clients do not send.
    const headers = { 'if-none-match': '*', 'cache-control': 'max-age=0' };
    for (const path of [
      '/links',
      `/links/${linkId}/transactions`,
      '/institutions',
      '/.well-known/jwks.json',
    ]) {
      const { status, text } = await service.api.as(token).get(path, { headers });
      expect({ path, status, isEmpty: text === '' }).toEqual({ path, status: 200, isEmpty: false });
    }
  });
});

// native-api 3.4
describe('GET /links', () => {
  it('lists links that were connected and are not deleted, oldest first, in pages', async () => {
    const rival = await service.token('rival');
    const listed = async (query = '') =>
      (await service.api.as(rival).get(`/links${query}`)).body as {
        links: { link_id: string; created_at: string }[];
        next_cursor: string;
      };
    const made = [];
    for (let count = 0; count < 4; count += 1) made.push(await connectedLink(service, rival));
    const [broken = '', gone = '', ...rest] = made;
    await finishedSession(service, rival);
    await forceLink(service, broken, { state: 'error', errorCode: 'auth_expired' });
    await service.api.as(rival).delete(`/links/${gone}`);
    const expected = [broken, ...rest];
    const { links, next_cursor: end } = await listed();
    expect({ ids: links.map(({ link_id: id }) => id), end }).toEqual({ ids: expected, end: '' });
    expect(links.map(({ created_at: at }) => at)).toEqual(
      links.map(({ created_at: at }) => at).sort(),
    );
    const paged: string[] = [];
    for (let cursor: string | null = null; cursor !== '';) {
      const page: Awaited<ReturnType<typeof listed>> = await listed(
        `?limit=2${cursor === null ? '' : `&cursor=${cursor}`}`,
      );
      paged.push(...page.links.map(({ link_id: id }) => id));
      cursor = page.next_cursor;
    }
    expect(paged).toEqual(expected);
  });
});

// link-lifecycle 15, check 6
describe('Reads of a link', () => {
  it('never change last_attempted_at, and request no fetch', async () => {
    const linkId = await connectedLink(service, token);
    await fetchRows(linkId, row('a', 'checking'));
    const before = await get<{ products: unknown; last_synced_at: string }>(`/links/${linkId}`);
    const commands = await service.database.prisma.outboxCommand.count();
    for (const what of ['accounts', 'transactions', 'transactions/sync'])
      await get(`/links/${linkId}/${what}`);
    expect(await get(`/links/${linkId}`)).toEqual(before);
    expect(await service.database.prisma.outboxCommand.count()).toBe(commands);
  });
});
