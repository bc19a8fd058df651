import { Decimal } from 'decimal.js';
import type { FetchedAccount } from '../../../../domain/refresh/fetched-data.js';
import {
  accountLimitsOf,
  awaitedAccounts,
  eligibleAccounts,
  grantedProducts,
  offerAccounts,
  offerConsent,
  questionsOf,
  sharedAccounts,
  type Permission,
  type UnreadAccount,
} from '../../../../domain/session/linking-questions.js';
import {
  combineRequestedProducts,
  DEFAULT_PRODUCT_SETTINGS,
} from '../../../../domain/link/products.js';

const account = (
  providerAccountId: string,
  accountType = 'depository.checking',
): FetchedAccount => ({
  providerAccountId,
  accountType,
  name: providerAccountId,
  mask: '1101',
  currency: 'USD',
  available: new Decimal('10.50'),
  current: new Decimal('12.25'),
  limit: null,
  balanceDate: null,
});
const shown = (
  providerAccountId: string,
  { type = 'depository.checking', isPermitted = false } = {},
) => ({ account: account(providerAccountId, type), isPermitted });

const NEW_LINK: Permission = {
  consent: 'ask',
  accounts: [
    shown('checking'),
    shown('savings', { type: 'depository.savings' }),
    shown('card', { type: 'liability.credit_card' }),
  ],
  limits: { onlyOne: false, onlyDepository: false },
  requested: combineRequestedProducts({
    productsSettings: {
      transactions: { required: true, reason: 'show your spending' },
      identity: {},
      account_numbers: {},
    },
  }),
  supported: ['accounts', 'identity', 'transactions'],
  alreadyGranted: [],
  askAll: false,
};
const RELINK: Permission = {
  ...NEW_LINK,
  alreadyGranted: ['accounts', 'transactions'],
  accounts: [shown('checking', { isPermitted: true }), shown('savings')],
};
const DONE: Permission = {
  ...RELINK,
  requested: combineRequestedProducts({}),
  accounts: [shown('checking', { isPermitted: true })],
};
const ONE = { onlyOne: true, onlyDepository: false };

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

