import type { AccountFacts } from '../../../../domain/accounts/account-facts.js';
import { toAspsp } from '../../../../providers/enable-banking/catalog/read-aspsps.js';
import { toInstitution } from '../../../../providers/enable-banking/catalog/list-institutions.js';
import {
  readRemoteId,
  remoteIdOf,
} from '../../../../providers/enable-banking/catalog/remote-id.js';
import { toBalances } from '../../../../providers/enable-banking/data/balances.js';
import { toAccount } from '../../../../providers/enable-banking/data/fetch-accounts.js';
import { toSessionAccounts } from '../../../../providers/enable-banking/login/session-accounts.js';
import { RemoteObject } from '../../../../providers/http/remote-object.js';
import { accountFacts } from '../../../support/fixtures/account-facts.js';
import { balance, collectFaults, faults, note } from './support/enable-banking-faults.js';

collectFaults();

const number = (fields: object = {}) => ({
  id: 'hash',
  uid: 'uid',
  iban: null,
  bban: null,
  bic: null,
  currency: 'EUR',
  ...fields,
});
const account = (
  details: object,
  current = '-240.10',
  numbers: object = {},
  known?: AccountFacts,
) =>
  toAccount(
    number(numbers),
    new RemoteObject({ cash_account_type: 'CACC', currency: 'EUR', ...details }, 'account'),
    toBalances({ balances: [balance('CLBD', current)] }, 'EUR'),
    known,
  );

describe('An account of Enable Banking', () => {
  it.each([
    ['CACC', 'depository.checking', '-240.1'],
    ['SVGS', 'depository.savings', '-240.1'],
    ['CASH', 'depository.cash', '-240.1'],
    ['CARD', 'liability.credit_card', '240.1'],
    ['LOAN', 'liability.loan', '240.1'],
    ['OTHR', 'other.other', '-240.1'],
    ['NEWX', 'unknown', '-240.1'],
  ])('of type %s is %s and, if it owes, owes a positive amount', (type, accountType, current) => {
    const translated = account({ cash_account_type: type });
    expect({ accountType: translated.accountType, current: translated.current?.toFixed() }).toEqual(
      { accountType, current },
    );
  });

  it.each([
    ['no type', { cash_account_type: null }, 'liability.credit_card', '240.1'],
    ['a type that is not text', { cash_account_type: 7 }, 'liability.credit_card', '240.1'],
    ['a new type', { cash_account_type: 'NEWX' }, 'liability.credit_card', '240.1'],
    ['another type', { cash_account_type: 'CACC' }, 'depository.checking', '-240.1'],
  ])(
    'that was a card keeps type, sign and limit with %s, unless another is stated',
    (_what, details, type, current) => {
      const limit = { credit_limit: { currency: 'EUR', amount: '5000.00' } };
      const known = accountFacts('liability.credit_card', { currency: 'EUR' });
      const read = account({ ...details, ...limit }, '-240.10', {}, known);
      expect([read.accountType, read.current?.toFixed(), read.limit?.toFixed()]).toEqual([
        type,
        current,
        type === 'liability.credit_card' ? '5000' : undefined,
      ]);
    },
  );

  it.each([
    [{ details: 'Holidays', product: 'Girokonto', name: 'Tilda Trial' }, 'Holidays'],
    [{ details: '', product: 'Girokonto', name: 'Tilda Trial' }, 'Girokonto'],
    [{ details: null, name: 'Tilda Trial' }, 'Account 3000'],
  ])('with %j is named %s, never after its holder', (details, name) => {
    expect(account(details, '1', { iban: 'DE89370400440532013000' })).toMatchObject({
      name,
      mask: '3000',
    });
  });

  it('has the limit of a card in its own currency, and none otherwise', () => {
    const limit = { credit_limit: { currency: 'EUR', amount: '5000.00' } };
    expect(account({ cash_account_type: 'CARD', ...limit }).limit?.toFixed()).toBe('5000');
    expect(account(limit).limit).toBeNull();
    const other = { credit_limit: { currency: 'USD', amount: '5000.00' } };
    expect(account({ cash_account_type: 'CARD', ...other }).limit).toBeNull();
  });

  it('has the mask of a card from its number', () => {
    const card = { account_id: { other: { identification: '4111 11** **** 1234' } } };
    expect(account({ cash_account_type: 'CARD', ...card }).mask).toBe('1234');
  });
});

