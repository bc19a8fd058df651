import { Decimal } from 'decimal.js';
import type { FetchedTransaction } from '../../../domain/refresh/fetched-data.js';
import { detailsOf } from '../../../domain/transactions/transaction-details.js';
import { refreshSteps } from '../../support/fixtures/refresh-steps.js';
import { attemptOf, row } from '../../support/fixtures/stored-link.js';
import { errorOf } from '../../support/services/api-client.js';
import { connectedLink } from '../../support/services/api-in-process.js';
import { apiOfFile, service, token } from '../../support/services/api-of-file.js';

apiOfFile({ RATE_LIMIT_API: 'off' });

const IBAN = 'NL91ABNA0417164300';
const RENT = row('rent', {
  category: null,
  description: 'Ada Landlord',
  bankTransactionCode: { family: 'ICDT', subfamily: 'ESCT' },
  counterpartyNumbers: { iban: IBAN, bic: 'ABNANL2A', accountNumber: null, bankCode: null },
  details: detailsOf({
    counterparty: { name: 'Ada Landlord', accountMask: '4300', kind: 'person' },
    remittance: 'Rent March',
    references: { endToEnd: 'RENT-3', mandate: null, creditor: 'RF18', checkNumber: null },
    transactedAt: '2026-02-28T00:00:00.000',
  }),
});
const COFFEE = row('coffee', {
  category: null,
  details: detailsOf({
    counterparty: { name: 'Corner Cafe', accountMask: null, kind: 'business' },
    merchant: { name: 'Corner Cafe', mcc: '5814' },
    original: { amount: new Decimal('4.10'), currency: 'EUR', rate: new Decimal('1.0976') },
    transactedAt: '2026-03-01T08:12:00.000',
  }),
});
const PLAIN = row('plain', { category: null });

type Shown = { transaction_id: string } & Record<string, unknown>;
interface Changes {
  transactions: { created: Shown[]; updated: Shown[]; removed: string[] };
  cursor: { next: string };
}

