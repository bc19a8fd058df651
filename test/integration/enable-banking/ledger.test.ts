import { Decimal } from 'decimal.js';
import type { Account } from '../../../simulators/vendors/ledger/ledger.types.js';
import type { SourceFault } from '../../../domain/refresh/source-fault.js';
import { decodeCredential } from '../../../providers/enable-banking/client/sealed.js';
import type {
  Provider,
  ProviderAccess,
  ProviderTransactionPage,
  TransactionWindow,
} from '../../../providers/contract/provider.js';
import {
  accessAt,
  enableBankingFor,
  orderError,
  readListing,
  registerApplication,
  SIMULATED_BANKS,
  type SimulatedBank,
} from '../../support/fixtures/enable-banking-application.js';
import { PRESENT_USER } from '../../support/fixtures/provider-calls.js';
import {
  startVendorSimulator,
  type TestSimulator,
} from '../../support/services/vendor-simulators.js';
import { representatives } from '../../support/runner/representatives.js';

const NOW = new Date('2026-11-25T10:00:00Z');
const TODAY = '2026-11-25';
const TWO_YEARS = { from: '2024-11-26', to: TODAY };
/** 89 days, which every bank lists. */
const RECENT = { from: '2026-08-29', to: TODAY };
const BANK_IDS = Object.keys(SIMULATED_BANKS) as SimulatedBank[];

