import {
  presentNumbers,
  NO_NUMBERS,
  type AccountNumbers,
} from '../../../../domain/accounts/account-numbers.js';
import { presentOwner, type Owner } from '../../../../domain/accounts/account-owner.js';
import { authWebhook, identityWebhook } from '../../../../domain/plaid/changed-data.js';

const numbers = (over: Partial<AccountNumbers>) => presentNumbers({ ...NO_NUMBERS, ...over });
const ach = (
  accountNumber: string,
  routingNumber: string,
  wireRoutingNumber: string | null = null,
) => numbers({ ach: [{ accountNumber, routingNumber, wireRoutingNumber }] });
const eft = (accountNumber: string, institutionNumber: string, branchNumber: string) =>
  numbers({ eft: [{ accountNumber, institutionNumber, branchNumber }] });
const bacs = (accountNumber: string, sortCode: string) =>
  numbers({ bacs: [{ accountNumber, sortCode }] });
const international = (iban: string, bic: string) => numbers({ international: [{ iban, bic }] });

describe('AUTH / DEFAULT_UPDATE (plaid-compat 8.1)', () => {
  it.each([
    ['the account of ACH', ach('1', 'r'), ach('2', 'r'), ['ACCOUNT_NUMBER']],
    ['the routing of ACH', ach('1', 'r'), ach('1', 's'), ['ROUTING_NUMBER']],
    ['the wire routing', ach('1', 'r'), ach('1', 'r', 'w'), ['ROUTING_NUMBER']],
    ['the account of EFT', eft('1', 'i', 'b'), eft('2', 'i', 'b'), ['ACCOUNT_NUMBER']],
    ['the branch', eft('1', 'i', 'b'), eft('1', 'i', 'c'), ['ROUTING_NUMBER']],
    ['the sort code', bacs('1', 's'), bacs('1', 't'), ['ROUTING_NUMBER']],
    ['the IBAN', international('i', 'b'), international('j', 'b'), ['ACCOUNT_NUMBER']],
    ['both', ach('1', 'r'), ach('2', 's'), ['ACCOUNT_NUMBER', 'ROUTING_NUMBER']],
    ['the scheme', ach('1', 'r'), international('i', 'b'), ['ACCOUNT_NUMBER', 'ROUTING_NUMBER']],
    ['that there is any', ach('1', 'r'), null, ['ACCOUNT_NUMBER', 'ROUTING_NUMBER']],
  ])('is sent when %s changed', (_, before, after, parts) => {
    expect(authWebhook([{ accountId: 'acc_1', before, after }])).toEqual({
      webhook_type: 'AUTH',
      webhook_code: 'DEFAULT_UPDATE',
      account_ids_with_new_auth: [],
      account_ids_with_updated_auth: { acc_1: parts },
      error: null,
    });
  });

  it('names accounts that had no numbers before, and is not sent without a change', () => {
    expect(
      authWebhook([
        { accountId: 'acc_1', before: null, after: ach('1', 'r') },
        { accountId: 'acc_2', before: ach('2', 'r'), after: ach('2', 's') },
      ]),
    ).toMatchObject({
      account_ids_with_new_auth: ['acc_1'],
      account_ids_with_updated_auth: { acc_2: ['ROUTING_NUMBER'] },
    });
    expect(authWebhook([])).toBeNull();
  });
});

describe('IDENTITY / DEFAULT_UPDATE (plaid-compat 8.1)', () => {
  const HENRY: Owner = {
    names: ['Henry Hart'],
    phoneNumbers: [{ number: '+12025550123', primary: true, type: 'home' }],
    emails: [{ address: 'henry@mail.example', primary: true }],
    addresses: [
      {
        street: '1 Main St',
        city: 'Dover',
        region: 'DE',
        postalCode: '19901',
        country: 'US',
        primary: true,
      },
    ],
  };

  it.each<[string, Owner[], string[]]>([
    ['a name', [{ ...HENRY, names: ['Henry Hart-Lee'] }], ['NAMES']],
    ['a telephone number', [{ ...HENRY, phoneNumbers: [] }], ['PHONES']],
    [
      'which e-mail address is the primary one',
      [{ ...HENRY, emails: [{ address: 'henry@mail.example', primary: false }] }],
      ['EMAILS'],
    ],
    [
      'an address',
      [
        {
          ...HENRY,
          addresses: HENRY.addresses.map((address) => ({ ...address, street: '2 Main St' })),
        },
      ],
      ['ADDRESSES'],
    ],
    [
      'the owners',
      [HENRY, { ...HENRY, phoneNumbers: [], emails: [], addresses: [], names: ['Ann Hart'] }],
      ['NAMES'],
    ],
    ['that there is any', [], ['ADDRESSES', 'EMAILS', 'NAMES', 'PHONES']],
  ])('is sent when %s changed', (_, after, parts) => {
    const changed = identityWebhook([
      { accountId: 'acc_1', before: [presentOwner(HENRY)], after: after.map(presentOwner) },
    ]);
    expect(changed).toEqual({
      webhook_type: 'IDENTITY',
      webhook_code: 'DEFAULT_UPDATE',
      account_ids_with_updated_identity: { acc_1: parts },
      error: null,
    });
  });

  it('is not sent for a change that no response shows: the owner that reports an entry', () => {
    const [whole, split] = [
      [presentOwner({ ...HENRY, names: ['Henry', 'Ann'] })],
      [
        presentOwner({ ...HENRY, names: ['Henry'] }),
        presentOwner({ names: ['Ann'], phoneNumbers: [], emails: [], addresses: [] }),
      ],
    ];
    expect(identityWebhook([{ accountId: 'acc_1', before: whole, after: split }])).toBeNull();
  });
});
