import { toAccountNumbers } from '../../../providers/sandbox/data/fetch-account-numbers.js';
import { toAccount } from '../../../providers/sandbox/data/fetch-accounts.js';
import { toAccountOwners } from '../../../providers/sandbox/data/fetch-identity.js';
import { toTransaction } from '../../../providers/sandbox/data/fetch-transactions.js';

const remoteAccount = {
  account_id: 'acct_1',
  product: 'CHECKING',
  display_name: 'Everyday Checking',
  number_last4: '1101',
  currency: 'USD',
  balances: {
    available: '2210.52',
    current: '2350.00',
    credit_limit: null,
    as_of: '2026-03-02T10:15:30.120Z',
  },
};

const remoteRow = {
  transaction_id: 'tx_1',
  account_id: 'acct_1',
  direction: 'OUT',
  amount: '4.50',
  currency: 'USD',
  booking_date: '2026-03-01',
  local_datetime: '2026-03-01T08:12:00.000',
  status: 'PENDING',
  description: 'Corner Cafe',
  statement_text: 'POS 0301 CORNER CAFE MILLBROOK OH',
  category: 'food_and_drink.coffee_shops',
};

const MALFORMED = expect.objectContaining({ name: 'ProviderFailure', provider_cause: 'malformed' });

function failureOf(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}

describe('an account of the sandbox bank', () => {
  it('is translated with exact amounts', () => {
    const account = toAccount(remoteAccount);
    expect(account).toMatchObject({
      providerAccountId: 'acct_1',
      accountType: 'depository.checking',
      name: 'Everyday Checking',
      mask: '1101',
      currency: 'USD',
      limit: null,
      balanceDate: new Date('2026-03-02T10:15:30.120Z'),
    });
    expect([account.available?.toFixed(2), account.current?.toFixed(2)]).toEqual([
      '2210.52',
      '2350.00',
    ]);
  });

  it('includes identifying marks only on request', () => {
    const announced = {
      ...remoteAccount,
      account_number: '1000 2000-1101',
      holder_names: ['Robin Vale', 'R. Vale'],
    };
    expect(toAccount(announced)).not.toHaveProperty('identifiers');
    expect(toAccount(announced, ['numbers', 'holders']).identifiers).toEqual({
      number: '1000 2000-1101',
      owners: ['Robin Vale', 'R. Vale'],
    });
    expect(toAccount(announced, ['numbers']).identifiers).toEqual({
      number: '1000 2000-1101',
      owners: [],
    });
    expect(
      toAccount({ ...announced, account_number: null, holder_names: [] }, ['numbers', 'holders'])
        .identifiers,
    ).toEqual({ number: null, owners: [] });
    for (const wrong of [
      { account_number: undefined },
      { account_number: 7 },
      { account_number: 'a/b' },
      { holder_names: 'Robin' },
      { holder_names: [null] },
    ]) {
      expect(
        failureOf(() => toAccount({ ...announced, ...wrong }, ['numbers', 'holders'])),
      ).toEqual(MALFORMED);
    }
  });

  it('of an unknown product has the type unknown', () => {
    expect(toAccount({ ...remoteAccount, product: 'constructor' }).accountType).toBe('unknown');
  });

  it.each([
    ['null', null],
    ['a list', []],
    ['no id', { ...remoteAccount, account_id: undefined }],
    ['an empty id', { ...remoteAccount, account_id: '' }],
    [
      'a numeric balance',
      { ...remoteAccount, balances: { ...remoteAccount.balances, current: 2350 } },
    ],
    [
      'NaN as a balance',
      { ...remoteAccount, balances: { ...remoteAccount.balances, current: 'NaN' } },
    ],
    [
      'an infinite balance',
      { ...remoteAccount, balances: { ...remoteAccount.balances, available: 'Infinity' } },
    ],
    [
      'an exponent',
      { ...remoteAccount, balances: { ...remoteAccount.balances, available: '1e9' } },
    ],
    ['no balances', { ...remoteAccount, balances: null }],
    [
      'a wrong moment',
      { ...remoteAccount, balances: { ...remoteAccount.balances, as_of: '2026-99-02T10:15:30Z' } },
    ],
    ['a currency in words', { ...remoteAccount, currency: 'dollars' }],
  ])('is malformed with %s', (_, remote) => {
    expect(failureOf(() => toAccount(remote))).toEqual(MALFORMED);
  });
});

describe('the numbers of an account of the sandbox bank', () => {
  const remote = {
    account_id: 'acct_1',
    account_number: '000100020001',
    routing_number: '999000014',
  };

  it('are American ones with their leading zeros', () => {
    expect(toAccountNumbers(remote)).toEqual({
      providerAccountId: 'acct_1',
      numbers: {
        ach: [
          { accountNumber: '000100020001', routingNumber: '999000014', wireRoutingNumber: null },
        ],
        eft: [],
        bacs: [],
        international: [],
      },
    });
  });

  it.each([
    ['no account', { account_id: null }],
    ['a number that is one', { account_number: 100020001101 }],
    ['an empty number', { account_number: '' }],
    ['a number with markup', { account_number: '<b>1</b>' }],
    ['a short routing number', { routing_number: '99900001' }],
    ['no routing number', { routing_number: undefined }],
  ])('are malformed with %s', (_, change) => {
    expect(failureOf(() => toAccountNumbers({ ...remote, ...change }))).toEqual(MALFORMED);
  });
});

