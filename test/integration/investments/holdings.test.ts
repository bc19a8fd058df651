import { Decimal } from 'decimal.js';
import { utcDay } from '../../../domain/api/timestamps.js';
import type { IncompleteAccount } from '../../../domain/refresh/incomplete-answer.js';
import {
  openStorage,
  storeLink,
  type Storage,
  type StoredLink,
} from '../../support/fixtures/stored-link.js';
import {
  holding,
  listHoldings,
  security,
  shownHoldings,
} from '../../support/fixtures/listed-holdings.js';

let storage: Storage;
let now = Date.parse('2026-03-02T10:00:00Z');
beforeAll(async () => {
  storage = await openStorage(() => new Date(now));
});
afterAll(() => storage?.close());

const today = () => utcDay(new Date(now));
const nextDay = () => {
  now += 86_400_000;
};
const newLink = () => storeLink(storage, { products: ['accounts', 'investments'] });
const incompleteOf = async ({ pk: linkPk }: StoredLink) =>
  (
    await storage.ctx.database.prisma.linkProduct.findUniqueOrThrow({
      where: { linkPk_product: { linkPk, product: 'investments' } },
    })
  ).incomplete;
/** The transactions that wrote the rows of a link's holdings. */
const writersOf = ({ pk }: StoredLink) =>
  storage.ctx.database.prisma.$queryRaw`
    SELECT holding.xmin::text AS holding, security.xmin::text AS security, account.xmin::text AS account
      FROM accounts JOIN holdings holding ON holding.account_pk = accounts.pk
      JOIN securities security ON security.pk = holding.security_pk
      JOIN holdings_accounts account ON account.account_pk = accounts.pk
     WHERE accounts.link_pk = ${pk} ORDER BY holding.pk`;
const UNREADABLE: IncompleteAccount = {
  providerAccountId: 'checking',
  name: null,
  reason: 'unreadable',
  resource: 'holding',
  field: 'shares',
  fault: 'wrong_type',
};

