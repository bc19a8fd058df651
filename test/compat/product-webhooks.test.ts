import { randomUUID } from 'node:crypto';
import { Decimal } from 'decimal.js';
import { NO_NUMBERS } from '../../domain/accounts/account-numbers.js';
import type { FetchedInvestmentTransaction } from '../../domain/investments/fetched-investment-transaction.js';
import type { Owner } from '../../domain/accounts/account-owner.js';
import { pendingId } from '../../apps/api/src/plaid/shapes/pending-id.js';
import { grantProducts } from '../support/services/api-in-process.js';
import { holding, investments, security } from '../support/fixtures/listed-holdings.js';
import { cardDebt, debt } from '../support/fixtures/sent-debt.js';
import { StoredItem } from '../support/fixtures/stored-item.js';
import { EVERY_DAY } from '../support/fixtures/stored-link.js';
import { trade } from '../integration/investments/support/fetched-trades.js';
import {
  announced,
  announcedBy,
  day,
  item,
  ROWS,
  service,
  WEBHOOK,
  startCauses,
} from './support/webhook-causes.js';

startCauses();

const idOf = async (providerTransactionId: string) =>
  (
    await service.api.database.prisma.transactionVersion.findFirstOrThrow({
      where: { providerTransactionId },
      orderBy: { seq: 'desc' },
    })
  ).transactionId;
const counted = (code: string, count: number) => ({
  code: `TRANSACTIONS/${code}`,
  new_transactions: count,
  error: null,
});
const sync = ({ accessToken }: StoredItem) =>
  service.plaid.transactionsSync({ access_token: accessToken });

describe('The TRANSACTIONS webhooks (plaid-compat 8.1)', () => {
  it('announce the last 30 days and the rest when one fetch covers the whole depth', async () => {
    const one = await item();
    expect(await announcedBy(one, () => one.fetchTransactions(...ROWS))).toEqual([
      counted('INITIAL_UPDATE', 2),
      counted('HISTORICAL_UPDATE', 2),
    ]);
  });

  it('announce the rest after the second fetch when more depth was requested', async () => {
    const one = await item({ transactions: { days_requested: 365 } });
    expect(await announcedBy(one, () => one.fetchTransactions(...ROWS))).toEqual([
      counted('INITIAL_UPDATE', 4),
    ]);
    await sync(one);
    expect(
      await announcedBy(one, () =>
        one.fetchTransactions(...ROWS, { providerTransactionId: 'old', date: day(200) }),
      ),
    ).toEqual([
      counted('HISTORICAL_UPDATE', 1),
      {
        code: 'TRANSACTIONS/SYNC_UPDATES_AVAILABLE',
        initial_update_complete: true,
        historical_update_complete: true,
      },
    ]);
  });

  it('announce new, posted and removed transactions of later fetches, and changes once sync was called', async () => {
    const one = await item();
    const hold = { providerTransactionId: `hold-${randomUUID()}`, pending: true };
    await one.fetchTransactions(...ROWS);
    expect(await announcedBy(one, () => one.fetchTransactions(...ROWS))).toEqual([]);
    expect(await announcedBy(one, () => one.fetchTransactions(...ROWS, hold))).toEqual([
      counted('DEFAULT_UPDATE', 1),
    ]);
    const id = await idOf(hold.providerTransactionId);
    expect(
      await announcedBy(one, () => one.fetchTransactions(...ROWS, { ...hold, pending: false })),
    ).toEqual([
      counted('DEFAULT_UPDATE', 1),
      {
        code: 'TRANSACTIONS/TRANSACTIONS_REMOVED',
        removed_transactions: [pendingId(id)],
        error: null,
      },
    ]);
    expect(await announcedBy(one, () => one.fetchTransactions(...ROWS))).toEqual([
      { code: 'TRANSACTIONS/TRANSACTIONS_REMOVED', removed_transactions: [id], error: null },
    ]);
    const grown = {
      code: 'TRANSACTIONS/SYNC_UPDATES_AVAILABLE',
      initial_update_complete: true,
      historical_update_complete: true,
    };
    await sync(one);
    expect(await announcedBy(one, () => one.fetchTransactions(...ROWS))).toEqual([]);
    const dearer = ROWS.map((row) => ({ ...row, amount: new Decimal('9.99') }));
    expect(await announcedBy(one, () => one.fetchTransactions(...dearer))).toEqual([grown]);
    expect(
      await announcedBy(one, () =>
        one.fetchTransactions(...dearer, { providerTransactionId: randomUUID() }),
      ),
    ).toEqual([counted('DEFAULT_UPDATE', 1), grown]);
  });

  it('announce transactions that an interrupted fetch stored', async () => {
    const one = await item();
    await one.fetchTransactions(...ROWS);
    const broken = await one.begin('transactions');
    const row = {
      providerAccountId: 'checking',
      amount: new Decimal('1'),
      type: 'debit' as const,
      currency: 'USD',
      date: day(0),
      datetime: null,
      description: 'x',
      rawDescription: 'x',
      pending: false,
      category: null,
    };
    await one.refresh.storeTransactions(one.linkId, broken, {
      transactions: [{ ...row, providerTransactionId: 'early' }],
      last: false,
      window: null,
      seenIds: [],
    });
    await one.refresh.failProduct(one.linkId, broken, 'transactions', 'institution_down');
    expect(
      await announcedBy(one, () =>
        one.fetchTransactions(
          ...ROWS,
          { ...row, providerTransactionId: 'early' },
          { providerTransactionId: 'late' },
        ),
      ),
    ).toEqual([counted('DEFAULT_UPDATE', 2)]);
  });

  it('exclude accounts whose transactions are not served', async () => {
    const one = await item();
    await service.api.database.prisma.account.updateMany({
      where: { link: { linkId: one.linkId }, providerAccountId: 'savings' },
      data: { accountType: 'investment.brokerage' },
    });
    expect(
      await announcedBy(one, () =>
        one.fetchTransactions(...ROWS, {
          providerTransactionId: 'share',
          providerAccountId: 'savings',
          date: day(0),
        }),
      ),
    ).toEqual([counted('INITIAL_UPDATE', 2), counted('HISTORICAL_UPDATE', 2)]);
  });

  it('wait for the exchange', async () => {
    const {
      data: { link_token: token },
    } = await service.create({ webhook: WEBHOOK });
    const { public_token: publicToken } = await service.link(token);
    const { linkId } = await service.api.database.prisma.link.findFirstOrThrow({
      orderBy: { pk: 'desc' },
    });
    await new StoredItem(service.api, linkId).fetchTransactions(...ROWS);
    expect(await announced(linkId)).toEqual([]);
    await service.plaid.itemPublicTokenExchange({ public_token: publicToken });
    expect(await announced(linkId)).toEqual([
      counted('INITIAL_UPDATE', 2),
      counted('HISTORICAL_UPDATE', 2),
    ]);
  });
});