const get = async <T>(path: string): Promise<T> => {
  const response = await service.api.as(token).get(path);
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${response.text}`);
  return response.body as T;
};
const sync = (linkId: string, cursor = '') =>
  get<Changes>(`/links/${linkId}/transactions/sync?cursor=${cursor}`);

/** Stores one fetch, as the worker does. */
async function fetchRows(linkId: string, ...transactions: FetchedTransaction[]): Promise<void> {
  const refresh = refreshSteps(service.ctx);
  const { pk } = await service.database.prisma.link.findUniqueOrThrow({ where: { linkId } });
  await service.ctx.database.transaction((tx) =>
    refresh.requestProducts(tx, pk, ['transactions'], 'scheduled'),
  );
  await refresh.storeTransactions(
    linkId,
    attemptOf(await refresh.beginRun(linkId), 'transactions'),
    { transactions, last: true, window: null, seenIds: [] },
  );
}

async function linkWith(...rows: FetchedTransaction[]) {
  const linkId = await connectedLink(service, token);
  await fetchRows(linkId, ...rows);
  const { transactions, cursor } = await sync(linkId);
  const shown = (description: string) =>
    transactions.created.find((one) => one['description'] === description);
  return { linkId, shown, cursor: cursor.next, created: transactions.created };
}
const numbersOf = (linkId: string, transactionId = '') =>
  service.api.as(token).get(`/links/${linkId}/transactions/${transactionId}/numbers`);

describe('The details of a transaction', () => {
  it('are returned by every call that returns it', async () => {
    const { linkId, shown, created } = await linkWith(RENT, COFFEE);
    expect(shown('Ada Landlord')).toMatchObject({
      counterparty: { name: 'Ada Landlord', account_mask: '4300', kind: 'person' },
      merchant: null,
      remittance: 'Rent March',
      references: { end_to_end: 'RENT-3', mandate: null, creditor: 'RF18', check_number: null },
      original: null,
      transacted_at: '2026-02-28T00:00:00.000',
    });
    expect(shown('Corner Cafe')).toMatchObject({
      counterparty: { name: 'Corner Cafe', account_mask: null, kind: 'business' },
      merchant: { name: 'Corner Cafe', mcc: '5814' },
      remittance: null,
      references: null,
      original: { amount: 4.1, currency: 'EUR', rate: 1.0976 },
      transacted_at: '2026-03-01T08:12:00.000',
    });
    const listed = await get<{ transactions: Shown[] }>(
      `/links/${linkId}/transactions?start_date=1900-01-01`,
    );
    const inOrder = (rows: Shown[]) =>
      rows.toSorted((a, b) => a.transaction_id.localeCompare(b.transaction_id));
    expect(inOrder(listed.transactions)).toEqual(inOrder(created));
  });

  it('are null where the source knows nothing', async () => {
    const { created } = await linkWith(PLAIN);
    expect(created[0]).toMatchObject({
      counterparty: null,
      merchant: null,
      remittance: null,
      references: null,
      original: null,
      transacted_at: null,
      category: null,
      category_source: null,
    });
  });

  it('give it a category by codes, and say by which', async () => {
    const { shown } = await linkWith(RENT, COFFEE);
    expect(shown('Ada Landlord')).toMatchObject({
      category: 'transfers.outgoing',
      category_source: 'bank_transaction_code',
    });
    expect(shown('Corner Cafe')).toMatchObject({
      category: 'food_and_drink.fast_food',
      category_source: 'merchant_category_code',
    });
  });

  const { details } = RENT;
  const references = { endToEnd: 'RENT-4', mandate: null, creditor: 'RF18', checkNumber: null };
  it.each<[string, Partial<FetchedTransaction>]>([
    ['the text', { details: detailsOf({ ...details, remittance: 'Rent April' }) }],
    ['a reference', { details: detailsOf({ ...details, references }) }],
    ['the original amount', { details: detailsOf({ ...details, original: original('20.01') }) }],
    ['the day', { details: detailsOf({ ...details, transactedAt: '2026-02-27T00:00:00.000' }) }],
    ['the code', { bankTransactionCode: { family: 'ICDT', subfamily: 'BOOK' } }],
    ['the kind of number', { counterpartyNumbers: null }],
  ])('modify the transaction when only %s changes', async (_what, change) => {
    const { linkId, cursor, shown } = await linkWith(RENT, COFFEE);
    await fetchRows(linkId, { ...RENT, ...change }, COFFEE);
    const { transactions } = await sync(linkId, cursor);
    expect(transactions).toMatchObject({ created: [], removed: [] });
    expect(transactions.updated.map((one) => one.transaction_id)).toEqual([
      shown('Ada Landlord')?.transaction_id,
    ]);
  });
});

function original(amount: string) {
  return { amount: new Decimal(amount), currency: 'CHF', rate: null };
}

describe('The account number of a counterparty', () => {
  it('is returned by the call for numbers, and by no other', async () => {
    const { linkId, shown, created } = await linkWith(RENT, COFFEE);
    const rent = shown('Ada Landlord')?.transaction_id;
    expect((await numbersOf(linkId, rent)).body).toMatchObject({
      transaction_id: rent,
      counterparty: { iban: IBAN, bic: 'ABNANL2A', account_number: null, bank_code: null },
      link: { link_id: linkId },
    });
    expect((await numbersOf(linkId, shown('Corner Cafe')?.transaction_id)).body).toMatchObject({
      counterparty: null,
    });
    expect(JSON.stringify(created)).not.toContain(IBAN);
  });

  it('is stored sealed only, follows changes, and is erased with the link', async () => {
    const { linkId, shown } = await linkWith(RENT, COFFEE);
    const rent = shown('Ada Landlord')?.transaction_id;
    const stored = async () => {
      const { rows } = await service.database.pool.query<{ text: string; sealed: number }>(
        `SELECT string_agg(t::text, '') AS text, count(counterparty_numbers)::int AS sealed FROM transaction_versions t
          JOIN links ON links.pk = t.link_pk WHERE links.link_id = $1`,
        [linkId],
      );
      return rows[0];
    };
    const hex = Buffer.from(IBAN).toString('hex');
    expect((await stored())?.sealed).toBe(1);
    expect((await stored())?.text).not.toContain(IBAN);
    expect((await stored())?.text).not.toContain(hex);

    const other = { ...RENT.counterpartyNumbers, iban: null, accountNumber: '98765432' };
    await fetchRows(linkId, {
      ...RENT,
      counterpartyNumbers: { bic: null, bankCode: null, ...other },
    });
    expect((await numbersOf(linkId, rent)).body).toMatchObject({
      counterparty: { iban: null, account_number: '98765432' },
    });

    await service.api.as(token).delete(`/links/${linkId}`);
    expect(await stored()).toEqual({ text: null, sealed: 0 });
    expect(errorOf(await numbersOf(linkId, rent))).toMatchObject({ status: 410 });
  });

  it('is not found of an unknown transaction, nor of one of another link', async () => {
    const [one, two] = [await linkWith(RENT), await linkWith(RENT)];
    for (const id of ['txn_unknown', two.created[0]?.transaction_id])
      expect(await numbersOf(one.linkId, id)).toMatchObject({
        status: 404,
        body: {
          error_code: 'link_error.not_found',
          error_message: 'The link has no such transaction.',
        },
      });
  });

  it('requires numbers:read, which products:read includes', async () => {
    const { linkId, shown } = await linkWith(RENT);
    const path = `/links/${linkId}/transactions/${shown('Ada Landlord')?.transaction_id}/numbers`;
    for (const [scope, status] of [
      ['numbers:read', 200],
      ['products:read', 200],
      ['links:read', 401],
    ] as const) {
      const limited = await service.token('pocket-ledger', 'sandbox', scope);
      expect([scope, (await service.api.as(limited).get(path)).status]).toEqual([scope, status]);
    }
    const numbers = await service.token('pocket-ledger', 'sandbox', 'numbers:read');
    expect((await service.api.as(numbers).get(`/links/${linkId}/transactions`)).status).toBe(401);
  });
});
