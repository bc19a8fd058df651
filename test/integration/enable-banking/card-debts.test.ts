import type { AccountFacts } from '../../../domain/accounts/account-facts.js';
import type { Provider, ProviderAccess } from '../../../providers/contract/provider.js';
import {
  accessAt,
  enableBankingFor,
  registerApplication,
} from '../../support/fixtures/enable-banking-application.js';
import { accountFacts, storedFacts } from '../../support/fixtures/account-facts.js';
import {
  startVendorSimulator,
  type TestSimulator,
} from '../../support/services/vendor-simulators.js';

const NOW = new Date('2026-11-25T10:00:00Z');

describe('The debts of the cards at a bank of Enable Banking', () => {
  let simulator: TestSimulator;
  let provider: Provider;
  let access: ProviderAccess;
  let stored: Map<string, AccountFacts>;
  beforeAll(async () => {
    simulator = await startVendorSimulator('enable-banking', { now: NOW });
    provider = enableBankingFor(await registerApplication(simulator.url), { now: () => NOW });
    access = await accessAt(provider, simulator.url, 'meridian');
    const { accounts } = await provider.fetchAccounts(access);
    stored = storedFacts(accounts);
  });
  afterAll(() => simulator.close());

  it('are their limit and balances as stored, which takes no counted call', async () => {
    const acquired: string[] = [];
    const debts = await provider.fetchLiabilities?.({
      ...access,
      accountFacts: stored,
      acquire: (quota) => Promise.resolve(void acquired.push(quota)),
    });
    const cards = [...stored].filter(
      ([, { accountType: type }]) => type === 'liability.credit_card',
    );
    expect(cards).toHaveLength(1);
    expect(debts).toMatchObject(
      cards.map(([providerAccountId, { currency, current, available, limit }]) => ({
        providerAccountId,
        kind: 'credit',
        currency,
        balance: current,
        available,
        limit,
        minimumPayment: null,
        rates: [],
      })),
    );
    expect(debts?.[0]?.limit?.gt(0)).toBe(true);
    expect(acquired).toEqual([]);
  });

  it('are of accounts that the login has, and not of loans, of which banks state no terms', async () => {
    const [[account = '', facts] = []] = stored;
    const using = {
      ...access,
      accountFacts: new Map([['gone', accountFacts('liability.credit_card')]]),
    };
    expect(await provider.fetchLiabilities?.(using)).toEqual([]);
    if (facts === undefined) throw new Error('the bank has no account');
    const loan = { ...facts, accountType: 'liability.loan' } as const;
    expect(
      await provider.fetchLiabilities?.({ ...access, accountFacts: new Map([[account, loan]]) }),
    ).toEqual([]);
  });
});