describe('The AUTH and IDENTITY webhooks (plaid-compat 8.1)', () => {
  const ach = (accountNumber: string, routingNumber = '999000014') => ({
    ...NO_NUMBERS,
    ach: [{ accountNumber, routingNumber, wireRoutingNumber: null }],
  });
  const owner = (name: string): Owner => ({
    names: [name],
    phoneNumbers: [],
    emails: [{ address: 'henry@mail.example', primary: true }],
    addresses: [],
  });

  it('send DEFAULT_UPDATE for numbers that changed, and for accounts that had none', async () => {
    const one = await item();
    await grantProducts(service.api, one.linkId, ['account_numbers']);
    const { checking = '', savings = '' } = await one.accountIds();
    // The first numbers are not a change.
    expect(
      await announcedBy(one, () => one.fetchNumbers({ checking: ach('100020001101') })),
    ).toEqual([]);
    expect(
      await announcedBy(one, () => one.fetchNumbers({ checking: ach('100020001101') })),
    ).toEqual([]);
    expect(
      await announcedBy(one, () =>
        one.fetchNumbers({ checking: ach('100020009999'), savings: ach('100020002202') }),
      ),
    ).toEqual([
      {
        code: 'AUTH/DEFAULT_UPDATE',
        account_ids_with_new_auth: [savings],
        account_ids_with_updated_auth: { [checking]: ['ACCOUNT_NUMBER'] },
        error: null,
      },
    ]);
    const { data } = await service.plaid.authGet({ access_token: one.accessToken });
    expect(data.numbers.ach.map(({ account_id: id, account }) => [id, account])).toEqual([
      [checking, '100020009999'],
      [savings, '100020002202'],
    ]);
  });

  it('send nothing for accounts whose numbers are not served', async () => {
    const one = await item();
    await grantProducts(service.api, one.linkId, ['account_numbers']);
    await service.api.database.prisma.account.updateMany({
      where: { link: { linkId: one.linkId }, providerAccountId: 'savings' },
      data: { accountType: 'investment.brokerage' },
    });
    await one.fetchNumbers({ checking: ach('100020001101'), savings: ach('100020002202') });
    expect(
      await announcedBy(one, () =>
        one.fetchNumbers({ checking: ach('100020001101'), savings: ach('100020009999') }),
      ),
    ).toEqual([]);
  });

  it('send DEFAULT_UPDATE for owners that changed', async () => {
    const one = await item();
    await grantProducts(service.api, one.linkId, ['identity']);
    const { checking = '' } = await one.accountIds();
    expect(
      await announcedBy(one, () =>
        one.fetchOwners({ checking: [owner('Henry Hart')], savings: [owner('Henry Hart')] }),
      ),
    ).toEqual([]);
    expect(
      await announcedBy(one, () =>
        one.fetchOwners({ checking: [owner('Henry Hart-Lee')], savings: [owner('Henry Hart')] }),
      ),
    ).toEqual([
      {
        code: 'IDENTITY/DEFAULT_UPDATE',
        account_ids_with_updated_identity: { [checking]: ['NAMES'] },
        error: null,
      },
    ]);
  });
});