describe('Stored holdings (native-api 3.13)', () => {
  it('show exactly the figures of the source, and cash that no holding has', async () => {
    const link = await newLink();
    await listHoldings(
      storage,
      link,
      [holding('a', { quantity: '84.3170000000000000001', value: '6544.01', cost: '6120.44' })],
      { balance: '6650.25' },
    );
    const { holdings, accounts, securities } = await shownHoldings(storage, link);
    expect(holdings).toMatchObject([
      { quantity: '84.3170000000000000001', value: 6544.01, first_seen: today(), ended: null },
    ]);
    expect(accounts).toMatchObject([{ cash: { amount: 106.24 } }]);
    expect(securities.get(holdings[0]?.security_id ?? '')).toMatchObject({ symbol: 'EXTMX' });
  });

  it('change nothing when the source lists the same again', async () => {
    const link = await newLink();
    const list = [
      holding('a', { cost: '100' }),
      holding('b', { security: security({ symbol: null, name: 'Target Fund' }) }),
    ];
    expect(await listHoldings(storage, link, list, { balance: '2500' })).toBe(2);
    const before = [await shownHoldings(storage, link), await writersOf(link)];
    nextDay();
    expect(await listHoldings(storage, link, list, { balance: '2500' })).toBe(0);
    expect([await shownHoldings(storage, link), await writersOf(link)]).toEqual(before);
    const days = await storage.ctx.database.prisma.holdingDay.findMany({
      where: { ofAccount: { linkPk: link.pk } },
    });
    expect(days).toHaveLength(1);
  });

  it('answer for each day in the past, with the state at its end', async () => {
    const link = await newLink();
    const first = today();
    await listHoldings(storage, link, [holding('a', { value: '1000' })]);
    await listHoldings(storage, link, [holding('a', { value: '1010' })]);
    nextDay();
    nextDay();
    await listHoldings(storage, link, [
      holding('a', { value: '1020' }),
      holding('b', { security: security({ symbol: 'OTHER' }), value: '5' }),
    ]);
    const on = async (day: string) =>
      (await shownHoldings(storage, link, { on: day })).holdings.map(({ value }) => value);
    expect(await on('2026-01-01')).toEqual([]);
    expect(await on(first)).toEqual([1010]);
    expect(await on(utcDay(new Date(now - 86_400_000)))).toEqual([1010]);
    expect(await on(today())).toEqual([1020, 5]);
  });

  it('end when a complete list lacks them, and return under their id', async () => {
    const link = await newLink();
    const other = holding('b', { security: security({ symbol: 'OTHER' }) });
    await listHoldings(storage, link, [holding('a'), other]);
    const [first] = (await shownHoldings(storage, link)).holdings;
    const yesterday = today();
    nextDay();
    await listHoldings(storage, link, [other]);
    expect((await shownHoldings(storage, link)).holdings).toHaveLength(1);
    expect((await shownHoldings(storage, link, { on: yesterday })).holdings[0]).toMatchObject({
      holding_id: first?.holding_id,
      ended: today(),
    });
    nextDay();
    await listHoldings(storage, link, [holding('a'), other]);
    expect((await shownHoldings(storage, link)).holdings[0]).toEqual(first);
  });

  it('stay when the list may lack some, which leaves the cash unknown', async () => {
    const link = await newLink();
    await listHoldings(
      storage,
      link,
      [holding('a'), holding('b', { security: security({ symbol: 'B' }) })],
      {
        balance: '2000',
      },
    );
    await listHoldings(storage, link, [holding('a', { value: '900' })], {
      balance: '2000',
      incomplete: [UNREADABLE],
    });
    const { holdings, accounts } = await shownHoldings(storage, link);
    expect(holdings.map(({ value }) => value)).toEqual([900, 1000]);
    expect(accounts).toMatchObject([{ cash: { amount: null } }]);
  });

  it('stay in accounts that the source does not list any more, which are incomplete', async () => {
    const link = await newLink();
    await listHoldings(storage, link, [holding('a')]);
    await listHoldings(storage, link, [], { accounts: ['card'] });
    const { holdings, accounts } = await shownHoldings(storage, link);
    expect(holdings).toHaveLength(1);
    expect(await incompleteOf(link)).toMatchObject([{ reason: 'not_reported' }]);
    expect(accounts.map(({ account_id: id }) => id)).toEqual([
      link.accounts.get('checking'),
      link.accounts.get('card'),
    ]);
  });

  it('are never those of an account that the user did not share', async () => {
    const link = await newLink();
    await listHoldings(storage, link, [{ ...holding('a'), providerAccountId: 'private' }], {
      accounts: ['private'],
    });
    expect(await shownHoldings(storage, link)).toMatchObject({ holdings: [], accounts: [] });
  });

  it('keep the id of a fund that nothing identifies, and its new name', async () => {
    const link = await newLink();
    const fund = (name: string, value: string, quantity = '10') =>
      holding('fund', { security: security({ symbol: null, name }), value, quantity });
    await listHoldings(storage, link, [fund('Target 2050', '1000')]);
    const before = (await shownHoldings(storage, link)).holdings[0];
    await listHoldings(storage, link, [fund('Target 2050 Trust', '1100', '11')]);
    const { holdings, securities } = await shownHoldings(storage, link);
    expect(holdings).toMatchObject([
      { holding_id: before?.holding_id, security_id: before?.security_id, value: 1100 },
    ]);
    expect([...securities.values()]).toMatchObject([{ name: 'Target 2050 Trust' }]);
  });

  it('keep a basis that was proved once, after a split that contradicts the price paid', async () => {
    const link = await newLink();
    const shares = (quantity: string, paid: string | null) =>
      holding('a', { quantity, cost: '8200.00', paid, value: '9100' });
    await listHoldings(storage, link, [shares('100', '82.00')]);
    await listHoldings(storage, link, [shares('400', '82.00')]);
    expect((await shownHoldings(storage, link)).holdings).toMatchObject([
      { cost_basis: 8200, cost_basis_source: 'reported_total' },
    ]);
  });
});