describe('the owners at the sandbox bank', () => {
  const remote = {
    account_ids: ['acct_1', 'acct_2'],
    names: ['Robin Vale'],
    addresses: [
      {
        street: '14 Quarry Lane',
        city: 'Millbrook',
        region: null,
        postal_code: '43011',
        country: 'US',
        primary: true,
      },
    ],
    phone_numbers: [{ number: '(614) 555-0142', primary: true, type: 'mobile' }],
    emails: [{ address: 'robin.vale@mail.example', primary: true }],
  };
  const no_one = { ...remote, names: [], addresses: [], phone_numbers: [], emails: [] };

  it('are listed with each of their accounts', () => {
    const robin = {
      names: ['Robin Vale'],
      addresses: [
        {
          street: '14 Quarry Lane',
          city: 'Millbrook',
          region: null,
          postalCode: '43011',
          country: 'US',
          primary: true,
        },
      ],
      phoneNumbers: [{ number: '+16145550142', primary: true, type: 'mobile' }],
      emails: [{ address: 'robin.vale@mail.example', primary: true }],
    };
    const unknown = { names: [], addresses: [], phoneNumbers: [], emails: [] };
    expect(toAccountOwners([remote, { ...no_one, account_ids: ['acct_2'] }])).toEqual([
      { providerAccountId: 'acct_1', owners: [robin] },
      { providerAccountId: 'acct_2', owners: [robin, unknown] },
    ]);
  });

  it.each([
    ['null', null],
    ['a name', 'Robin Vale'],
    ['no accounts', { ...remote, account_ids: undefined }],
    ['an account twice', { ...remote, account_ids: ['acct_1', 'acct_1'] }],
    ['a name that is a number', { ...remote, names: [7] }],
    ['an empty name', { ...remote, names: [''] }],
    ['names without end', { ...remote, names: Array.from({ length: 51 }, () => 'Robin') }],
    ['an address in one line', { ...remote, addresses: ['14 Quarry Lane, Millbrook'] }],
    [
      'an address that does not say whether it is the main one',
      { ...remote, addresses: [{ ...remote.addresses[0], primary: null }] },
    ],
    [
      'a telephone of another kind',
      { ...remote, phone_numbers: [{ number: '1', primary: true, type: 'fax' }] },
    ],
    [
      'an e-mail address with a NUL',
      { ...remote, emails: [{ address: 'a\u0000b', primary: true }] },
    ],
    [
      'too many accounts',
      { ...remote, account_ids: Array.from({ length: 201 }, (_, index) => `acct_${index}`) },
    ],
  ])('are malformed with %s', (_, owner) => {
    expect(failureOf(() => toAccountOwners([owner]))).toEqual(MALFORMED);
  });
});

describe('a transaction of the sandbox bank', () => {
  it('is translated field by field', () => {
    const { amount, ...row } = toTransaction(remoteRow);
    expect(amount.toFixed(2)).toBe('4.50');
    expect(row).toEqual({
      providerTransactionId: 'tx_1',
      providerAccountId: 'acct_1',
      type: 'debit',
      currency: 'USD',
      date: '2026-03-01',
      datetime: '2026-03-01T08:12:00.000',
      description: 'Corner Cafe',
      rawDescription: 'POS 0301 CORNER CAFE MILLBROOK OH',
      pending: true,
      category: 'food_and_drink.coffee_shops',
    });
  });

  it('is a credit when money arrives, and not pending when it is booked', () => {
    expect(toTransaction({ ...remoteRow, direction: 'IN', status: 'BOOKED' })).toMatchObject({
      type: 'credit',
      pending: false,
    });
  });

  it.each([[null], ['food_and_drink.caviar'], ['__proto__.other']])(
    'has no category for %j',
    (category) => {
      expect(toTransaction({ ...remoteRow, category }).category).toBeNull();
    },
  );

  it.each([
    ['a negative amount', { amount: '-4.50' }],
    ['an amount that is a number', { amount: 4.5 }],
    ['an amount in words', { amount: 'NaN' }],
    ['no direction', { direction: 'SIDEWAYS' }],
    ['30 February', { booking_date: '2026-02-30', local_datetime: null }],
    ['a time on another day', { local_datetime: '2026-03-02T08:12:00.000' }],
    ['a time that does not exist', { local_datetime: '2026-03-01T25:12:00.000' }],
    ['an unknown status', { status: 'MAYBE' }],
    ['a NUL in its text', { description: 'a\u0000b' }],
    ['a text without end', { statement_text: 'x'.repeat(5000) }],
  ])('is malformed with %s', (_, change) => {
    const failure = failureOf(() => toTransaction({ ...remoteRow, ...change }));
    expect(failure).toEqual(MALFORMED);
  });
});