describe('A listing through Enable Banking', () => {
  let simulator: TestSimulator;
  let provider: Provider;
  let access: ProviderAccess;
  beforeAll(async () => {
    simulator = await startVendorSimulator('enable-banking', { now: NOW });
    const application = await registerApplication(simulator.url);
    provider = enableBankingFor(application, { now: () => simulator.server.ledger.now() });
  });
  afterAll(() => simulator.close());
  beforeEach(async () => {
    await simulator.reset();
    access = await linkAt('meridian');
  });

  const linkAt = (bank: SimulatedBank) => accessAt(provider, simulator.url, bank);

  async function ledgerAccounts(bank: SimulatedBank = 'meridian'): Promise<Account[]> {
    const { customers } = await simulator.ledger();
    return customers
      .filter(({ id }) => id === 'trial')
      .flatMap(({ connections }) => connections)
      .filter(({ bankId }) => bankId === bank)
      .flatMap(({ accounts }) => accounts);
  }

  const read = (window: TransactionWindow = RECENT, using: ProviderAccess = access) =>
    readListing(provider, using, window);

  /** Rows with the fields that both sides know, in a fixed order. */
  const inOrder = (rows: string[][]): string[][] =>
    rows.toSorted((a, b) => a.join('|').localeCompare(b.join('|')));

  async function expectEqualToLedger({
    window = RECENT,
    using = access,
    bank = 'meridian' as SimulatedBank,
    without = [] as string[],
  } = {}): Promise<ProviderTransactionPage> {
    const page = await read(window, using);
    const { accounts } = await provider.fetchAccounts(using);
    const ledger = (await ledgerAccounts(bank)).filter(({ id }) => !without.includes(id));
    const nameOf = new Map(accounts.map((account) => [account.providerAccountId, account.name]));
    const ours = page.transactions.map((row) => [
      nameOf.get(row.providerAccountId) ?? 'unknown',
      row.date,
      row.type,
      row.amount.toFixed(),
      row.currency,
      row.pending ? 'pending' : 'posted',
      row.rawDescription ?? '',
      row.description ?? '',
    ]);
    const theirs = ledger.flatMap((account) =>
      account.rows
        .filter(({ day }) => day >= window.from && day <= window.to)
        .map((row) => [
          account.name,
          row.day,
          row.amount.startsWith('-') ? 'debit' : 'credit',
          new Decimal(row.amount).abs().toFixed(),
          account.currency,
          row.status,
          row.description,
          row.merchant ?? row.description,
        ]),
    );
    expect(theirs.length).toBeGreaterThan(10);
    expect(inOrder(ours)).toEqual(inOrder(theirs));
    expect(
      accounts.map(({ accountType, ...account }) => [
        account.name,
        account.mask,
        (accountType.startsWith('liability.')
          ? account.current?.neg()
          : account.current
        )?.toFixed(),
        account.available?.toFixed(),
        account.limit?.toFixed(),
      ]),
    ).toEqual(
      ledger.map(({ name, iban, mask, balances: { current, available, limit } }) => [
        name,
        iban?.slice(-4) ?? mask,
        new Decimal(current).toFixed(),
        available === null ? undefined : new Decimal(available).toFixed(),
        limit === null ? undefined : new Decimal(limit).toFixed(),
      ]),
    );
    return page;
  }

  const first = async (): Promise<Account> => {
    const [account] = await ledgerAccounts();
    if (account === undefined) throw new Error('no account');
    return account;
  };
  const idOf = async ({ name }: Account): Promise<string | undefined> =>
    (await provider.fetchAccounts(access)).accounts.find((account) => account.name === name)
      ?.providerAccountId;

  // Rows of every bank take one way; the second has pages without rows.
  it.each(representatives(BANK_IDS, (bank) => BANK_IDS.indexOf(bank) < 2))(
    'equals two years of the ledger of %s row by row after a login',
    async (bank) => {
      const using = await linkAt(bank);
      const { covered, unreported } = await expectEqualToLedger({ window: TWO_YEARS, using, bank });
      expect(covered?.to).toBe(TODAY);
      expect(unreported).toEqual([]);
    },
  );

  const SCRIPTS: readonly [name: string, params: Record<string, unknown>][] = [
    ['post_pending', {}],
    ['post_pending', { amount: '-1234567890123456.789' }],
    ['renew_ids', { from: '2026-09-01', to: '2026-11-20' }],
    ['renew_all_ids', {}],
    ['add_row', { amount: '-0.1' }],
    ['add_row', { amount: '0.2', isAnonymous: true }],
    ['late_row', { daysAgo: 40 }],
    ['late_row', { daysAgo: 40, isAnonymous: true }],
    ['withdraw_row', {}],
    ['change_balance', { current: '0.30' }],
  ];
  /** Rows with a reference and without one, ids that change, and a row that disappears. */
  const scripts = representatives(
    SCRIPTS,
    ([name, params]) =>
      ['renew_ids', 'withdraw_row', 'change_balance'].includes(name) ||
      'amount' in params ||
      (name === 'late_row' && 'isAnonymous' in params),
  );
  it.each(scripts)('equals the ledger after %s %j', async (name, params) => {
    await read();
    await simulator.script(name, { account: (await first()).id, ...params });
    const { covered } = await expectEqualToLedger();
    expect(covered).toEqual(RECENT);
  });

  it('equals the ledger when every listing has new ids, and keeps the ids of rows without any', async () => {
    await simulator.script('renew_ids_always');
    const ids = async () =>
      (await expectEqualToLedger()).transactions
        .map(({ providerTransactionId: id }) => id)
        .filter((id) => id.includes('/content:'))
        .toSorted();
    const before = await ids();
    expect(before.length).toBeGreaterThan(0);
    expect(await ids()).toEqual(before);
  });

  it('leaves an account that fails unreported, and equals the ledger of the others', async () => {
    const account = await first();
    const id = await idOf(account);
    await simulator.script('account_down', { account: account.id });
    const { unreported } = await expectEqualToLedger({ without: [account.id] });
    expect(unreported).toEqual([id]);
    expect((await provider.fetchAccounts(access)).unreported).toEqual([id]);
    await simulator.script('account_up', { account: account.id });
    expect((await expectEqualToLedger()).unreported).toEqual([]);
  });

  it.each([
    ['bank_down', { bank: 'meridian' }, 'institution_down'],
    ['end_consent', { vendor: 'enable-banking', customer: 'trial' }, 'consent_expired'],
    ['quota_hit', { vendor: 'enable-banking', customer: 'trial' }, 'rate_limited'],
  ])('fails after %s %j with %s', async (name, params, cause) => {
    await simulator.script(name, params);
    const failure = { name: 'ProviderFailure', providerCause: cause };
    await expect(provider.fetchAccounts(access)).rejects.toMatchObject(failure);
    await expect(read()).rejects.toMatchObject(failure);
  });

  it('fails with consent_expired for everything once the permission has expired', async () => {
    await simulator.advance(181 * 86_400);
    const failure = { name: 'ProviderFailure', providerCause: 'consent_expired' };
    await expect(provider.fetchAccounts(access)).rejects.toMatchObject(failure);
    await expect(provider.fetchAccountNumbers?.(access)).rejects.toMatchObject(failure);
    await expect(provider.fetchPermissionEnd?.(access)).rejects.toMatchObject(failure);
    await expect(read({ from: '2027-05-01', to: '2027-05-25' })).rejects.toMatchObject(failure);
    await provider.revoke?.(access);
  });

  it.each(['ASPSP_ACCOUNT_NOT_ACCESSIBLE', 'ASPSP_TIMEOUT', 'ASPSP_RATE_LIMIT_EXCEEDED'])(
    'continues with the other accounts after %s',
    async (code) => {
      await orderError(simulator.url, code, '/accounts/');
      const { accounts, unreported } = await provider.fetchAccounts(access);
      expect({ accounts: accounts.length, unreported: unreported.length }).toEqual({
        accounts: 2,
        unreported: 1,
      });
      await orderError(simulator.url, code, '/accounts/');
      expect((await read()).unreported).toEqual(unreported);
    },
  );

  describe('of a long history', () => {
    it('lists all rows that the bank still has minutes after the login, and covers no more', async () => {
      const early = await read(TWO_YEARS);
      await simulator.advance(4 * 60);
      const late = await read(TWO_YEARS);
      expect(late.transactions.length).toBeLessThan(early.transactions.length);
      const days = late.transactions.map(({ date }) => date).toSorted();
      // 90 days, or up to the oldest row of the account with the shortest listing.
      expect(late.covered?.from).toBe('2026-08-29');
      expect(days[0] && days[0] >= '2026-08-27').toBe(true);
      expect((await read({ from: '2024-12-01', to: '2025-12-01' })).covered).toBeNull();
    });

    it('is requested once more without days when the bank refuses the period', async () => {
      await orderError(simulator.url, 'WRONG_TRANSACTIONS_PERIOD', '/accounts/');
      const { transactions, covered, unreported } = await read();
      expect(unreported).toEqual([]);
      expect(covered).toEqual(RECENT);
      expect(transactions).toEqual((await read()).transactions);
      const queries = (await simulator.requests())
        .filter(({ path }) => path.endsWith('/transactions'))
        .map(({ query }) => query);
      expect(queries[0]).toEqual({ date_from: RECENT.from });
      expect(queries[1]).toEqual({ strategy: 'longest' });
    });

    it('covers only the days from the oldest row on, when the bank refused the period', async () => {
      await simulator.advance(4 * 60);
      await orderError(simulator.url, 'WRONG_TRANSACTIONS_PERIOD', '/accounts/', 1);
      const { covered, transactions } = await read(TWO_YEARS);
      const [account] = transactions;
      const days = transactions
        .filter(({ providerAccountId: id }) => id === account?.providerAccountId)
        .map(({ date }) => date)
        .toSorted();
      expect(covered?.from).toBe(days[0] && days[0] > RECENT.from ? days[0] : RECENT.from);
    });

    it('leaves an account unreported if its bank accepts no period at all', async () => {
      await orderError(simulator.url, 'WRONG_TRANSACTIONS_PERIOD', '/accounts/', 2);
      expect((await read()).unreported).toHaveLength(1);
    });
  });

  describe.each(['broken_json', 'wrong_shape', 'redirect', 'huge'])(
    'with %s for one account',
    (name) => {
      let faults: SourceFault[];
      let noting: ProviderAccess;
      beforeEach(() => {
        faults = [];
        noting = { ...access, note: (fault) => void faults.push(fault) };
      });

      it('lists the account without balances', async () => {
        const { accounts: before } = await provider.fetchAccounts(access);
        await simulator.script(name, { path: '/accounts/*/balances' });
        const { accounts, unreported } = await provider.fetchAccounts(noting);
        expect(unreported).toEqual([]);
        expect(accounts).toEqual([
          { ...before[0], available: null, current: null, balanceDate: null },
          ...before.slice(1),
        ]);
        expect(faults).toMatchObject([{ scope: 'value', resource: 'balance' }]);
      });

      it('keeps its rows, and reads those of the others', async () => {
        const all = await read();
        await simulator.script(name, { path: '/accounts/*/transactions' });
        const listed = await read(RECENT, noting);
        const [incomplete] = faults.map(({ account }) => account);
        expect(listed.transactions).toEqual(
          all.transactions.filter(({ providerAccountId: id }) => id !== incomplete),
        );
        expect(faults).toMatchObject([{ scope: 'account', account: expect.anything() }]);
      });
    },
  );

  it.each(['refuse', 'status_500', 'html_403'])(
    'reads the other accounts when the rows of one return %s, and does not report on that one',
    async (name) => {
      const all = await read();
      await simulator.script(name, { path: '/accounts/*/transactions' });
      const listed = await read();
      const [unreported] = listed.unreported ?? [];
      expect(listed.unreported).toHaveLength(1);
      expect(listed.transactions).toEqual(
        all.transactions.filter(({ providerAccountId: id }) => id !== unreported),
      );
    },
  );

  it.each([
    ['balances', 'refuse', 'provider_down', 2],
    ['balances', 'status_500', 'provider_down', 2],
    ['balances', 'status_429', 'rate_limited', 1],
    ['balances', 'html_403', 'provider_down', 2],
    ['details', 'html_403', 'provider_down', 2],
    ['transactions', 'refuse', 'provider_down', 2],
    ['transactions', 'html_403', 'provider_down', 2],
  ])(
    'fails as a whole when %s returns %s, for two accounts if another may work, with a message that contains no secrets',
    async (resource, name, cause, times) => {
      await simulator.script(name, { path: `/accounts/*/${resource}`, times });
      const reading = resource === 'transactions' ? read() : provider.fetchAccounts(access);
      const failure: unknown = await reading.catch((error: unknown) => error);
      expect(failure).toMatchObject({ name: 'ProviderFailure', providerCause: cause });
      const { sessionId, accounts } = decodeCredential(access.credential);
      const secrets = accounts.flatMap(({ uid, iban }) => (iban === null ? [uid] : [uid, iban]));
      for (const secret of [sessionId, PRESENT_USER.ipAddress, ...secrets])
        expect((failure as Error).message).not.toContain(secret);
    },
  );
});
