import { ACCOUNT_TYPES } from '../../../../domain/accounts/account-types.js';
import type { AccountRecord } from '../../../../domain/accounts/present-account.js';
import { presentAccount } from '../../../../apps/api/src/plaid/shapes/plaid-account.js';
import {
  plaidAccountType,
  expectsNumbers,
  servesNumbers,
  servesTransactions,
} from '../../../../domain/plaid/account-type.js';
import { presentNumbers } from '../../../../apps/api/src/plaid/shapes/numbers.js';
import { presentOwners, type StoredOwner } from '../../../../apps/api/src/plaid/shapes/owner.js';
import { pendingId } from '../../../../apps/api/src/plaid/shapes/pending-id.js';
import { presentTransaction } from '../../../../apps/api/src/plaid/shapes/plaid-transaction.js';
import type { StoredTransaction } from '../../../../apps/api/src/plaid/shapes/stored-transaction.js';

const ACCOUNT: AccountRecord = {
  accountId: 'acc_1',
  accountType: 'depository.checking',
  name: 'Everyday',
  nickname: 'Mine',
  mask: '1101',
  closed: false,
  missingSince: null,
  originalId: null,
  currency: 'USD',
  available: '2210.52',
  current: '-0.00',
  limit: null,
  balanceDate: null,
};

describe('Accounts (plaid-compat 3.3)', () => {
  it('have every required key, even where its value is null', () => {
    expect(presentAccount(ACCOUNT)).toEqual({
      account_id: 'acc_1',
      name: 'Everyday',
      official_name: null,
      mask: '1101',
      type: 'depository',
      subtype: 'checking',
      balances: {
        available: 2210.52,
        current: 0,
        limit: null,
        iso_currency_code: 'USD',
        unofficial_currency_code: null,
      },
    });
    expect(Object.is(presentAccount(ACCOUNT).balances.current, 0)).toBe(true);
  });

  it.each([
    ['EUR', 'EUR', null],
    ['BTC', null, 'BTC'],
  ])('show the currency %s in one of two fields', (currency, iso, unofficial) => {
    expect(presentAccount({ ...ACCOUNT, currency }).balances).toMatchObject({
      iso_currency_code: iso,
      unofficial_currency_code: unofficial,
    });
  });

  it.each([
    ['1', null],
    ['12', '12'],
    ['12345', null],
    [null, null],
  ])('show a mask %s as %s', (mask, shown) => {
    expect(presentAccount({ ...ACCOUNT, mask }).mask).toBe(shown);
  });

  it('have a known type, whatever the native type is', () => {
    const shown = Object.fromEntries(
      ACCOUNT_TYPES.map((type) => [type, Object.values(plaidAccountType(type)).join(' / ')]),
    );
    expect(shown).toMatchInlineSnapshot(`
{
  "depository.cash": "depository / cash management",
  "depository.cd": "depository / cd",
  "depository.checking": "depository / checking",
  "depository.money_market": "depository / money market",
  "depository.other": "depository / ",
  "depository.prepaid": "depository / prepaid",
  "depository.savings": "depository / savings",
  "investment.brokerage": "investment / brokerage",
  "investment.education": "investment / education savings account",
  "investment.other": "investment / other",
  "investment.retirement": "investment / retirement",
  "liability.credit_card": "credit / credit card",
  "liability.line_of_credit": "loan / line of credit",
  "liability.loan": "loan / loan",
  "liability.mortgage": "loan / mortgage",
  "liability.other": "loan / other",
  "liability.student_loan": "loan / student",
  "other.other": "other / other",
  "unknown": "other / other",
}
`);
    expect(plaidAccountType('liability.boat')).toEqual({ type: 'loan', subtype: null });
    expect(plaidAccountType('constructor')).toEqual({ type: 'other', subtype: null });
  });

  it('support transactions for depository, credit, student and other accounts', () => {
    expect(ACCOUNT_TYPES.filter(servesTransactions)).toEqual([
      ...ACCOUNT_TYPES.filter((type) => type.startsWith('depository.')),
      'liability.credit_card',
      'liability.student_loan',
      'other.other',
      'unknown',
    ]);
    expect(servesTransactions('a type of tomorrow')).toBe(true);
  });

  it('support numbers for three subtypes, and for accounts of which the source does not say what they are', () => {
    const expected = ['depository.checking', 'depository.savings', 'depository.cash'];
    expect(ACCOUNT_TYPES.filter(expectsNumbers)).toEqual(expected);
    expect(ACCOUNT_TYPES.filter(servesNumbers)).toEqual([
      ...expected,
      'depository.other',
      'other.other',
      'unknown',
    ]);
  });
});

