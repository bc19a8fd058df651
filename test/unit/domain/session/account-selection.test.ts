import {
  accountLimitsOf,
  awaitedAccounts,
  eligibleAccounts,
  offerAccounts,
  sharedAccounts,
  type Permission,
  type UnreadAccount,
} from '../../../../domain/session/linking-questions.js';
import { DONE, NEW_LINK, ONE, RELINK, shown } from './support/permissions.js';

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
