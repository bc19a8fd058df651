import { RemoteObject } from '../../../providers/http/remote-object.js';
import { toAccountNumbers } from '../../../providers/sandbox/data/fetch-account-numbers.js';
import { toAccount, type Extra } from '../../../providers/sandbox/data/fetch-accounts.js';
import { toAccountOwners } from '../../../providers/sandbox/data/fetch-identity.js';
import { collectFaults, failureOf, faults, MALFORMED, scope } from './support/sandbox-faults.js';

collectFaults();

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

const translated = (remote: unknown, extras: readonly Extra[] = []) => {
  const account = new RemoteObject(remote, 'account', scope);
  return toAccount(account, account.plain('display_name', 200), extras);
};
const balances = (fields: object) => ({
  ...remoteAccount,
  balances: { ...remoteAccount.balances, ...fields },
});

describe('An account of the sandbox bank', () => {
  it('is translated with exact amounts', () => {
    const account = translated(remoteAccount);
    expect(account).toMatchObject({
      providerAccountId: 'acct_1',
      accountType: 'depository.checking',
      name: 'Everyday Checking',
      mask: '1101',
      currency: 'USD',
      limit: null,
      balanceDate: new Date('2026-03-02T10:15:30.120Z'),
    });
    expect({
      available: account.available?.toFixed(2),
      current: account.current?.toFixed(2),
    }).toEqual({ available: '2210.52', current: '2350.00' });
    expect(faults).toEqual([]);
  });

  it('includes identifying marks only on request', () => {
    const announced = {
      ...remoteAccount,
      account_number: '1000 2000-1101',
      holder_names: ['Robin Vale', 'R. Vale'],
    };
    expect(translated(announced)).not.toHaveProperty('identifiers');
    expect(translated(announced, ['numbers', 'holders']).identifiers).toEqual({
      number: '1000 2000-1101',
      owners: ['Robin Vale', 'R. Vale'],
    });
    expect(translated(announced, ['numbers']).identifiers).toEqual({
      number: '1000 2000-1101',
      owners: [],
    });
    expect(
      translated({ ...announced, account_number: null, holder_names: [] }, ['numbers', 'holders'])
        .identifiers,
    ).toEqual({ number: null, owners: [] });
  });

  it.each([
    ['account_number', 7, { number: null, owners: ['Robin Vale'] }],
    ['account_number', 'a/b', { number: null, owners: ['Robin Vale'] }],
    ['holder_names', 'Robin', { number: '10002000', owners: [] }],
    ['holder_names', [null], { number: '10002000', owners: [] }],
  ])('has no identifying mark of a %s that is %j, and reports it', (field, wrong, identifiers) => {
    const announced = {
      ...remoteAccount,
      account_number: '10002000',
      holder_names: ['Robin Vale'],
    };
    expect(translated({ ...announced, [field]: wrong }, ['numbers', 'holders'])).toMatchObject({
      identifiers,
    });
    expect(faults).toMatchObject([{ scope: 'value', account: 'acct_1', field }]);
  });

  it('of an unknown product has the type unknown', () => {
    expect(translated({ ...remoteAccount, product: 'constructor' }).accountType).toBe('unknown');
  });

  it('with a balance as a number keeps the balance', () => {
    expect(translated(balances({ current: 2350 })).current?.toFixed()).toBe('2350');
    expect(faults).toEqual([]);
  });

  it.each<[string, object, object, string]>([
    ['NaN as a balance', balances({ current: 'NaN' }), { current: null }, 'current'],
    ['an infinite balance', balances({ available: 'Infinity' }), { available: null }, 'available'],
    ['an exponent', balances({ available: '1e9' }), { available: null }, 'available'],
    ['a wrong moment', balances({ as_of: '2026-99-02T10:15:30Z' }), { balanceDate: null }, 'as_of'],
    [
      'balances that are text',
      { ...remoteAccount, balances: 'none' },
      { available: null, current: null, limit: null, balanceDate: null },
      'balances',
    ],
    [
      'a product that is a number',
      { ...remoteAccount, product: 7 },
      { accountType: 'unknown' },
      'product',
    ],
    [
      'a mask that is too long',
      { ...remoteAccount, number_last4: '11101' },
      { mask: null },
      'number_last4',
    ],
    [
      'a name that is a number',
      { ...remoteAccount, display_name: 7 },
      { name: 'Account' },
      'display_name',
    ],
  ])('with %s is kept without it, and reports it', (_, remote, kept, field) => {
    expect(translated(remote)).toMatchObject({ providerAccountId: 'acct_1', ...kept });
    expect(faults).toMatchObject([{ scope: 'value', account: 'acct_1', field }]);
  });

  it.each([
    ['null', null],
    ['a list', []],
    ['no id', { ...remoteAccount, account_id: undefined }],
    ['an empty id', { ...remoteAccount, account_id: '' }],
    ['a currency in words', { ...remoteAccount, currency: 'dollars' }],
  ])('is malformed with %s', (_, remote) => {
    expect(failureOf(() => translated(remote))).toEqual(MALFORMED);
  });
});

describe('The numbers of an account of the sandbox bank', () => {
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

describe('The owners at the sandbox bank', () => {
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
    expect(
      toAccountOwners([remote, { ...no_one, account_ids: ['acct_2', 'acct_2'] }], scope),
    ).toEqual([
      { providerAccountId: 'acct_1', owners: [robin] },
      { providerAccountId: 'acct_2', owners: [robin, unknown] },
    ]);
    expect(faults).toEqual([]);
  });

  it.each<[string, object, object, string]>([
    ['names that hold a number', { names: [7] }, { names: [] }, 'names'],
    [
      'names without end',
      { names: Array.from({ length: 51 }, () => 'Robin') },
      { names: [] },
      'names',
    ],
    ['an address in one line', { addresses: ['14 Quarry Lane, Millbrook'] }, { addresses: [] }, ''],
    [
      'an address whose place among the others is not a boolean',
      { addresses: [{ ...remote.addresses[0], primary: 'yes' }] },
      { addresses: [expect.objectContaining({ street: '14 Quarry Lane', primary: false })] },
      'primary',
    ],
    [
      'a telephone of another kind',
      { phone_numbers: [{ number: '(614) 555-0142', primary: true, type: 'fax' }] },
      { phoneNumbers: [{ number: '+16145550142', primary: true, type: 'other' }] },
      'type',
    ],
    [
      'an e-mail address with a NUL',
      { emails: [{ address: 'a\u0000b', primary: true }, remote.emails[0]] },
      { emails: [remote.emails[0]] },
      'address',
    ],
  ])('are kept without %s, which is noted', (_, change, kept, field) => {
    expect(toAccountOwners([{ ...remote, account_ids: ['acct_1'], ...change }], scope)).toEqual([
      { providerAccountId: 'acct_1', owners: [expect.objectContaining(kept)] },
    ]);
    expect(faults).toMatchObject([{ scope: 'value', field }]);
  });

  it.each([
    ['null', null],
    ['a name', 'Robin Vale'],
    ['no accounts', { ...remote, account_ids: undefined }],
    [
      'too many accounts',
      { ...remote, account_ids: Array.from({ length: 201 }, (_, index) => `acct_${index}`) },
    ],
  ])('make every account incomplete with %s, and the others are read', (_, owner) => {
    expect(toAccountOwners([owner, { ...remote, account_ids: ['acct_2'] }], scope)).toMatchObject([
      { providerAccountId: 'acct_2' },
    ]);
    expect(faults).toMatchObject([{ scope: 'account', account: null, resource: 'owner' }]);
  });
});
