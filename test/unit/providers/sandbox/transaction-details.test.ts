import { Decimal } from 'decimal.js';
import { NO_DETAILS as BANK_HAS_NONE } from '../../../../simulators/sandbox-bank/details/row-details.js';
import type { SourceFault } from '../../../../domain/refresh/source-fault.js';
import { NO_DETAILS } from '../../../../domain/transactions/transaction-details.js';
import { toTransaction } from '../../../../providers/sandbox/data/fetch-transactions.js';

const faults: SourceFault[] = [];
const scope = { account: 'a1', note: (fault: SourceFault) => void faults.push(fault) };
beforeEach(() => void faults.splice(0));

const ROW = {
  transaction_id: 't1',
  account_id: 'a1',
  direction: 'OUT',
  amount: '4.50',
  currency: 'USD',
  booking_date: '2026-03-02',
  local_datetime: null,
  status: 'BOOKED',
  description: null,
  statement_text: null,
  category: null,
  ...BANK_HAS_NONE,
};
const KNOWN = {
  counterparty_name: 'Ada Landlord',
  counterparty_kind: 'PERSON',
  counterparty_iban: 'NL91ABNA0417164300',
  counterparty_bic: 'ABNANL2A',
  merchant_name: 'Shop',
  merchant_category_code: '5812',
  bank_transaction_code: 'PMNT-ICDT-ESCT',
  remittance_text: 'Rent March',
  end_to_end_id: 'E2E',
  mandate_id: 'M1',
  creditor_reference: 'RF18',
  check_number: '1042',
  original_amount: '4.10',
  original_currency: 'EUR',
  original_rate: '1.0976',
  transacted_at: '2026-03-01T08:12:00.000',
};
const row = (fields: object = {}) =>
  toTransaction({ ...ROW, ...fields }, { today: '2026-03-02', scope });

describe('The details of a row of the sandbox bank', () => {
  it('are none if the row has none', () => {
    expect(row()).toMatchObject({ details: NO_DETAILS, counterpartyNumbers: null });
    expect(faults).toEqual([]);
  });

  it('are everything that the bank sends', () => {
    expect(row(KNOWN)).toMatchObject({
      bankTransactionCode: { family: 'ICDT', subfamily: 'ESCT' },
      counterpartyNumbers: {
        iban: 'NL91ABNA0417164300',
        bic: 'ABNANL2A',
        accountNumber: null,
        bankCode: null,
      },
      details: {
        counterparty: { name: 'Ada Landlord', accountMask: '4300', kind: 'person' },
        merchant: { name: 'Shop', mcc: '5812' },
        remittance: 'Rent March',
        references: { endToEnd: 'E2E', mandate: 'M1', creditor: 'RF18', checkNumber: '1042' },
        original: { amount: new Decimal('4.1'), currency: 'EUR', rate: new Decimal('1.0976') },
        transactedAt: '2026-03-01T08:12:00.000',
      },
    });
    expect(faults).toEqual([]);
  });

  it.each(Object.keys(KNOWN))('that cannot be read at %s cost that field only', (field) => {
    expect(row({ ...KNOWN, [field]: { no: 'sense' } })).toMatchObject({
      providerTransactionId: 't1',
      amount: new Decimal('4.5'),
    });
    expect(faults).toEqual([expect.objectContaining({ scope: 'value', account: 'a1', field })]);
  });
});