describe('The account selection', () => {
  it('checks every account the first time, and none if only one may be chosen', () => {
    const { accounts, min, max } = offerAccounts(NEW_LINK);
    expect({
      min,
      max,
      refs: accounts.map(({ ref, selected, locked }) => [ref, selected, locked]),
    }).toEqual({
      min: 1,
      max: null,
      refs: [
        ['a1', true, false],
        ['a2', true, false],
        ['a3', true, false],
      ],
    });
    expect(accounts[0]).toEqual({
      ref: 'a1',
      name: 'checking',
      account_type: 'depository.checking',
      account_mask: '1101',
      balance: 12.25,
      currency: 'USD',
      selected: true,
      locked: false,
    });
    const one = offerAccounts({ ...NEW_LINK, limits: ONE });
    expect({ max: one.max, selected: one.accounts.map(({ selected }) => selected) }).toEqual({
      max: 1,
      selected: [false, false, false],
    });
  });

  it('checks and locks accounts that were shared earlier', () => {
    expect(
      offerAccounts(RELINK).accounts.map(({ ref, selected, locked }) => [ref, selected, locked]),
    ).toEqual([
      ['a1', true, true],
      ['a2', false, false],
    ]);
  });

  it('omits accounts of other kinds if only deposits are accepted, unless they were shared earlier', () => {
    const limits = accountLimitsOf({ permit_only_depository_accounts: true });
    expect(offerAccounts({ ...NEW_LINK, limits }).accounts.map(({ ref }) => ref)).toEqual([
      'a1',
      'a2',
    ]);
    const card = shown('card', { type: 'liability.credit_card', isPermitted: true });
    expect(
      eligibleAccounts({
        ...RELINK,
        limits,
        accounts: [card, shown('other', { type: 'liability.loan' })],
      }),
    ).toEqual([card]);
    expect(
      eligibleAccounts({
        ...NEW_LINK,
        limits,
        accounts: [shown('card', { type: 'liability.credit_card' })],
      }),
    ).toEqual([]);
  });

  it('shares the chosen accounts and those shared earlier, or all if no question is shown', () => {
    expect([...sharedAccounts(NEW_LINK, ['a2'])]).toEqual(['savings']);
    expect([...sharedAccounts(RELINK, ['a2'])]).toEqual(['checking', 'savings']);
    expect([...sharedAccounts(RELINK, [])]).toEqual(['checking']);
    expect([...sharedAccounts(DONE, null)]).toEqual(['checking']);
    expect([...sharedAccounts({ ...NEW_LINK, consent: 'given_at_bank' }, null)]).toEqual([
      'checking',
      'savings',
      'card',
    ]);
    expect([...sharedAccounts({ ...RELINK, consent: 'given_at_bank' }, null)]).toEqual([
      'checking',
      'savings',
    ]);
    expect([...sharedAccounts({ ...RELINK, consent: 'given_at_bank', limits: ONE }, null)]).toEqual(
      ['checking'],
    );
  });

  describe('with accounts that the bank cannot show', () => {
    const MISSING: UnreadAccount[] = [
      { id: 'fund', name: 'Holiday Fund', standing: 'new' },
      { id: 'shared', name: 'Old Savings', standing: 'shared' },
      { id: 'declined', name: 'Card', standing: 'declined' },
      { id: 'nameless', name: null, standing: 'new' },
      { id: null, name: 'Unidentified', standing: 'new' },
    ];
    const NONE = [null, null, null, null, null];

    it.each<[string, Permission, (string | null)[], boolean]>([
      ['offers them, chosen, the first time', NEW_LINK, ['m1', null, null, null, null], true],
      ['offers them in a relink', RELINK, ['m1', null, null, null, null], false],
      [
        'only names them where one account may be chosen',
        { ...NEW_LINK, limits: { onlyOne: true, onlyDepository: false } },
        NONE,
        false,
      ],
      [
        'only names them where accounts must be depository accounts',
        { ...NEW_LINK, limits: { onlyOne: false, onlyDepository: true } },
        NONE,
        false,
      ],
      [
        'only names them where the types are filtered',
        {
          ...NEW_LINK,
          limits: { onlyOne: false, onlyDepository: false, onlyTypes: ['depository.checking'] },
        },
        NONE,
        false,
      ],
    ])('%s', (_, permission, refs, isSelected) => {
      const { missing = [] } = offerAccounts({ ...permission, missing: MISSING });
      expect(missing.map(({ ref }) => ref)).toEqual(refs);
      expect(missing.map(({ name }) => name)).toEqual(MISSING.map(({ name }) => name));
      expect(missing.map(({ selected }) => selected)).toEqual([
        isSelected,
        true,
        false,
        false,
        false,
      ]);
    });

    it('awaits the chosen ones, or all new ones if no question is shown', () => {
      const asked = { ...NEW_LINK, missing: MISSING };
      expect(awaitedAccounts(asked, ['a1', 'm1'])).toEqual(['fund']);
      expect(awaitedAccounts(asked, 'all')).toEqual(['fund']);
      expect(awaitedAccounts(asked, ['a1'])).toEqual([]);
      expect(awaitedAccounts(asked, ['a1', 'm2', 'm3', 'm4', 'm5'])).toEqual([]);
      const atBank = { ...asked, consent: 'given_at_bank' as const };
      expect(awaitedAccounts(atBank, null)).toEqual(['fund', 'nameless']);
      const nothingNew = { ...RELINK, accounts: [shown('checking', { isPermitted: true })] };
      expect(awaitedAccounts({ ...nothingNew, missing: MISSING }, null)).toEqual([]);
      expect(
        awaitedAccounts({ ...nothingNew, consent: 'given_at_bank', missing: MISSING }, null),
      ).toEqual(['fund', 'nameless']);
    });
  });
});
