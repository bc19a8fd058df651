import { Decimal } from 'decimal.js';
import type { Account } from '../../../simulators/vendors/ledger/ledger.types.js';
import type {
  Provider,
  ProviderAccess,
  ProviderTransactionPage,
  TransactionWindow,
} from '../../../providers/contract/provider.js';
import { accessWith, loginContext } from '../../support/fixtures/provider-calls.js';
import { linkAtSimplefin, simplefinAt } from '../../support/fixtures/simplefin-server.js';
import {
  startVendorSimulator,
  type TestSimulator,
} from '../../support/services/vendor-simulators.js';

const NOW = new Date('2026-11-25T10:00:00Z');
const BANKS = ['harbour', 'prairie', 'meridian'];
const LAST_90_DAYS = { from: '2026-08-28', to: '2026-11-25' };

describe('A listing through SimpleFIN', () => {
  let simulator: TestSimulator;
  let provider: Provider;
  let access: ProviderAccess;
  beforeAll(async () => {
    simulator = await startVendorSimulator('simplefin', { now: NOW });
    provider = simplefinAt(simulator.url, { now: () => NOW });
  });
  afterAll(() => simulator.close());
  beforeEach(async () => {
    await simulator.reset();
    access = await newAccess();
  });

  async function newAccess(): Promise<ProviderAccess> {
    const linked = await linkAtSimplefin(provider, loginContext({ remoteId: 'us' }), {
      origin: simulator.url,
    });
    return accessWith(linked, 'us');
  }

  /** The accounts in currencies that the customer has at banks that work. */
  async function ledgerAccounts(banks: readonly string[] = BANKS): Promise<Account[]> {
    const { customers } = await simulator.ledger();
    return customers
      .filter(({ id }) => id === 'trial')
      .flatMap(({ connections }) => connections)
      .filter(({ bankId }) => banks.includes(bankId))
      .flatMap(({ accounts }) => accounts)
      .filter(({ currency }) => /^[A-Z]{3}$/.test(currency));
  }

  async function read(
    window: TransactionWindow = LAST_90_DAYS,
    using: ProviderAccess = access,
  ): Promise<ProviderTransactionPage> {
    const pages: ProviderTransactionPage[] = [];
    for await (const page of provider.fetchTransactions?.(using, window) ?? []) pages.push(page);
    const [page] = pages;
    if (page === undefined || pages.length > 1) throw new Error('expected one page');
    return page;
  }

  /** Rows with the fields that both sides know, in a fixed order. */
  const inOrder = (rows: string[][]): string[][] =>
    rows.toSorted((a, b) => a.join('|').localeCompare(b.join('|')));

  async function expectEqualToLedger(banks?: readonly string[]): Promise<void> {
    const [{ transactions }, { accounts }, ledger] = [
      await read(),
      await provider.fetchAccounts(access),
      await ledgerAccounts(banks),
    ];
    const nameOf = new Map(accounts.map((account) => [account.providerAccountId, account.name]));
    const ours = transactions.map((row) => [
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
        .filter(({ day }) => day >= LAST_90_DAYS.from && day <= LAST_90_DAYS.to)
        .map((row) => [
          `${account.name} (${account.mask})`,
          row.day,
          row.amount.startsWith('-') ? 'debit' : 'credit',
          new Decimal(row.amount).abs().toFixed(),
          account.currency,
          row.status,
          row.description,
          row.merchant ?? row.description,
        ]),
    );
    expect(theirs.length).toBeGreaterThan(20);
    expect(inOrder(ours)).toEqual(inOrder(theirs));
    expect(inOrder(accounts.map((account) => [account.name, balanceOf(account)]))).toEqual(
      inOrder(
        ledger.map(({ name, mask, balances }) => [
          `${name} (${mask})`,
          new Decimal(balances.current).toFixed(),
        ]),
      ),
    );
  }

  /** As in the ledger, an amount owed is negative. */
  const balanceOf = ({
    accountType,
    current,
  }: {
    accountType: string;
    current: Decimal | null;
  }): string =>
    (accountType.startsWith('liability.') ? current?.neg() : current)?.toFixed() ?? 'unknown';

  it('equals the ledger row by row, without accounts that are not in a currency', async () => {
    await expectEqualToLedger();
    expect((await read()).covered).toEqual(LAST_90_DAYS);
  });

  const first = async (): Promise<Account> => {
    const account = (await ledgerAccounts()).find(({ rows }) =>
      rows.some(({ status }) => status === 'pending'),
    );
    if (account === undefined) throw new Error('no account with pending rows');
    return account;
  };

  it.each([
    ['post_pending', {}],
    ['post_pending', { amount: '-1234567890123456.789' }],
    ['renew_ids', { from: '2026-09-01', to: '2026-11-20' }],
    ['renew_all_ids', {}],
    ['add_row', { amount: '-0.1' }],
    ['late_row', { daysAgo: 40 }],
    ['withdraw_row', {}],
    ['change_balance', { current: '0.30' }],
  ])('equals the ledger after %s %j', async (name, params) => {
    await read();
    await simulator.script(name, { account: (await first()).id, ...params });
    await expectEqualToLedger();
  });

  it('equals the ledger of the other banks while one is down, whose accounts are unreported', async () => {
    const listed = (await provider.fetchAccounts(access)).accounts;
    const known = { ...access, knownAccounts: listed.map((account) => account.providerAccountId) };
    await simulator.script('bank_down', { bank: 'harbour' });
    const atHarbour = (await ledgerAccounts(['harbour'])).map(({ name }) => name);
    const expected = listed
      .filter(({ name }) => atHarbour.some((their) => name.startsWith(`${their} (`)))
      .map((account) => account.providerAccountId);
    expect(expected).toHaveLength(4);

    await expectEqualToLedger(['prairie', 'meridian']);
    expect((await provider.fetchAccounts(known)).unreported.toSorted()).toEqual(
      expected.toSorted(),
    );
    expect((await read(LAST_90_DAYS, known)).unreported?.toSorted()).toEqual(expected.toSorted());

    await simulator.script('bank_up', { bank: 'harbour' });
    await expectEqualToLedger();
    expect((await provider.fetchAccounts(known)).unreported).toEqual([]);
    expect((await read(LAST_90_DAYS, known)).unreported).toEqual([]);
  });

  it('leaves the rows of one failed account unreported, while the account keeps its balance', async () => {
    const account = await first();
    await simulator.script('account_down', { account: account.id });
    const { accounts, unreported } = await provider.fetchAccounts(access);
    const ours = accounts.find(({ name }) => name === `${account.name} (${account.mask})`);
    expect(unreported).toEqual([]);
    expect((await read()).unreported).toEqual([ours?.providerAccountId]);
  });

  it('fails with institution_down when every bank is down', async () => {
    for (const bank of BANKS) await simulator.script('bank_down', { bank });
    await expect(read()).rejects.toMatchObject({ providerCause: 'institution_down' });
    await expect(provider.fetchAccounts(access)).rejects.toMatchObject({
      providerCause: 'institution_down',
    });
  });

  it.each([
    ['end_consent', { vendor: 'simplefin', customer: 'trial' }, 'consent_expired'],
    ['quota_hit', { vendor: 'simplefin', customer: 'trial' }, 'rate_limited'],
    ['html_403', {}, 'provider_down'],
    ['redirect', {}, 'malformed'],
    ['broken_json', {}, 'malformed'],
    ['huge', {}, 'malformed'],
  ])('fails after %s with %j as %s', async (name, params, cause) => {
    await simulator.script(name, params);
    const failure: unknown = await provider.fetchAccounts(access).catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: 'ProviderFailure', providerCause: cause });
    const { username, password, host } = new URL(new TextDecoder().decode(access.credential));
    for (const secret of [username, password, host])
      expect((failure as Error).message).not.toContain(secret);
  });

  it('fails with user_action_required while the user owes the server money', async () => {
    await fetch(`${simulator.url}/simulator/simplefin/payment`, {
      method: 'POST',
      body: JSON.stringify({ customer: 'trial', owes: true }),
    });
    await expect(read()).rejects.toMatchObject({ providerCause: 'user_action_required' });
  });

  it('fails with no_accounts for a user without banks', async () => {
    const linked = await linkAtSimplefin(provider, loginContext({ remoteId: 'us' }), {
      origin: simulator.url,
      customer: 'empty',
    });
    await expect(provider.fetchAccounts(accessWith(linked, 'us'))).rejects.toMatchObject({
      providerCause: 'no_accounts',
    });
  });

  it('uses the quota before each request, requests 44 days at a time, and includes pending only for rows', async () => {
    const acquired: string[] = [];
    const counted: ProviderAccess = {
      ...access,
      acquire: async (quota) => {
        const { length } = (await simulator.requests()).filter(({ path }) =>
          path.endsWith('/accounts'),
        );
        expect(length).toBe(acquired.length);
        acquired.push(quota);
      },
    };
    await provider.fetchAccounts(counted);
    await read(LAST_90_DAYS, counted);
    expect(acquired).toEqual(['requests', 'requests', 'requests', 'requests']);
    const epoch = (day: string): string => String(Date.parse(`${day}T00:00:00Z`) / 1_000);
    const queries = (await simulator.requests())
      .filter(({ path }) => path.endsWith('/accounts'))
      .map(({ query }) => query);
    expect(queries).toEqual([
      { version: '2', 'balances-only': '1' },
      ...[
        ['2026-08-28', '2026-10-11'],
        ['2026-10-11', '2026-11-24'],
        // Rows that are posted ahead have no end.
        ['2026-11-24', null],
      ].map(([start, end]) => ({
        version: '2',
        pending: '1',
        'start-date': epoch(start ?? ''),
        ...(end == null ? {} : { 'end-date': epoch(end) }),
      })),
    ]);
  });

  it('makes no request when the quota is used up', async () => {
    const exhausted = new Error('exhausted');
    const before = (await simulator.requests()).length;
    const refused = { ...access, acquire: () => Promise.reject(exhausted) };
    await expect(provider.fetchAccounts(refused)).rejects.toBe(exhausted);
    expect(await simulator.requests()).toHaveLength(before);
  });

  it('covers no day of a long history before the oldest row that the server still has', async () => {
    const { covered, transactions } = await read({ from: '2024-01-01', to: '2026-11-25' });
    const days = transactions.map(({ date }) => date).toSorted();
    expect(covered).toEqual({ from: days[0], to: '2026-11-25' });
    expect(days[0]?.slice(0, 7)).toBe('2025-11');

    const tooOld = await read({ from: '2024-01-01', to: '2024-12-31' });
    expect(tooOld).toMatchObject({ transactions: [], covered: null });
  });
});