describe('Securities', () => {
  it('are shared by the holdings of one institution and app, under one id', async () => {
    const [one, other] = [await newLink(), await newLink()];
    const isin = security({ symbol: 'OLD', isin: 'US0378331005' });
    await listHoldings(storage, one, [holding('a', { security: isin })]);
    const renamed = security({ symbol: 'NEW', isin: 'US0378331005', name: 'New Name' });
    await listHoldings(storage, other, [
      holding('x', { security: renamed }),
      holding('y', { security: renamed, value: '7' }),
    ]);
    const ids = [one, other].map(async (link) =>
      (await shownHoldings(storage, link)).holdings.map(({ security_id: id }) => id),
    );
    const [first = [], second = []] = await Promise.all(ids);
    expect(new Set([...first, ...second]).size).toBe(1);
    expect([...(await shownHoldings(storage, one)).securities.values()]).toMatchObject([
      { symbol: 'NEW', name: 'New Name' },
    ]);
  });

  it('are merged into the older one by a row that has the identifiers of both', async () => {
    const link = await newLink();
    const list = (...securities: Parameters<typeof security>[0][]) =>
      listHoldings(
        storage,
        link,
        securities.map((fields, index) =>
          holding(`row-${index}`, {
            security: security(fields),
            acquiredOn: `2026-01-0${index + 1}`,
          }),
        ),
      );
    const [cusip, sedol] = ['037833100', 'B0YBKJ7']; // cspell:disable-line
    await list({ symbol: null, cusip }, { symbol: null, sedol });
    const before = (await shownHoldings(storage, link)).holdings.map(({ security_id: id }) => id);
    expect(new Set(before).size).toBe(2);
    await list({ symbol: null, cusip, sedol }, { symbol: null, sedol });
    const { holdings } = await shownHoldings(storage, link);
    expect(holdings.map(({ security_id: id }) => id)).toEqual([before[0], before[0]]);
  });

  it('are added once by links that are fetched at the same time', async () => {
    const links = await Promise.all([newLink(), newLink(), newLink(), newLink()]);
    const fresh = security({ symbol: 'FRESH' });
    await Promise.all(
      links.map((link) => listHoldings(storage, link, [holding('a', { security: fresh })])),
    );
    const ids = await Promise.all(
      links.map(async (link) => (await shownHoldings(storage, link)).holdings[0]?.security_id),
    );
    expect(new Set(ids).size).toBe(1);
  });
});

describe('Pages of holdings', () => {
  it('count lots, name each holding once, and each account with its last holding', async () => {
    const link = await newLink();
    const lots = (count: number) =>
      Array.from({ length: count }, (_, index) => ({
        providerLotId: `${index}`,
        acquiredOn: null,
        quantity: new Decimal(1),
        pricePaid: null,
        costBasis: null,
        value: null,
      }));
    const list = [2, 0, 30, 0, 3].map((count, index) =>
      holding(`h${index}`, {
        security: security({ symbol: `S${index}` }),
        lots: lots(count),
        providerAccountId: index < 3 ? 'checking' : 'card',
      }),
    );
    await listHoldings(storage, link, list, { accounts: ['checking', 'card'] });
    for (const on of [undefined, today()])
      for (const limit of [1, 3, 5, 500]) {
        const asked = on === undefined ? { limit } : { limit, on };
        const { holdings, accounts, securities, sizes } = await shownHoldings(storage, link, asked);
        expect(holdings.map(({ lots: its }) => its.length)).toEqual([2, 0, 30, 0, 3]);
        expect(accounts.map(({ account_id: id }) => id)).toEqual([
          link.accounts.get('checking'),
          link.accounts.get('card'),
        ]);
        expect(securities.size).toBe(5);
        // A holding with more lots than the limit comes alone.
        expect(sizes.filter((size) => size > limit)).toEqual(
          limit === 500 ? [] : limit === 1 ? [3, 31, 4] : limit === 3 ? [31, 4] : [31],
        );
      }
  });
});
