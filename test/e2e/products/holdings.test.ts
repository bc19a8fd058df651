import { refreshSteps } from '../../support/fixtures/refresh-steps.js';
import { attemptOf } from '../../support/fixtures/stored-link.js';
import { holding, investments, security } from '../../support/fixtures/listed-holdings.js';
import type { FetchedHolding } from '../../../domain/investments/fetched-holding.js';
import { errorOf } from '../../support/services/api-client.js';
import { connectedLink, grantProducts } from '../../support/services/api-in-process.js';
import { apiOfFile, service, token } from '../../support/services/api-of-file.js';

apiOfFile({ RATE_LIMIT_API: 'off' });

interface Page {
  as_of: string | null;
  holdings: { holding_id: string; account_id: string; security_id: string; value: number }[];
  securities: { security_id: string; name: string }[];
  accounts: { account_id: string; cash: { amount: number } }[];
  next_cursor: string;
  link: { link_id: string };
}

const read = (linkId: string, query = '') =>
  service.api.as(token).get(`/links/${linkId}/holdings${query}`);
async function page(linkId: string, query = ''): Promise<Page & { text: string }> {
  const response = await read(linkId, query);
  expect({ status: response.status, body: response.body }).toMatchObject({ status: 200 });
  return { ...(response.body as Page), text: response.text };
}

/** A link whose first account has these holdings, stored as by the worker. */
async function linkWith(holdings: FetchedHolding[], balance: string | null): Promise<string> {
  const linkId = await connectedLink(service, token);
  await grantProducts(service, linkId, ['investments']);
  const refresh = refreshSteps(service.ctx);
  const { prisma } = service.database;
  const { pk, accounts } = await prisma.link.findUniqueOrThrow({
    where: { linkId },
    include: { accounts: { orderBy: { pk: 'asc' } } },
  });
  const first = accounts[0]?.providerAccountId ?? '';
  await service.ctx.database.transaction((tx) =>
    refresh.requestProducts(tx, pk, ['investments'], 'scheduled'),
  );
  await refresh.storeInvestments(
    linkId,
    attemptOf(await refresh.beginRun(linkId), 'investments'),
    investments(
      holdings.map((each) => ({ ...each, providerAccountId: first })),
      [first],
      balance,
    ),
  );
  return linkId;
}

const symbols = (...names: string[]) =>
  names.map((symbol) =>
    holding(symbol, { security: security({ symbol, name: `Fund ${symbol}` }) }),
  );

describe('GET /links/{id}/holdings (native-api 3.13)', () => {
  let linkId: string;
  beforeAll(async () => {
    linkId = await linkWith(
      [
        holding('fund', {
          quantity: '1234567890123456789.0000000000000000001',
          value: '12345678901234567.89',
        }),
        ...symbols('B', 'C'),
      ],
      '12345678901236667.89',
    );
  });

  it('shows exact figures, with securities, cash and the day of the data', async () => {
    const { text, as_of: asOf, holdings, securities, accounts, link } = await page(linkId);
    expect(link.link_id).toBe(linkId);
    expect(asOf).toBe(new Date().toISOString().slice(0, 10));
    expect(text).toContain('"quantity":"1234567890123456789.0000000000000000001"');
    expect(text).toContain('"value":12345678901234567.89');
    expect(securities.map(({ security_id: id }) => id).sort()).toEqual(
      holdings.map(({ security_id: id }) => id).sort(),
    );
    expect(accounts).toMatchObject([{ cash: { amount: 100, source: 'computed', reported: null } }]);
  });

  it('reads page after page: each holding and each account once, today and on a day', async () => {
    const { as_of: today } = await page(linkId);
    for (const list of ['', `on=${today}&`]) {
      const all = await page(linkId, `?${list}`);
      const walked: Page[] = [];
      for (let cursor = ''; ;) {
        const part = await page(linkId, `?${list}limit=1&cursor=${cursor}`);
        walked.push(part);
        if (part.next_cursor === '') break;
        cursor = part.next_cursor;
      }
      expect(walked).toHaveLength(3);
      expect(walked.flatMap(({ holdings }) => holdings)).toEqual(all.holdings);
      expect(walked.map(({ accounts }) => accounts.length)).toEqual([0, 0, 1]);
      expect(walked.map(({ securities }) => securities.length)).toEqual([1, 1, 1]);
    }
  });

  it('lists only the accounts that are asked for', async () => {
    const all = await page(linkId);
    const account = all.accounts[0]?.account_id ?? '';
    expect((await page(linkId, `?account_ids=${account}`)).holdings).toEqual(all.holdings);
    expect(await page(linkId, '?account_ids=acc_unknown')).toMatchObject({
      holdings: [],
      accounts: [],
      securities: [],
    });
  });

  it('is empty before the first fetch, and on a day before it', async () => {
    const fresh = await connectedLink(service, token);
    await grantProducts(service, fresh, ['investments']);
    expect(await page(fresh)).toMatchObject({ as_of: null, holdings: [], accounts: [] });
    expect(await page(linkId, '?on=2020-01-01')).toMatchObject({ holdings: [], accounts: [] });
  });

  it.each(['limit=0', 'limit=1001', 'on=2999-01-01', 'on=2026-02-30', 'on=today', 'cursor=x'])(
    'refuses %s',
    async (query) => {
      const response = await read(linkId, `?${query}`);
      expect([response.status, errorOf(response).code]).toEqual([
        422,
        'api_error.request.validation_failed',
      ]);
    },
  );

  it('refuses a cursor of another link, or of another day', async () => {
    const { next_cursor: next, as_of: today } = await page(linkId, '?limit=1');
    const other = await linkWith(symbols('X'), null);
    for (const [link, query] of [
      [other, ''],
      [linkId, `&on=${today}`],
    ] as const)
      expect((await read(link, `?cursor=${next}${query}`)).body).toMatchObject({
        validation_errors: [{ location: ['query', 'cursor'] }],
      });
  });

  it('needs the product, and a token with the scope', async () => {
    const without = await connectedLink(service, token);
    expect(errorOf(await read(without))).toMatchObject({ code: 'link_error.forbidden_action' });
  });

  it('is refused for a deleted link, whose holdings and history are erased', async () => {
    const other = await linkWith(symbols('X', 'Y'), '5');
    const { prisma } = service.database;
    const stored = { where: { account: { link: { linkId: other } } } };
    const days = { where: { ofAccount: { link: { linkId: other } } } };
    expect([await prisma.holding.count(stored), await prisma.holdingDay.count(days)]).toEqual([
      2, 1,
    ]);
    expect((await service.api.as(token).delete(`/links/${other}`)).status).toBe(204);
    expect((await read(other)).status).toBe(410);
    expect([await prisma.holding.count(stored), await prisma.holdingDay.count(days)]).toEqual([
      0, 0,
    ]);
  });
});
