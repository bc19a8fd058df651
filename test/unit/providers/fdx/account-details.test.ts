import type { Country } from '../../../../domain/institutions/countries.js';
import { RemoteObject } from '../../../../providers/http/remote-object.js';
import { toAccountNumbers } from '../../../../providers/fdx/data/fetch-account-numbers.js';
import { toOwners } from '../../../../providers/fdx/data/fetch-identity.js';
import { collectFaults, faults, scope } from './support/fdx-faults.js';

collectFaults();

describe('Payment networks of FDX', () => {
  const network = (type: string, bankId: string, identifier = '12345') => ({
    type,
    bankId,
    identifier,
    identifierType: 'ACCOUNT_NUMBER',
  });

  it('are ACH numbers, with the wire routing number of the same account', () => {
    const numbers = toAccountNumbers(
      [
        network('US_ACH', '021000021'),
        network('US_FEDWIRE', '026009593'),
        network('US_RTP', '021000021'),
      ],
      scope,
    );
    expect(numbers?.ach).toEqual([
      { accountNumber: '12345', routingNumber: '021000021', wireRoutingNumber: '026009593' },
    ]);
  });

  it.each(['000312345', '12345-003'])('are EFT numbers in Canada, written as %s', (bankId) => {
    expect(toAccountNumbers([network('CA_ACSS', bankId)], scope)?.eft).toEqual([
      { accountNumber: '12345', institutionNumber: '003', branchNumber: '12345' },
    ]);
  });

  it('are not numbers if they are unknown', () => {
    expect(toAccountNumbers([network('US_RTP', '021000021')], scope)).toBeNull();
    expect(toAccountNumbers([], scope)).toBeNull();
  });

  it('are read without the one that has a wrong number, which makes the account incomplete', () => {
    const networks = [network('US_ACH', 'abc'), network('US_ACH', '021000021')];
    expect(toAccountNumbers(networks, scope)?.ach).toMatchObject([{ routingNumber: '021000021' }]);
    expect(faults).toMatchObject([{ scope: 'account', account: 'a1', field: 'bankId' }]);
  });
});

describe('The contact of an FDX account', () => {
  const owners = (contact: object, country: Country = 'US') =>
    toOwners(new RemoteObject(contact, 'contact'), { country });

  it('belongs to the first holder, and other holders have their names', () => {
    expect(
      owners({
        holders: [
          { name: { first: 'Tilda', middle: 'M', last: 'Trial' } },
          { businessCustomer: { name: 'Trial Ltd' } },
        ],
        emails: ['tilda@example.com'],
        addresses: [{ line1: '1 Street', line2: 'Floor 2', city: 'Portland', country: 'US' }],
        telephones: [{ type: 'CELL', country: '1', number: '2025550143' }],
      }),
    ).toEqual([
      {
        names: ['Tilda M Trial'],
        emails: [{ address: 'tilda@example.com', primary: true }],
        addresses: [
          {
            street: '1 Street, Floor 2',
            city: 'Portland',
            region: null,
            postalCode: null,
            country: 'US',
            primary: true,
          },
        ],
        phoneNumbers: [{ number: '+12025550143', primary: true, type: 'mobile' }],
      },
      { names: ['Trial Ltd'], emails: [], addresses: [], phoneNumbers: [] },
    ]);
  });

  it.each<[object, Country, string]>([
    [{ number: '2025550143' }, 'US', '+12025550143'],
    [{ country: '+49', number: '30 1234567' }, 'DE', '+49301234567'],
    [{ number: '030 1234567' }, 'DE', '030 1234567'],
  ])('with the telephone %j in %s has the number %s', (telephone, country, number) => {
    expect(owners({ telephones: [telephone] }, country)[0]?.phoneNumbers).toEqual([
      { number, primary: true, type: 'other' },
    ]);
  });

  it('belongs to the primary holder, wherever it is listed, and each holder keeps its own', () => {
    const [ben, ann] = [
      { relationship: 'SECONDARY', name: { first: 'Ben' }, email: ['ben@example.com'] },
      {
        relationship: 'PRIMARY_JOINT',
        name: { first: 'Ann' },
        email: ['ann@example.com'],
        telephones: [{ type: 'HOME', country: '1', number: '2025550143' }],
        addresses: [{ line1: '1 Street' }],
      },
    ];
    const shown = owners({
      holders: [ben, ann],
      emails: ['ann@example.com', 'ben@example.com', 'account@example.com'],
      addresses: [{ line1: '1 Street' }, { line1: '2 Street' }],
      telephones: [{ type: 'CELL', country: '1', number: '2025550199' }],
    });
    expect(
      shown.map(({ names, emails, addresses, phoneNumbers }) => ({
        name: names[0],
        emails: emails.map(({ address, primary }) => [address, primary]),
        streets: addresses.map(({ street, primary }) => [street, primary]),
        phones: phoneNumbers.map(({ number, primary }) => [number, primary]),
      })),
    ).toEqual([
      { name: 'Ben', emails: [['ben@example.com', true]], streets: [], phones: [] },
      {
        name: 'Ann',
        emails: [
          ['ann@example.com', true],
          ['account@example.com', false],
        ],
        streets: [
          ['1 Street', true],
          ['2 Street', false],
        ],
        phones: [
          ['+12025550143', true],
          ['+12025550199', false],
        ],
      },
    ]);
  });

  it.each([
    ['PRIMARY', 1],
    ['PRIMARY_BORROWER', 1],
    ['PRIMARY_JOINT_TENANTS', 1],
    ['SOLE_OWNER', 1],
    ['SECONDARY', 0],
    ['FOR_BENEFIT_OF_PRIMARY', 0],
    [undefined, 0],
  ])('of the account, when the second holder is %s, belongs to holder %i', (relationship, at) => {
    const shown = owners({
      holders: [{ relationship: 'AUTHORIZED_USER' }, { relationship }],
      emails: ['account@example.com'],
    });
    expect(shown.map(({ emails }) => emails.length)).toEqual(at === 0 ? [1, 0] : [0, 1]);
  });

  it.each([[['a@example.com', 'b@example.com']], ['a@example.com']])(
    'of a holder may be the emails %j',
    (email) => {
      expect(owners({ holders: [{ email }] })[0]?.emails.map(({ address }) => address)).toEqual(
        [email].flat(),
      );
    },
  );

  it('may be empty', () => {
    expect(owners({})).toEqual([{ names: [], emails: [], addresses: [], phoneNumbers: [] }]);
  });
});
