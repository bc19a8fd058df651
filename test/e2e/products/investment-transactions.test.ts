import type { FetchedInvestmentTransaction } from '../../../domain/investments/fetched-investment-transaction.js';
import { SHARE, trade } from '../../integration/investments/support/fetched-trades.js';
import { refreshSteps } from '../../support/fixtures/refresh-steps.js';
import { attemptOf } from '../../support/fixtures/stored-link.js';
import { errorOf } from '../../support/services/api-client.js';
import { connectedLink } from '../../support/services/api-in-process.js';
import { apiOfFile, service, token } from '../../support/services/api-of-file.js';

interface Shown {
  investment_transaction_id: string;
  account_id: string;
  security_id: string | null;
  description: string;
}
interface ListPage {
  total: number;
  page: number;
  size: number;
  investment_transactions: Shown[];
  securities: { security_id: string; symbol: string }[];
  accounts: { account_id: string }[];
  link: { link_id: string };
}
interface SyncPage extends Pick<ListPage, 'securities' | 'accounts' | 'link'> {
  investment_transactions: { created: Shown[]; updated: Shown[]; removed: string[] };
  cursor: { next: string };
  has_more: boolean;
}

apiOfFile({ RATE_LIMIT_API: 'off' });

/** A link whose bank offers investments, and whose first account has these trades. */
async function linkWith(trades: readonly FetchedInvestmentTransaction[]): Promise<string> {
  const linkId = await connectedLink(service, token);
  const { prisma } = service.database;
  const { pk } = await prisma.link.findUniqueOrThrow({ where: { linkId } });
  await prisma.linkProduct.create({
    data: {
      linkPk: pk,
      product: 'investments',
      position: 9,
      required: false,
      prefetch: true,
      requirePermission: false,
      extendHistory: false,
    },
  });
  await fetchTrades(linkId, trades);
  return linkId;
}

/** Stores one fetch, as the worker does. */
async function fetchTrades(
  linkId: string,
  trades: readonly FetchedInvestmentTransaction[],
): Promise<void> {
  const refresh = refreshSteps(service.ctx);
  const { pk } = await service.database.prisma.link.findUniqueOrThrow({ where: { linkId } });
  const { providerAccountId } = await service.database.prisma.account.findFirstOrThrow({
    where: { linkPk: pk, permitted: true, closed: false },
    orderBy: { position: 'asc' },
  });
  await service.ctx.database.transaction((tx) =>
    refresh.requestProducts(tx, pk, ['investments'], 'scheduled'),
  );
  await refresh.storeInvestments(linkId, attemptOf(await refresh.beginRun(linkId), 'investments'), {
    accounts: [],
    holdings: [],
    trades: {
      transactions: trades.map((each) => ({ ...each, providerAccountId })),
      window: { from: '2000-01-01', to: '2199-12-31' },
    },
  });
}

async function read<Page>(path: string): Promise<Page> {
  const response = await service.api.as(token).get(path);
  expect({ status: response.status, body: response.body }).toMatchObject({ status: 200 });
  return response.body as Page;
}
const list = (linkId: string, query = '', start = '1900-01-01') =>
  read<ListPage>(`/links/${linkId}/investment-transactions?start_date=${start}&${query}`);
const sync = (linkId: string, query = '') =>
  read<SyncPage>(`/links/${linkId}/investment-transactions/sync?${query}`);
const namesOf = (rows: readonly Shown[]) => rows.map(({ description }) => description);

const TRADES = ['2026-03-02', '2026-03-04', '2026-03-03'].map((date, index) =>
  trade(`t${index}`, {
    date,
    description: date,
    ...(index === 0 ? { security: SHARE } : {}),
  }),
);