const linked = (...accounts: object[]) =>
  toSessionAccounts(
    new RemoteObject(
      {
        accounts: accounts.map((fields, index) => ({
          uid: `uid-${index}`,
          identification_hash: `hash-${index}`,
          currency: 'EUR',
          cash_account_type: 'CACC',
          ...fields,
        })),
      },
      'session',
    ),
    'BANKDEFF',
    note,
  );

describe('The accounts of a session of Enable Banking', () => {
  it('have the number and the BIC of the response, or the BIC of the bank', () => {
    const iban = { account_id: { iban: 'de89 3704 0044 0532 0130 00' } };
    const bban = {
      account_id: { other: { scheme_name: 'BBAN', identification: '12345678901' } },
      account_servicer: { bic_fi: 'OTHRNOKKXXX' },
    };
    const card = { account_id: { other: { scheme_name: 'CPAN', identification: '4111***1234' } } };
    expect(linked(iban, bban, card)).toMatchObject([
      { id: 'hash-0', uid: 'uid-0', iban: 'DE89370400440532013000', bban: null, bic: 'BANKDEFF' },
      { id: 'hash-1', iban: null, bban: '12345678901', bic: 'OTHRNOKKXXX' },
      { id: 'hash-2', iban: null, bban: null },
    ]);
  });

  it('are excluded without a uid, because the vendor does not read them', () => {
    expect(linked({}, { uid: null }, { uid: undefined }).map(({ id }) => id)).toEqual(['hash-0']);
  });

  it('differ by their currency when they share a number', () => {
    const shared = { identification_hash: 'same' };
    expect(linked(shared, { ...shared, currency: 'USD' }, {}).map(({ id }) => id)).toEqual([
      'same/EUR',
      'same/USD',
      'hash-2',
    ]);
    expect(linked(shared, shared).map(({ uid }) => uid)).toEqual(['uid-0']);
  });

  it('are read without one that lacks identifying data', () => {
    expect(linked({}, { identification_hash: 7 }).map(({ id }) => id)).toEqual(['hash-0']);
    expect(faults).toMatchObject([{ scope: 'account', account: null }]);
  });
});

describe('A bank of Enable Banking', () => {
  const aspsp = (fields: object = {}) => ({
    name: 'Meridian Bank',
    country: 'DE',
    psu_types: ['business', 'personal'],
    maximum_consent_validity: 7_776_000,
    ...fields,
  });

  it('is an institution with a login by redirect', () => {
    const bank = aspsp({
      bic: 'MERIDEFFXXX',
      logo: 'https://logos.example/m.png',
      group: { name: 'Meridian Group' },
    });
    expect(toInstitution(toAspsp(bank, { account: null, note }))).toEqual({
      remoteId: 'DE/Meridian%20Bank',
      name: 'Meridian Bank',
      country: 'DE',
      url: null,
      bic: 'MERIDEFFXXX',
      routingNumbers: [],
      logoUrl: 'https://logos.example/m.png',
      color: null,
      login: 'redirect',
      products: ['accounts', 'account_numbers', 'transactions', 'liabilities'],
      otherNames: ['Meridian Group'],
      health: null,
    });
  });

  it('may lack optional fields, and keeps no invalid logo or BIC', () => {
    expect(
      toAspsp(aspsp({ bic: 'none', logo: 'http://logos.example/m.png' }), { account: null, note }),
    ).toMatchObject({
      psuTypes: ['personal', 'business'],
      psuHeaders: [],
      bic: null,
      logoUrl: null,
      group: null,
    });
  });

  it.each([
    { name: 'Banque de la Rivière', country: 'FR' },
    { name: 'A/B & C? 100%', country: 'DE' },
    { name: '../..', country: 'SE' },
    { name: 'DE/Other', country: 'FI' },
  ])('is found again by the id of %j', (bank) => {
    expect(readRemoteId(remoteIdOf(bank))).toEqual(bank);
  });

  it.each(['no-such-institution', 'DE/', 'DE/%', 'DE/a b', 'de/Bank', 'DE/A/B', ''])(
    'is not found by the invalid id %j',
    (remoteId) => {
      expect(readRemoteId(remoteId)).toBeNull();
    },
  );
});