describe('Owners (plaid-compat 3.4)', () => {
  const ADDRESS = {
    street: null,
    city: 'Springfield',
    region: null,
    postal_code: null,
    country: 'US',
  };
  const ADA: StoredOwner = {
    names: ['Ada Example'],
    addresses: [{ ...ADDRESS, primary: true }],
    phone_numbers: [
      { number: '+15550100', primary: true, type: 'mobile' },
      { number: '+15550101', type: 'pager' },
    ],
    emails: [{ address: 'ada@example.test', primary: true }],
  };
  const BOB: StoredOwner = {
    names: ['Bob Example', 'Ada Example'],
    addresses: [ADDRESS, { ...ADDRESS, city: 'Shelbyville' }],
    phone_numbers: [{ number: '+15550100', primary: true, type: 'home' }],
    emails: [{ address: 'bob@example.test', primary: true }, { address: 'ada@example.test' }],
  };

  it('are one object without duplicates, with exactly one primary entry per list', () => {
    expect(presentOwners([ADA, BOB])).toEqual([
      {
        names: ['Ada Example', 'Bob Example'],
        phone_numbers: [
          { data: '+15550100', primary: true, type: 'mobile' },
          { data: '+15550101', primary: false, type: 'other' },
        ],
        emails: [
          { data: 'ada@example.test', primary: true, type: 'primary' },
          { data: 'bob@example.test', primary: false, type: 'secondary' },
        ],
        addresses: [
          { data: { ...ADDRESS, street: '' }, primary: true },
          { data: { ...ADDRESS, street: '', city: 'Shelbyville' } },
        ],
      },
    ]);
  });

  it('are one empty object if the bank names no one', () => {
    expect(presentOwners([])).toEqual([
      { names: [], phone_numbers: [], emails: [], addresses: [] },
    ]);
  });
});

describe('Numbers (plaid-compat 6.2)', () => {
  it('are four lists over all accounts, each present', () => {
    const none = { ach: [], eft: [], bacs: [], international: [] };
    expect(presentNumbers(new Map())).toEqual(none);
    expect(
      presentNumbers(
        new Map([
          [
            'acc_1',
            {
              ...none,
              ach: [{ account_number: '0001', routing_number: '0210', wire_routing_number: null }],
              international: [{ iban: 'GB00', bic: 'TEST' }],
            },
          ],
          [
            'acc_2',
            {
              ...none,
              eft: [{ account_number: '2', institution_number: '004', branch_number: '00001' }],
              bacs: [{ account_number: '3', sort_code: '001122' }],
            },
          ],
        ]),
      ),
    ).toEqual({
      ach: [{ account_id: 'acc_1', account: '0001', routing: '0210', wire_routing: null }],
      eft: [{ account_id: 'acc_2', account: '2', institution: '004', branch: '00001' }],
      international: [{ account_id: 'acc_1', iban: 'GB00', bic: 'TEST' }],
      bacs: [{ account_id: 'acc_2', account: '3', sort_code: '001122' }],
    });
  });
});

