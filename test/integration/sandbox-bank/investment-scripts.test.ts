// cspell:ignoreRegExp /\b[A-Z]{4,}\b/g
import { randomUUID } from 'node:crypto';
import type { HoldingsStep, LiabilityStep } from '../../../domain/sandbox/investment-script.js';
import type { ProviderAccess } from '../../../providers/contract/provider.js';
import {
  createSandboxProvider,
  type SandboxProvider,
} from '../../../providers/sandbox/sandbox-provider.js';
import { createTestDatabase } from '../../support/services/embedded-services.js';
import { bankCustomer } from './bank-customer.js';
import { connectionTo, openSandboxBank, type TestSandboxBank } from './support/sandbox-bank.js';

const BANK = 'sandbox-credentials-bank';
const NOW = new Date('2026-03-03T10:00:00Z');
const WINDOW = { from: '2026-03-03', to: '2026-03-03' };

describe('Scripts of holdings and debts at the sandbox banks', () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let bank: TestSandboxBank;
  let provider: SandboxProvider;
  let access: ProviderAccess;

  beforeAll(async () => {
    database = await createTestDatabase();
    bank = await openSandboxBank({ databaseUrl: database.url });
    provider = createSandboxProvider(connectionTo(bank));
  });
  afterAll(async () => {
    await bank.stop();
    await database.drop();
  });
  beforeEach(async () => {
    const customer = bankCustomer(provider, BANK);
    const outcome = await customer.logIn('user_good', [], {
      customerUserId: randomUUID(),
      requestedProducts: ['accounts', 'investments', 'liabilities'],
    });
    access = { ...customer.accessOf(outcome), worldTime: NOW };
  });

  const change = (...script: HoldingsStep[]) => provider.sandbox?.runHoldingsScript(access, script);
  const owe = (...script: LiabilityStep[]) =>
    provider.sandbox?.runLiabilitiesScript(access, script);
  const fetched = async () => {
    const found = await provider.fetchHoldings?.(access);
    if (found === undefined) throw new Error('No holdings');
    return found;
  };
  const holdingOf = async (symbol: string) => {
    const holding = (await fetched()).holdings.find((it) => it.security.symbol === symbol);
    if (holding?.providerHoldingId == null) throw new Error(`No holding of ${symbol}`);
    return { ...holding, id: holding.providerHoldingId };
  };
  const balanceOf = async (account: string) =>
    (await fetched()).accounts
      .find(({ providerAccountId: id }) => id === account)
      ?.balance?.toFixed(2);
  const tradesOf = async (symbol: string) =>
    (await provider.fetchInvestmentTransactions?.(access, WINDOW))?.transactions.filter(
      ({ security }) => security?.symbol === symbol,
    );

  it('set a price, which value and balance follow', async () => {
    const before = await holdingOf('EXTM');
    const balance = Number(await balanceOf(before.providerAccountId));
    expect(await change({ verb: 'set', holding_id: before.id, price: '50.00' })).toEqual({
      kind: 'done',
    });
    const after = await holdingOf('EXTM');
    expect([after.price?.toFixed(), after.value?.toFixed()]).toEqual(['50', '11000']);
    expect(await balanceOf(before.providerAccountId)).toBe(
      (balance - Number(before.value) + 11_000).toFixed(2),
    );
  });

  it('set fields of a holding and its security to null or to text, without harm to others', async () => {
    const { id } = await holdingOf('EXTM');
    const others = (await fetched()).holdings.filter((it) => it.providerHoldingId !== id);
    await change({
      verb: 'set',
      holding_id: id,
      value: null,
      price_as_of: 'yesterday',
      is_cash: true,
      security: { isin: null, name: 'Other Name', type: 'mutual_fund' },
    });
    const { holdings } = await fetched();
    expect(holdings.find((it) => it.providerHoldingId === id)).toMatchObject({
      value: null,
      priceAsOf: null,
      isCash: true,
      security: { isin: null, name: 'Other Name', type: 'mutual_fund', symbol: 'EXTM' },
    });
    expect(holdings.filter((it) => it.providerHoldingId !== id)).toEqual(others);
  });

  it('trade at a price: quantity, cash and list of trades agree', async () => {
    const { id, quantity, providerAccountId } = await holdingOf('EXSY');
    await change({ verb: 'trade', holding_id: id, quantity: '-20', price: '10', fees: '1.50' });
    expect((await holdingOf('EXSY')).quantity.toFixed()).toBe(quantity.minus(20).toFixed());
    expect(await tradesOf('EXSY')).toMatchObject([
      { type: 'sell', providerAccountId, description: 'Sold Example Systems Inc.' },
    ]);
    expect((await tradesOf('EXSY'))?.[0]?.amount?.toFixed()).toBe('198.5');
  });

  it('buy a security that the account does not have yet', async () => {
    const { providerAccountId: account_id, id } = await holdingOf('EXGXX');
    const { quantity } = await holdingOf('BTC');
    const coin = await holdingOf('BTC');
    await change({ verb: 'trade', holding_id: coin.id, quantity: quantity.negated().toFixed() });
    expect((await fetched()).holdings.map((it) => it.security.symbol)).not.toContain('BTC');
    await change({ verb: 'trade', account_id, symbol: 'BTC', quantity: '0.5', price: '40000' });
    const bought = await holdingOf('BTC');
    expect([bought.quantity.toFixed(), bought.cost.basis?.toFixed()]).toEqual(['0.5', '20000']);
    expect(id).toBe((await holdingOf('EXGXX')).id);
  });

  it('split a security without a change of its value', async () => {
    const before = await holdingOf('EXTM');
    await change({ verb: 'split', holding_id: before.id, ratio: '4' });
    const after = await holdingOf('EXTM');
    expect(after.quantity.toFixed()).toBe(before.quantity.times(4).toFixed());
    expect(after.value?.toFixed(1)).toBe(before.value?.toFixed(1));
    expect(await tradesOf('EXTM')).toMatchObject([{ type: 'split' }]);
  });

  it('pay a dividend into the cash of the account', async () => {
    const { id, providerAccountId } = await holdingOf('EXTM');
    const before = Number(await balanceOf(providerAccountId));
    await change({ verb: 'dividend', holding_id: id, amount: '30', taxes: '4.50' });
    expect(await balanceOf(providerAccountId)).toBe((before + 25.5).toFixed(2));
    expect(await tradesOf('EXTM')).toMatchObject([{ type: 'dividend' }]);
  });

  it('rename, issue ids again and drop, and find a holding by its earlier id', async () => {
    const { id } = await holdingOf('EXTM');
    await change({ verb: 'rename', holding_id: id, symbol: 'EXNEW' }, { verb: 'reissue_ids' });
    const renamed = await holdingOf('EXNEW');
    expect(renamed.id).not.toBe(id);
    await change({ verb: 'drop', holding_id: id });
    expect((await fetched()).holdings.map((it) => it.security.symbol)).not.toContain('EXNEW');
    expect(await change({ verb: 'drop', holding_id: renamed.id })).toEqual({
      kind: 'impossible',
      index: 0,
      reason: 'Holding not found.',
    });
  });

  it('change no holding when a later step is impossible', async () => {
    const { id } = await holdingOf('EXTM');
    const before = await fetched();
    expect(
      await change(
        { verb: 'set', holding_id: id, price: '1' },
        { verb: 'trade', holding_id: id, quantity: '0' },
      ),
    ).toEqual({ kind: 'impossible', index: 1, reason: 'The quantity is 0.' });
    expect(await fetched()).toEqual(before);
  });

  it('set fields of a debt to other values, to null and to text', async () => {
    const debts = async () => (await provider.fetchLiabilities?.(access)) ?? [];
    const mortgage = (await debts()).find(({ kind }) => kind === 'mortgage');
    const account_id = mortgage?.providerAccountId ?? '';
    await owe({
      verb: 'set',
      account_id,
      balance: 1234.5,
      past_due: '12.00',
      is_overdue: true,
      minimum_payment: 'soon',
      next_payment: null,
      interest_rate: { percentage: '3.1', type: 'variable' },
      principal: { original: '2000', outstanding: null },
    });
    const after = (await debts()).find((it) => it.providerAccountId === account_id);
    expect(after).toMatchObject({
      minimumPayment: null,
      nextPayment: null,
      isOverdue: true,
      interestRate: { type: 'variable' },
      principal: { outstanding: null },
    });
    expect([after?.balance, after?.pastDue, after?.interestRate?.percentage].map(String)).toEqual([
      '1234.5',
      '12',
      '3.1',
    ]);
    const { accounts } = await provider.fetchAccounts(access);
    const listed = accounts.find((it) => it.providerAccountId === account_id);
    expect(String(listed?.current)).toBe('1234.5');
    expect(await owe({ verb: 'set', account_id: 'acct_none', balance: 1 })).toEqual({
      kind: 'impossible',
      index: 0,
      reason: 'The account has no debt.',
    });
  });
});
