import { Decimal } from 'decimal.js';
import { withIds } from '../../../../providers/enable-banking/data/transaction-ids.js';
import type { RemoteRow } from '../../../../providers/enable-banking/data/to-transaction.js';

const row = (
  fields: Partial<RemoteRow['row']> = {},
  reference: string | null = null,
): RemoteRow => ({
  reference,
  row: {
    providerAccountId: 'hash',
    amount: new Decimal('2.90'),
    type: 'debit',
    currency: 'EUR',
    date: '2026-03-02',
    datetime: null,
    description: 'Tram',
    rawDescription: 'TRAM TICKET',
    pending: false,
    category: null,
    ...fields,
  },
});
const idsOf = (...rows: RemoteRow[]) =>
  withIds('hash', rows).map(({ providerTransactionId }) => providerTransactionId);

describe('The id of a row of Enable Banking', () => {
  it('is the reference of the bank, if there is one', () => {
    expect(idsOf(row({}, 'A'), row({}, 'B'))).toEqual(['hash/reference:A', 'hash/reference:B']);
  });

  it('is derived from the content and the place among equal rows, if there is none', () => {
    const [first, second, other] = idsOf(row(), row(), row({ amount: new Decimal('2.91') }));
    expect(first).toMatch(/^hash\/content:[\w-]{43}:0$/);
    expect(second).toBe(first?.replace(/0$/, '1'));
    expect(other).not.toBe(first);
  });

  it.each([
    ['amount', { amount: new Decimal('2.91') }],
    ['direction', { type: 'credit' as const }],
    ['currency', { currency: 'SEK' }],
    ['day', { date: '2026-03-03' }],
    ['description', { description: 'Bus' }],
    ['text', { rawDescription: 'BUS TICKET' }],
  ])('differs with the %s', (_what, fields) => {
    expect(idsOf(row(fields))).not.toEqual(idsOf(row()));
  });

  it('does not depend on the spelling of the amount, or on other rows', () => {
    expect(idsOf(row({ date: '2026-03-09' }), row({ amount: new Decimal('2.9') }))[1]).toBe(
      idsOf(row())[0],
    );
  });

  it('stays when a pending row is booked on its day', () => {
    expect(idsOf(row({ pending: true }))).toEqual(idsOf(row()));
  });

  it('of a booked row stays when an equal pending one appears before it', () => {
    const [booked] = idsOf(row());
    const rows = withIds('hash', [row({ pending: true }), row()]);
    const same = rows.find(({ providerTransactionId: id }) => id === booked);
    expect(same?.pending).toBe(false);
    expect(rows).toHaveLength(2);
  });

  it('is used once when two pages repeat a row', () => {
    expect(idsOf(row({}, 'A'), row({}, 'A'))).toEqual(['hash/reference:A']);
    expect(withIds('hash', [row({ pending: true }, 'A'), row({}, 'A')])).toMatchObject([
      { pending: false },
    ]);
  });

  it('is derived from the content when a bank assigns one reference to different rows', () => {
    const ids = idsOf(row({}, 'BATCH'), row({ amount: new Decimal(7) }, 'BATCH'));
    expect(new Set(ids).size).toBe(2);
    for (const id of ids) expect(id).toContain('/content:');
  });
});