describe('The HOLDINGS and INVESTMENTS_TRANSACTIONS webhooks (plaid-compat 8.1)', () => {
  const holdings = (fresh: number, updated: number) => ({
    code: 'HOLDINGS/DEFAULT_UPDATE',
    new_holdings: fresh,
    updated_holdings: updated,
    error: null,
  });
  const trades = (code: string, written: number, removed: number) => ({
    code: `INVESTMENTS_TRANSACTIONS/${code}`,
    new_investments_transactions: written,
    cancelled_investments_transactions: removed,
    error: null,
  });

  it('send the history once, then only what changed', async () => {
    const one = await item();
    await grantProducts(service.api, one.linkId, ['investments']);
    const fetched = (
      held: Parameters<typeof investments>[0],
      transactions: FetchedInvestmentTransaction[],
    ) =>
      announcedBy(one, () =>
        one.fetchInvestments({
          ...investments(held, ['checking'], null),
          trades: { transactions, window: EVERY_DAY },
        }),
      );
    const [a, b] = [holding('a'), holding('b', { security: security({ symbol: 'OTHER' }) })];
    expect(await fetched([a, b], [trade('1'), trade('2', { date: '2026-03-09' })])).toEqual([
      holdings(2, 0),
      trades('HISTORICAL_UPDATE', 2, 0),
    ]);
    expect(await fetched([a, b], [trade('1'), trade('2', { date: '2026-03-09' })])).toEqual([]);
    const c = holding('c', { security: security({ symbol: 'THIRD' }) });
    const risen = holding('a', { value: '1010' });
    // One holding is new, one has another value and one has ended.
    expect(await fetched([risen, c], [trade('1')])).toEqual([
      holdings(1, 2),
      trades('DEFAULT_UPDATE', 0, 1),
    ]);
    expect(await fetched([risen, b, c], [trade('1'), trade('3', { date: '2026-04-01' })])).toEqual([
      holdings(1, 0),
      trades('DEFAULT_UPDATE', 1, 0),
    ]);
  });

  it('send the history also where there are no transactions', async () => {
    const one = await item();
    await grantProducts(service.api, one.linkId, ['investments']);
    expect(
      await announcedBy(one, () => one.fetchInvestments(investments([], ['checking'], null))),
    ).toEqual([trades('HISTORICAL_UPDATE', 0, 0)]);
  });
});

describe('The LIABILITIES webhook (plaid-compat 8.1)', () => {
  it('sends DEFAULT_UPDATE for debts that changed, and for accounts that had none', async () => {
    const one = await item();
    await grantProducts(service.api, one.linkId, ['liabilities']);
    const { checking = '', savings = '' } = await one.accountIds();
    // The first debts are not a change.
    expect(await announcedBy(one, () => one.fetchLiabilities(cardDebt('checking')))).toEqual([]);
    expect(await announcedBy(one, () => one.fetchLiabilities(cardDebt('checking')))).toEqual([]);
    const due = { dueOn: '2026-04-30', amount: null };
    expect(
      await announcedBy(one, () =>
        one.fetchLiabilities(cardDebt('checking', { nextPayment: due }), debt('savings')),
      ),
    ).toEqual([
      {
        code: 'LIABILITIES/DEFAULT_UPDATE',
        account_ids_with_new_liabilities: [savings],
        account_ids_with_updated_liabilities: { [checking]: ['next_payment_due_date'] },
        error: null,
      },
    ]);
  });
});
