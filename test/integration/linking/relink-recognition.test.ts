import { Decimal } from 'decimal.js';
import type { FetchedAccount, FetchedTransaction } from '../../../domain/refresh/fetched-data.js';
import { combineRequestedProducts, PRODUCTS, type Product } from '../../../domain/link/products.js';
import {
  account,
  connectedLink,
  relinkedUpToLogin,
  RENEWED,
  shown,
  TENANT,
  storeOfFile,
  store,
} from '../../support/fixtures/linking-store.js';
import { attemptOf } from '../../support/fixtures/stored-link.js';
import { representatives } from '../../support/runner/representatives.js';

storeOfFile();

const SUCCESS = shown(5, { kind: 'success' });
const ALL = combineRequestedProducts({
  productsSettings: {
    account_numbers: { prefetch: true },
    identity: { prefetch: true },
    transactions: { prefetch: true },
    investments: { prefetch: true },
    liabilities: { prefetch: true },
  },
});
const ownerOf = (...names: string[]) => ({ names, addresses: [], phoneNumbers: [], emails: [] });
const numberOf = (accountNumber: string) => ({
  ach: [{ accountNumber, routingNumber: '999000014', wireRoutingNumber: null }],
  eft: [],
  bacs: [],
  international: [],
});
const row = (
  providerTransactionId: string,
  providerAccountId: string,
  over: Partial<FetchedTransaction> = {},
): FetchedTransaction => ({
  providerTransactionId,
  providerAccountId,
  amount: new Decimal('4.50'),
  type: 'debit',
  currency: 'USD',
  date: '2026-03-01',
  datetime: null,
  description: 'Corner Cafe',
  rawDescription: 'POS 0301 CORNER CAFE',
  pending: false,
  category: null,
  ...over,
});
const WINDOW = { from: '2025-12-03', to: '2026-03-02' };

/** The data that a fetch of each product returns. */
interface Brought {
  accounts: FetchedAccount[];
  rows: FetchedTransaction[];
}

/** One run that fetches all requested products. */
async function fetchAll(linkId: string, { accounts, rows }: Brought): Promise<void> {
  const { refresh } = store;
  const run = await refresh.beginRun(linkId);
  if (run === null) throw new Error('nothing was asked for');
  const ids = accounts.map(({ providerAccountId }) => providerAccountId);
  const [first = '', second = ''] = ids;
  const storing: Record<Product, (name: string) => Promise<unknown>> = {
    accounts: (name) => refresh.storeAccounts(linkId, name, accounts),
    account_numbers: (name) =>
      refresh.storeAccountNumbers(linkId, name, [
        { providerAccountId: first, numbers: numberOf('100020001101') },
      ]),
    identity: (name) =>
      refresh.storeIdentity(
        linkId,
        name,
        [first, second].map((providerAccountId) => ({
          providerAccountId,
          owners: [ownerOf('Robin Vale'), ownerOf('Kim Lee')],
        })),
      ),
    investments: (name) =>
      refresh.storeInvestments(linkId, name, { accounts: [], holdings: [], trades: null }),
    liabilities: (name) => refresh.storeLiabilities(linkId, name, []),
    transactions: async (name) => {
      await refresh.matchTransactions(
        linkId,
        name,
        { transactions: rows, window: WINDOW },
        { postedIdsDiffer: false },
      );
      await refresh.storeTransactions(linkId, name, {
        transactions: rows,
        last: true,
        window: WINDOW,
        seenIds: [],
      });
    },
  };
  for (const { product } of run.products) await storing[product](attemptOf(run, product));
  await refresh.finishRun(linkId, run.run, { anySucceeded: true });
}

/**
 * A link with a checking account, whose number is known, and a savings account, which has none.
 * Both are owned by Robin and Kim. The link needs its owner.
 */
async function linkToRepair(): Promise<string> {
  const { linkId } = await connectedLink(store, { products: ALL });
  await fetchAll(linkId, {
    accounts: [account('checking', '1101'), account('savings', '2202')],
    rows: [row('t1', 'checking'), row('t2', 'savings', { amount: new Decimal(7) })],
  });
  await store.links.reset(TENANT, linkId);
  return linkId;
}

