import { Decimal } from 'decimal.js';
import { RecurringSearchRepository } from '../../prisma/links/recurring/recurring-search.repository.js';
import type { StoredItem } from '../support/fixtures/stored-item.js';
import { row } from '../support/fixtures/stored-link.js';
import { monthsOfPayments } from './support/months-of-payments.js';
import { announced, announcedBy, item, service, startCauses } from './support/webhook-causes.js';

startCauses();

const CODE = 'TRANSACTIONS/RECURRING_TRANSACTIONS_UPDATE';
const GYM = monthsOfPayments('gym', { amount: new Decimal('19.99') });
const PAPER = monthsOfPayments('paper', { amount: new Decimal('7.50') });
const SAVED = monthsOfPayments('interest', {
  amount: new Decimal('3.10'),
  type: 'credit',
  providerAccountId: 'savings',
});

const read = async ({ accessToken }: StoredItem) =>
  (await service.plaid.transactionsRecurringGet({ access_token: accessToken })).data;
/** The accounts named by each webhook about recurring payments that `act` causes. */
const namedBy = async (one: StoredItem, act: () => Promise<unknown>) =>
  (await announcedBy(one, act))
    .filter(({ code }) => code === CODE)
    .map(({ code: _, ...fields }) => fields);

/** Stores the newest payment, without the step that follows a fetch. */
const store = ({ refresh, linkId }: StoredItem, attempt: string, { last }: { last: boolean }) =>
  refresh.storeTransactions(linkId, attempt, {
    transactions: GYM.slice(0, 1).map((fields) => row(fields.providerTransactionId, fields)),
    last,
    window: null,
    seenIds: [],
  });

describe('The RECURRING_TRANSACTIONS_UPDATE webhook (plaid-compat 8.1)', () => {
  it('is not sent before recurring payments were read, and leaves nothing searched', async () => {
    const one = await item();
    await one.fetchTransactions(...GYM);
    await one.fetchTransactions(...GYM, ...PAPER);
    expect((await announced(one.linkId)).map(({ code }) => code)).not.toContain(CODE);
    const { prisma } = service.api.database;
    expect(await prisma.recurringSearch.count({ where: { link: { linkId: one.linkId } } })).toBe(0);
  });

  it('names the accounts whose streams a later fetch changed, once', async () => {
    const one = await item();
    await one.fetchTransactions(...GYM.slice(1));
    await read(one);
    const { checking = '', savings = '' } = await one.accountIds();
    expect(await namedBy(one, () => one.fetchTransactions(...GYM))).toEqual([
      { account_ids: [checking] },
    ]);
    expect(await namedBy(one, () => one.fetchTransactions(...GYM))).toEqual([]);
    expect(await namedBy(one, () => one.fetchTransactions(...GYM, ...SAVED))).toEqual([
      { account_ids: [savings] },
    ]);
    const {
      outflow_streams: [gym],
      inflow_streams: [saved],
    } = await read(one);
    expect([gym?.account_id, saved?.account_id]).toEqual([checking, savings]);
    expect(await namedBy(one, () => one.fetchTransactions())).toEqual([
      { account_ids: [checking, savings].toSorted() },
    ]);
  });

  it('is not sent for rows that belong to no stream, and keeps the ids of streams', async () => {
    const one = await item();
    await one.fetchTransactions(...GYM);
    const { outflow_streams: before } = await read(one);
    expect(
      await namedBy(one, () =>
        one.fetchTransactions(...GYM, {
          providerTransactionId: 'shoes',
          amount: new Decimal('84.15'),
          description: 'shoes',
        }),
      ),
    ).toEqual([]);
    const { outflow_streams: after } = await read(one);
    expect(after).toEqual(before);
  });

  it('is sent for rows that an interrupted fetch stored', async () => {
    const one = await item();
    await one.fetchTransactions(...GYM.slice(1));
    await read(one);
    const interrupted = await one.begin('transactions');
    await store(one, interrupted, { last: false });
    await one.refresh.failProduct(one.linkId, interrupted, 'transactions', 'institution_down');
    const { checking } = await one.accountIds();
    expect(await namedBy(one, () => one.fetchTransactions(...GYM))).toEqual([
      { account_ids: [checking] },
    ]);
  });

  it('is not sent for a change that was read before it could be announced', async () => {
    const one = await item();
    await one.fetchTransactions(...GYM.slice(1));
    await read(one);
    await store(one, await one.begin('transactions'), { last: true });
    const searches = new RecurringSearchRepository(service.api.ctx);
    const outdated = await searches.outdated(one.linkId);
    if (outdated === null) throw new Error('the log has not grown');
    const { outflow_streams: streams } = await read(one);
    expect(await namedBy(one, () => searches.replaceAndAnnounce(outdated, []))).toEqual([]);
    expect((await read(one)).outflow_streams).toEqual(streams);
    expect(await searches.outdated(one.linkId)).toBeNull();
  });

  it('names only accounts whose transactions are served', async () => {
    const one = await item();
    await one.fetchTransactions(...GYM.slice(1));
    await read(one);
    await one.storeAccountType('investment.brokerage');
    expect(await namedBy(one, () => one.fetchTransactions(...GYM))).toEqual([]);
  });
});
