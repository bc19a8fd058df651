import {
  grantedProducts,
  offerConsent,
  questionsOf,
  type Permission,
} from '../../../../domain/session/linking-questions.js';
import {
  combineRequestedProducts,
  DEFAULT_PRODUCT_SETTINGS,
} from '../../../../domain/link/products.js';
import { DONE, NEW_LINK, ONE, RELINK, shown } from './support/permissions.js';

describe('The questions after a login (connect 3)', () => {
  it.each<[string, Permission, string[]]>([
    ['a new link', NEW_LINK, ['consent', 'select_accounts']],
    [
      'a new link with one account',
      { ...NEW_LINK, accounts: [shown('checking')] },
      ['consent', 'select_accounts'],
    ],
    ['a new link that was granted at the bank', { ...NEW_LINK, consent: 'given_at_bank' }, []],
    [
      'the same where only one account may be shared',
      { ...NEW_LINK, consent: 'given_at_bank', limits: ONE },
      ['select_accounts'],
    ],
    [
      'the same with only one account there',
      { ...NEW_LINK, consent: 'given_at_bank', limits: ONE, accounts: [shown('checking')] },
      [],
    ],
    ['a relink with a product and an account more', RELINK, ['consent', 'select_accounts']],
    [
      'a relink with an account more',
      { ...RELINK, requested: combineRequestedProducts({}) },
      ['select_accounts'],
    ],
    ['a relink with a product more', { ...DONE, requested: RELINK.requested }, ['consent']],
    [
      'a relink with a product more that the bank has not',
      { ...DONE, requested: combineRequestedProducts({ products: ['account_numbers'] }) },
      [],
    ],
    ['a relink with nothing new', DONE, []],
    [
      'a relink with nothing new, whose app wants the accounts chosen',
      { ...DONE, asksForAccounts: true },
      ['select_accounts'],
    ],
    [
      'a relink for one account that is already shared',
      { ...RELINK, limits: ONE, requested: combineRequestedProducts({}) },
      [],
    ],
    [
      'a new link that was granted at the bank, in an unknown window',
      { ...NEW_LINK, consent: 'given_at_bank', askAll: true },
      ['consent', 'select_accounts'],
    ],
    [
      'a relink with nothing new, in an unknown window',
      { ...DONE, askAll: true },
      ['consent', 'select_accounts'],
    ],
    ['a relink at a bank that asks no question', { ...RELINK, consent: 'given_at_bank' }, []],
  ])('are as expected: %s', (_, permission, questions) => {
    expect(questionsOf(permission)).toEqual(questions);
  });
});

describe('Consent', () => {
  it('has a row for each product that the bank carries, with required products locked', () => {
    expect(offerConsent(NEW_LINK, null)).toEqual([
      {
        product: 'accounts',
        reason: null,
        required: true,
        granted: true,
        locked: true,
        already_granted: false,
      },
      {
        product: 'identity',
        reason: null,
        required: false,
        granted: true,
        locked: false,
        already_granted: false,
      },
      {
        product: 'transactions',
        reason: 'show your spending',
        required: true,
        granted: true,
        locked: true,
        already_granted: false,
      },
    ]);
  });

  it('locks a product that may not be declined although it is not required (link-lifecycle 2.3)', () => {
    const requested = {
      ...NEW_LINK.requested,
      identity: { ...DEFAULT_PRODUCT_SETTINGS, require_permission: true },
    };
    expect(offerConsent({ ...NEW_LINK, requested }, [])).toContainEqual({
      product: 'identity',
      reason: null,
      required: false,
      granted: true,
      locked: true,
      already_granted: false,
    });
    expect(grantedProducts({ ...NEW_LINK, requested }, [])).toEqual([
      'accounts',
      'identity',
      'transactions',
    ]);
  });

  it('is requested again with the declined products', () => {
    expect(
      offerConsent(NEW_LINK, ['accounts', 'transactions']).map(({ product, granted }) => [
        product,
        granted,
      ]),
    ).toEqual([
      ['accounts', true],
      ['identity', false],
      ['transactions', true],
    ]);
  });

  it('of a relink shows earlier grants as locked', () => {
    expect(offerConsent(RELINK, null)).toEqual([
      {
        product: 'accounts',
        reason: null,
        required: false,
        granted: true,
        locked: true,
        already_granted: true,
      },
      {
        product: 'identity',
        reason: null,
        required: false,
        granted: true,
        locked: false,
        already_granted: false,
      },
      {
        product: 'transactions',
        reason: null,
        required: false,
        granted: true,
        locked: true,
        already_granted: true,
      },
    ]);
  });

  it('grants the chosen products and those that cannot be declined, or everything if no question is shown', () => {
    expect(grantedProducts(NEW_LINK, ['identity'])).toEqual([
      'accounts',
      'identity',
      'transactions',
    ]);
    expect(grantedProducts(NEW_LINK, [])).toEqual(['accounts', 'transactions']);
    expect(grantedProducts({ ...NEW_LINK, consent: 'given_at_bank' }, null)).toEqual([
      'accounts',
      'identity',
      'transactions',
    ]);
    expect(grantedProducts(RELINK, ['identity'])).toEqual(['identity']);
  });
});