const CHECKING: FetchedAccount = {
  ...account('checking', '1101'),
  providerAccountId: 'reissued-1',
  identifiers: { number: '1000 2000 1101', owners: ['Kim Lee', 'ROBIN VALE'] },
};
const SAVINGS: FetchedAccount = {
  ...account('savings', '2202'),
  providerAccountId: 'reissued-2',
  identifiers: { number: null, owners: ['robin vale', 'kim lee'] },
};

const stored = async (linkId: string) =>
  store.ctx.database.prisma.link.findUniqueOrThrow({
    where: { linkId },
    include: { accounts: { orderBy: { position: 'asc' } } },
  });
const versionsOf = async (linkId: string) =>
  store.ctx.database.prisma.transactionVersion.findMany({
    where: { linkPk: (await stored(linkId)).pk },
    orderBy: { seq: 'asc' },
    select: { seq: true, transactionId: true, body: true, removed: true },
  });

describe('A relink at a bank that assigns accounts other ids', () => {
  it('keeps accounts and rows, matched by number or by type, mask and owners', async () => {
    const linkId = await linkToRepair();
    const before = { link: await stored(linkId), versions: await versionsOf(linkId) };
    const { sessionId, questions } = await relinkedUpToLogin(
      store,
      linkId,
      {},
      { ...RENEWED, accounts: [{ ...CHECKING, mask: '9999', name: 'Renamed' }, SAVINGS] },
    );
    // All accounts that are shown are already shared.
    expect(questions).toEqual([]);
    await store.questions.finishLinking(sessionId, SUCCESS);
    const after = await stored(linkId);
    expect(
      after.accounts.map(({ accountId, providerAccountId, permitted }) => ({
        accountId,
        providerAccountId,
        permitted,
      })),
    ).toEqual(
      before.link.accounts.map(({ accountId }, index) => ({
        accountId,
        providerAccountId: `reissued-${index + 1}`,
        permitted: true,
      })),
    );
    expect(after).toMatchObject({ state: 'connected', headSeq: before.link.headSeq });

    await fetchAll(linkId, {
      accounts: [{ ...CHECKING, mask: '9999', name: 'Renamed' }, SAVINGS],
      rows: [row('u1', 'reissued-1'), row('u2', 'reissued-2', { amount: new Decimal(7) })],
    });
    expect(await versionsOf(linkId)).toEqual(before.versions);
    expect(
      (await store.accounts.list(TENANT, linkId)).map(({ accountId, name, mask }) => [
        accountId,
        name,
        mask,
      ]),
    ).toEqual([
      [before.link.accounts[0]?.accountId, 'Renamed', '9999'],
      [before.link.accounts[1]?.accountId, 'savings', '2202'],
    ]);
    const numbers = await store.accounts.numbersOf(
      linkId,
      await store.accounts.list(TENANT, linkId),
    );
    expect([...numbers.keys()]).toEqual([before.link.accounts[0]?.accountId]);
  });

  const UNLIKE: readonly [what: string, accounts: FetchedAccount[]][] = [
    ['of another number', [{ ...CHECKING, identifiers: { number: '100020009999', owners: [] } }]],
    ['of other owners', [{ ...SAVINGS, identifiers: { number: null, owners: ['Robin Vale'] } }]],
    ['of the same owners and another mask', [{ ...SAVINGS, mask: '2203' }]],
    ['of the same owners and another type', [{ ...SAVINGS, accountType: 'depository.cd' }]],
    [
      'alike in name, type and mask, in another currency',
      [{ ...account('checking', '1101'), providerAccountId: 'reissued-1', currency: 'CAD' }],
    ],
    [
      'of which there are two with the same marks',
      [CHECKING, { ...CHECKING, providerAccountId: 'reissued-3' }],
    ],
  ];
  // The rule is a function, whose test has every mark: unit/domain/accounts/recognize-accounts.test.ts.
  const unlike = representatives(UNLIKE, ([what]) =>
    ['of another number', 'of other owners'].includes(what),
  );
  it.each(unlike)('treats an account as new %s', async (_, accounts) => {
    const linkId = await linkToRepair();
    const before = await stored(linkId);
    const { sessionId, questions } = await relinkedUpToLogin(
      store,
      linkId,
      {},
      { ...RENEWED, accounts },
    );
    expect(questions).toEqual(['select_accounts']);
    await store.questions.finishLinking(sessionId, SUCCESS, {
      refs: accounts.map((_account, index) => `a${index + 1}`),
    });
    const after = await stored(linkId);
    expect(
      after.accounts
        .map(({ accountId }) => accountId)
        .filter((id) => !before.accounts.some(({ accountId }) => accountId === id)),
    ).toHaveLength(accounts.length);
    expect(
      after.accounts.filter(({ providerAccountId }) =>
        ['checking', 'savings'].includes(providerAccountId),
      ),
    ).toHaveLength(2);
  });

  it('keeps an account whose number and owner are unknown, by type, mask and currency', async () => {
    const linkId = await linkToRepair();
    const before = await stored(linkId);
    const { sessionId, questions } = await relinkedUpToLogin(
      store,
      linkId,
      {},
      {
        ...RENEWED,
        accounts: [
          { ...account('checking', '1101'), providerAccountId: 'reissued-1', name: 'Renamed' },
        ],
      },
    );
    expect(questions).toEqual([]);
    await store.questions.finishLinking(sessionId, SUCCESS);
    const after = await stored(linkId);
    expect(after.matchRows).toBe(true);
    expect(
      after.accounts.map(({ accountId, providerAccountId }) => [accountId, providerAccountId]),
    ).toEqual([
      [before.accounts[0]?.accountId, 'reissued-1'],
      [before.accounts[1]?.accountId, 'savings'],
    ]);
  });

  it('trusts an id before all other data', async () => {
    const linkId = await linkToRepair();
    const before = await stored(linkId);
    const { sessionId } = await relinkedUpToLogin(
      store,
      linkId,
      {},
      {
        ...RENEWED,
        accounts: [
          {
            ...SAVINGS,
            providerAccountId: 'savings',
            identifiers: CHECKING.identifiers ?? { number: null, owners: [] },
          },
        ],
      },
    );
    await store.questions.finishLinking(sessionId, SUCCESS);
    expect(
      (await stored(linkId)).accounts.map(({ accountId, providerAccountId }) => [
        accountId,
        providerAccountId,
      ]),
    ).toEqual(
      before.accounts.map(({ accountId, providerAccountId }) => [accountId, providerAccountId]),
    );
  });

  it('omits from the response the data that only identifies accounts', async () => {
    const linkId = await linkToRepair();
    const { sessionId } = await relinkedUpToLogin(
      store,
      linkId,
      {},
      {
        ...RENEWED,
        accounts: [
          { ...CHECKING, identifiers: { number: '4815162342', owners: ['Canary Owner'] } },
        ],
      },
    );
    await store.questions.finishLinking(sessionId, SUCCESS, { refs: ['a1'] });
    const { pool } = store.ctx.database;
    const { rows: tables } = await pool.query<{ name: string }>(
      "SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public'",
    );
    for (const { name } of tables) {
      const { rows } = await pool.query(
        `SELECT 1 FROM ${name} t WHERE t::text LIKE '%4815162342%' OR t::text LIKE '%Canary Owner%'`,
      );
      expect({ name, rows: rows.length }).toEqual({ name, rows: 0 });
    }
  });
});

describe('The products requested from a bank', () => {
  it.each<[string, Product[]]>([
    ['with all products', [...PRODUCTS]],
    ['without numbers and owners', ['accounts', 'transactions']],
  ])('are the granted ones: %s', async (_, products) => {
    const { linkId } = await connectedLink(store, {
      products:
        products.length === PRODUCTS.length
          ? ALL
          : combineRequestedProducts({ products: ['transactions'] }),
    });
    const { sessionId } = await relinkedUpToLogin(store, linkId, { products: ALL });
    expect((await store.bankLogins.loginFacts(sessionId))?.relink?.products).toEqual(products);
  });
});