describe('Transactions (plaid-compat 3.5)', () => {
  const ROW: StoredTransaction = {
    transaction_id: 'txn_7Zq2mXb4KcVd9RtYw3HnPs',
    account_id: 'acc_1',
    amount: 4.5,
    type: 'debit',
    currency: 'USD',
    date: '2026-03-01T00:00:00',
    datetime: '2026-03-01T09:30:00.000',
    description: null,
    raw_description: 'POS 0301',
    category: null,
    counterparty: null,
    merchant: null,
    remittance: null,
    references: null,
    transacted_at: null,
  };
  const PLAIN = { includeOriginalDescription: false, categoryVersion: 'v1' } as const;
  const PENDING = 'txn_jADYNUMYp97MKW2DfzRHgr';

  it('have an id for a pending record as the contract derives it', () => {
    expect(pendingId(ROW.transaction_id)).toBe(PENDING);
  });

  it.each([
    [
      'pending',
      { createdPending: true, posted: false },
      { transaction_id: PENDING, pending: true, pending_transaction_id: null },
    ],
    [
      'posted after it was pending',
      { createdPending: true, posted: true },
      { transaction_id: ROW.transaction_id, pending: false, pending_transaction_id: PENDING },
    ],
    [
      'born posted',
      { createdPending: false, posted: true },
      { transaction_id: ROW.transaction_id, pending: false, pending_transaction_id: null },
    ],
  ])('%s', (_, stage, ids) => {
    expect(presentTransaction(ROW, stage, PLAIN)).toMatchObject(ids);
  });

  it('show money that leaves as positive, and never as negative zero', () => {
    const amount = (fields: Partial<StoredTransaction>) =>
      presentTransaction({ ...ROW, ...fields }, { createdPending: false, posted: true }, PLAIN)
        .amount;
    expect({ debit: amount({}), credit: amount({ type: 'credit' }) }).toEqual({
      debit: 4.5,
      credit: -4.5,
    });
    expect(Object.is(amount({ type: 'credit', amount: 0 }), 0)).toBe(true);
  });

  it('take the date from the stored day, and have a datetime only if the row has one', () => {
    const shown = presentTransaction(ROW, { createdPending: false, posted: true }, PLAIN);
    expect(shown).toMatchObject({
      date: '2026-03-01',
      datetime: '2026-03-01T09:30:00.000Z',
      name: 'POS 0301',
    });
    expect(
      presentTransaction(
        { ...ROW, datetime: null, raw_description: null },
        { createdPending: false, posted: true },
        PLAIN,
      ),
    ).toMatchObject({ datetime: null, name: '' });
  });

  it('include the original description only on request', () => {
    const stage = { createdPending: false, posted: true };
    expect(presentTransaction(ROW, stage, PLAIN)).not.toHaveProperty('original_description');
    expect(
      presentTransaction(ROW, stage, { ...PLAIN, includeOriginalDescription: true }),
    ).toHaveProperty('original_description', 'POS 0301');
  });

  it('name the merchant of a purchase, which is its only counterparty, and its day', () => {
    const shown = presentTransaction(
      {
        ...ROW,
        counterparty: { name: 'Corner Cafe' },
        merchant: { name: 'Corner Cafe' },
        remittance: 'Table 4',
        transacted_at: '2026-02-28T08:12:00.000',
      },
      { createdPending: false, posted: true },
      PLAIN,
    );
    expect(shown).toMatchObject({
      merchant_name: 'Corner Cafe',
      counterparties: [
        {
          name: 'Corner Cafe',
          entity_id: null,
          type: 'merchant',
          website: null,
          logo_url: null,
          confidence_level: 'UNKNOWN',
        },
      ],
      authorized_date: '2026-02-28',
      authorized_datetime: '2026-02-28T08:12:00.000Z',
    });
    expect(Object.values(shown.payment_meta)).toEqual(Array(8).fill(null));
  });

  it.each([
    ['debit', { payee: 'Robin Vale', payer: null }],
    ['credit', { payee: null, payer: 'Robin Vale' }],
  ] as const)('describe a transfer, a %s, by its party, reference and reason', (type, parties) => {
    const shown = presentTransaction(
      {
        ...ROW,
        type,
        counterparty: { name: 'Robin Vale' },
        remittance: 'Rent March',
        references: { end_to_end: 'E2E-1', creditor: null, check_number: '1042' },
        transacted_at: '2026-02-28T00:00:00.000',
      },
      { createdPending: false, posted: true },
      PLAIN,
    );
    expect(shown).toMatchObject({
      merchant_name: null,
      check_number: '1042',
      payment_meta: { ...parties, reference_number: 'E2E-1', reason: 'Rent March' },
      authorized_date: '2026-02-28',
      authorized_datetime: null,
    });
    expect(shown).not.toHaveProperty('counterparties');
  });

  it('keep every key that has no value when serialized as JSON', () => {
    const shown = presentTransaction(ROW, { createdPending: false, posted: true }, PLAIN);
    expect(Object.keys(JSON.parse(JSON.stringify(shown)) as object)).toEqual(Object.keys(shown));
    expect(Object.keys(shown.location)).toHaveLength(8);
    expect(Object.keys(shown.payment_meta)).toHaveLength(8);
  });
});
