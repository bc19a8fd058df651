import type { SourceFault } from '../../../../domain/refresh/source-fault.js';
import { NO_DETAILS } from '../../../../domain/transactions/transaction-details.js';
import { toTransaction } from '../../../../providers/simplefin/data/to-transaction.js';

const NOON = Date.parse('2026-03-02T12:00:00Z') / 1_000;
const faults: SourceFault[] = [];
const scope = { account: 'ACT-1', note: (fault: SourceFault) => void faults.push(fault) };
beforeEach(() => void faults.splice(0));
const row = (fields: object = {}) =>
  toTransaction(
    { id: 'TRN-1', posted: NOON, amount: '-12.50', description: 'SHOP 42', ...fields },
    { accountId: 'ACT-1', currency: 'USD', today: '2026-03-04', scope },
  );

describe('The details of a row of SimpleFIN', () => {
  it('are none if the row has none', () => {
    expect(row().details).toEqual(NO_DETAILS);
  });

  it('are its payee, memo, merchant code and time', () => {
    const known = { payee: 'Shop', memo: 'Table 4', mcc: '5812', transacted_at: NOON - 86_400 };
    expect(row(known)).toMatchObject({ description: 'Shop', rawDescription: 'SHOP 42' });
    expect(row(known).details).toEqual({
      ...NO_DETAILS,
      counterparty: { name: 'Shop', accountMask: null, kind: 'business' },
      merchant: { name: 'Shop', mcc: '5812' },
      remittance: 'Table 4',
      transactedAt: '2026-03-01T12:00:00.000',
    });
    expect(faults).toEqual([]);
  });

  it('do not make a shop of a payee without a merchant code', () => {
    expect(row({ payee: 'Robin Vale' }).details).toEqual({
      ...NO_DETAILS,
      counterparty: { name: 'Robin Vale', accountMask: null, kind: null },
    });
  });

  it.each(['payee', 'memo', 'mcc', 'transacted_at'])(
    'that cannot be read at %s cost that field only',
    (field) => {
      const known = { payee: 'Shop', memo: 'Table 4', mcc: '5812', transacted_at: NOON };
      expect(row({ ...known, [field]: { no: 'sense' } })).toMatchObject({
        date: '2026-03-02',
        rawDescription: 'SHOP 42',
      });
      expect(faults).toEqual([
        expect.objectContaining({ scope: 'value', account: 'ACT-1', field }),
      ]);
    },
  );
});
