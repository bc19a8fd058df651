import { toBalances } from '../../../providers/enable-banking/data/balances.js';
import { toAccount as toEnableBankingAccount } from '../../../providers/enable-banking/data/fetch-accounts.js';
import { toTransaction as toEnableBankingRow } from '../../../providers/enable-banking/data/to-transaction.js';
import { toSessionAccounts } from '../../../providers/enable-banking/login/session-accounts.js';
import { toDescriptor } from '../../../providers/fdx/data/account-descriptor.js';
import { transactionDetails as fdxDetails } from '../../../providers/fdx/data/transaction-details.js';
import { RemoteObject } from '../../../providers/http/remote-object.js';
import { toAccount as toSandboxAccount } from '../../../providers/sandbox/data/fetch-accounts.js';
import { toTransaction as toSandboxRow } from '../../../providers/sandbox/data/fetch-transactions.js';
import { currencyOf } from '../../../providers/simplefin/data/fetch-accounts.js';
import { readJson } from '../../../providers/http/read-json.js';

const scope = { account: null, note: () => undefined };
const remote = (fields: object, name = 'account') => new RemoteObject(fields, name, scope);
/** As the bodies of FDX are read. */
const lossless = (fields: object) =>
  remote(
    readJson(new TextEncoder().encode(JSON.stringify(fields)).buffer as ArrayBuffer) as object,
    'transaction',
  );

const row = (code: string) => ({
  entry_reference: '1',
  status: 'BOOK',
  booking_date: '2026-03-01',
  credit_debit_indicator: 'DBIT',
  transaction_amount: { amount: '12.50', currency: code },
  exchange_rate: {
    unit_currency: code,
    exchange_rate: '1.25',
    instructed_amount: { amount: '10.00', currency: code === 'EUR' ? 'GBP' : 'gbp' },
  },
});
const number = { id: 'hash', uid: 'uid', iban: null, bban: null, bic: null, currency: 'EUR' };
const listedBalance = (code: string) => ({
  balances: [{ balance_type: 'CLBD', balance_amount: { amount: '5', currency: code } }],
});
const session = (code: string) => ({
  accounts: ['one', 'two'].map((uid) => ({
    uid,
    identification_hash: 'hash',
    currency: uid === 'one' ? code : 'CHF',
  })),
});
const sandboxRow = (code: string) => ({
  transaction_id: 't',
  account_id: 'a',
  amount: '12.50',
  direction: 'OUT',
  currency: code,
  booking_date: '2026-03-01',
  original_amount: '10.00',
  original_currency: code,
});

/** Everything that an adapter reads a currency from, by a code in either case. */
const READINGS: Readonly<Record<string, (code: string) => unknown>> = {
  'an account of the sandbox': (code) =>
    toSandboxAccount(remote({ account_id: 'a', currency: code }), 'Account'),
  'a row of the sandbox': (code) => toSandboxRow(sandboxRow(code), { today: '2026-03-01', scope }),
  'an account of Enable Banking with its limit': (code) =>
    toEnableBankingAccount(
      number,
      remote({
        cash_account_type: 'CARD',
        currency: code,
        credit_limit: { amount: '900', currency: code },
      }),
      toBalances(listedBalance(code), 'EUR'),
    ),
  'a balance of Enable Banking where the account names no currency': (code) =>
    toBalances(listedBalance(code), null),
  'a row of Enable Banking with its exchange': (code) =>
    toEnableBankingRow(row(code), { accountId: 'a', today: '2026-03-02', scope }),
  'accounts of Enable Banking that share a number': (code) =>
    toSessionAccounts(remote(session(code), 'session'), null, () => undefined).map(({ id }) => id),
  'an account of FDX': (code) =>
    toDescriptor(remote({ accountId: 'a', currency: { currencyCode: code } }), { country: 'US' }),
  'the original amount of FDX': (code) =>
    fdxDetails(lossless({ foreignAmount: 10, foreignCurrency: code }), {
      payee: null,
      happened: null,
    }),
  'an account of SimpleFIN': (code) => currencyOf(remote({ currency: code })),
};

it.each(Object.keys(READINGS))('A currency in lower case is read as its code: %s', (name) => {
  const read = READINGS[name] ?? (() => undefined);
  const expected = read('EUR');
  expect(JSON.stringify(expected)).toContain('EUR');
  expect(read('eur')).toEqual(expected);
  expect(read('Eur')).toEqual(expected);
});