describe('GET /links/{id}/investment-transactions (native-api 3.14)', () => {
  let linkId: string;
  beforeAll(async () => {
    linkId = await linkWith(TRADES);
  });

  it('lists the newest first, with the securities and accounts of the page', async () => {
    const page = await list(linkId, 'size=2');
    expect(page).toMatchObject({ total: 3, page: 1, size: 2, link: { link_id: linkId } });
    expect(namesOf(page.investment_transactions)).toEqual(['2026-03-04', '2026-03-03']);
    expect(page.securities.map(({ symbol }) => symbol)).toEqual(['EXTMX']);
    expect(page.securities[0]?.security_id).toBe(page.investment_transactions[0]?.security_id);
    expect(page.accounts.map(({ account_id: id }) => id)).toEqual([
      page.investment_transactions[0]?.account_id,
    ]);
    const next = await list(linkId, 'size=2&page=2');
    expect(namesOf(next.investment_transactions)).toEqual(['2026-03-02']);
    expect(next.securities.map(({ symbol }) => symbol)).toEqual(['EXC']);
  });

  it('has every field of every row, and quantities as text', async () => {
    const page = await list(linkId, '', '2026-03-04');
    expect(page.investment_transactions).toEqual([
      {
        investment_transaction_id: expect.stringMatching(/^itx_.{22}$/),
        account_id: page.accounts[0]?.account_id,
        security_id: page.securities[0]?.security_id,
        type: 'buy',
        subtype: null,
        source_code: 'PURCHASED',
        quantity: '12.5',
        price: '101.1',
        price_factor: '1',
        amount: -1268.7,
        amount_source: 'reported',
        gross: 1263.75,
        fees: 4.95,
        taxes: null,
        currency: 'USD',
        date: '2026-03-04T00:00:00',
        datetime: null,
        settled_on: '2026-03-06',
        description: '2026-03-04',
        pending: false,
        cancels: null,
        transaction_id: null,
      },
    ]);
  });

  it('lists only the days and accounts that are asked for', async () => {
    const days = await list(linkId, 'end_date=2026-03-03', '2026-03-02');
    expect(namesOf(days.investment_transactions)).toEqual(['2026-03-03', '2026-03-02']);
    const none = await list(linkId, 'account_ids=acc_2222222222222222222222');
    expect(none).toMatchObject({ total: 0, investment_transactions: [], securities: [] });
  });

  it('is empty before the first fetch', async () => {
    const other = await linkWith([]);
    expect(await list(other)).toMatchObject({ total: 0, investment_transactions: [] });
  });

  it('needs the scope investments:read', async () => {
    const limited = await service.token('pocket-ledger', 'sandbox', 'transactions:read');
    for (const path of ['investment-transactions', 'investment-transactions/sync'])
      expect((await service.api.as(limited).get(`/links/${linkId}/${path}`)).status).toBe(401);
  });
});

describe('GET /links/{id}/investment-transactions/sync (native-api 3.14)', () => {
  it('walks through all rows in pages, then returns what changed', async () => {
    const linkId = await linkWith(TRADES);
    const first = await sync(linkId, 'size=2');
    expect(first.has_more).toBe(true);
    const second = await sync(linkId, `size=2&cursor=${first.cursor.next}`);
    expect(second.has_more).toBe(false);
    expect(
      [...first.investment_transactions.created, ...second.investment_transactions.created].map(
        ({ description }) => description,
      ),
    ).toEqual(TRADES.map(({ date }) => date));
    await fetchTrades(linkId, [trade('t1', { description: 'changed' })]);
    const { investment_transactions: changes } = await sync(linkId, `cursor=${second.cursor.next}`);
    expect(changes.created).toEqual([]);
    expect(namesOf(changes.updated)).toEqual(['changed']);
    expect(changes.removed.toSorted()).toEqual(
      [first.investment_transactions.created[0], second.investment_transactions.created[0]]
        .map((shown) => shown?.investment_transaction_id)
        .toSorted(),
    );
  });

  it('refuses a cursor of the transactions of the link, of another link, and any other text', async () => {
    const linkId = await linkWith(TRADES);
    const transactions = await read<SyncPage>(`/links/${linkId}/transactions/sync`);
    const foreign = await sync(await linkWith([]));
    for (const cursor of [transactions.cursor.next, foreign.cursor.next, 'nonsense'])
      expect(
        errorOf(
          await service.api
            .as(token)
            .get(`/links/${linkId}/investment-transactions/sync?cursor=${cursor}`),
        ),
      ).toMatchObject({ status: 422, locations: ['query.cursor'] });
  });

  it('gives a cursor that the transactions of the link refuse', async () => {
    const linkId = await linkWith(TRADES);
    const { cursor } = await sync(linkId);
    const response = await service.api
      .as(token)
      .get(`/links/${linkId}/transactions/sync?cursor=${cursor.next}`);
    expect(response.status).toBe(422);
  });
});
