import {
  normalizeAccountNumber,
  accountNumberOf,
  normalizeOwnerNames,
} from '../../../../domain/accounts/account-identifiers.js';
import {
  recognizeAccounts,
  type ComparableAccount,
} from '../../../../domain/accounts/recognize-accounts.js';

type Named = ComparableAccount & { name: string };

const account = (name: string, over: Partial<Named> = {}): Named => ({
  name,
  providerAccountId: name,
  number: null,
  accountType: 'depository.checking',
  mask: '1101',
  owner: null,
  ...over,
});

function recognised(known: readonly Named[], listed: readonly Named[]): Record<string, string> {
  return Object.fromEntries(
    [...recognizeAccounts(known, listed)].map(([listing, { name }]) => [listing.name, name]),
  );
}

describe('an account the bank lists (link-lifecycle 8)', () => {
  it('is recognized by its provider id before anything else', () => {
    const known = [
      account('old', { providerAccountId: 'p1', number: '111' }),
      account('other', { providerAccountId: 'p2', number: '222' }),
    ];
    expect(
      recognised(known, [account('listed', { providerAccountId: 'p1', number: '222' })]),
    ).toEqual({ listed: 'old' });
  });

  it('is recognized by its number, then by type, mask and owner', () => {
    const known = [
      account('a', { providerAccountId: 'p1', number: '111' }),
      account('b', { providerAccountId: 'p2', mask: '2202', owner: 'Robin' }),
    ];
    const listed = [
      account('x', { providerAccountId: 'q1', number: '111', mask: '9999' }),
      account('y', { providerAccountId: 'q2', mask: '2202', owner: 'Robin' }),
    ];
    expect(recognised(known, listed)).toEqual({ x: 'a', y: 'b' });
  });

  it.each<[string, Partial<Named>, Partial<Named>]>([
    ['by its name', {}, { name: 'same' }],
    ['when the owner is not known', { owner: null }, { owner: null }],
    ['when the owner is another', { owner: 'Robin' }, { owner: 'Kim' }],
    ['when it has no mask', { mask: null, owner: 'Robin' }, { mask: null, owner: 'Robin' }],
    [
      'when the type is another',
      { owner: 'Robin' },
      { owner: 'Robin', accountType: 'depository.savings' },
    ],
  ])('is not recognized %s', (_, known, listed) => {
    expect(
      recognised(
        [account('same', { providerAccountId: 'p1', ...known })],
        [account('new', { providerAccountId: 'q1', ...listed })],
      ),
    ).toEqual({});
  });

  it('is new in doubt: when two accounts have the same mark', () => {
    const twins = ['a', 'b'].map((name) => account(name, { owner: 'Robin' }));
    expect(recognised(twins, [account('x', { owner: 'Robin' })])).toEqual({});
    expect(
      recognised(
        [account('a', { owner: 'Robin' })],
        ['x', 'y'].map((name) => account(name, { owner: 'Robin' })),
      ),
    ).toEqual({});
  });

  it('is identified by what remains when its twin is already matched', () => {
    const known = [
      account('a', { providerAccountId: 'p1', owner: 'Robin' }),
      account('b', { providerAccountId: 'p2', owner: 'Robin' }),
    ];
    const listed = [
      account('x', { providerAccountId: 'p1', owner: 'Robin' }),
      account('y', { providerAccountId: 'q2', owner: 'Robin' }),
    ];
    expect(recognised(known, listed)).toEqual({ x: 'a', y: 'b' });
  });
});

describe('the marks that identify an account', () => {
  it.each<[Parameters<typeof accountNumberOf>[0], string | null]>([
    [{}, null],
    [
      { ach: [{ account_number: '100020001101' }], international: [{ iban: 'DE1' }] },
      '100020001101',
    ],
    [{ eft: [{ account_number: '55' }] }, '55'],
    [{ bacs: [{ account_number: '66' }] }, '66'],
    [{ international: [{ iban: 'DE02 1203' }] }, 'DE02 1203'],
  ])('contain the number of %j: %s', (numbers, number) => {
    expect(accountNumberOf(numbers)).toBe(number);
  });

  it.each([
    [null, null],
    ['', null],
    ['de02-1203 0000', 'DE0212030000'],
  ])('normalize the number %j to %j', (number, mark) => {
    expect(normalizeAccountNumber(number)).toBe(mark);
  });

  it('contain the owners in any order and case, or nothing', () => {
    expect(normalizeOwnerNames(['Robin  Vale', 'Kim Lee'])).toBe(
      normalizeOwnerNames(['kim lee', 'ROBIN VALE ']),
    );
    expect(normalizeOwnerNames(['Robin Vale'])).not.toBe(
      normalizeOwnerNames(['Robin Vale', 'Kim Lee']),
    );
    expect(normalizeOwnerNames([' ', ''])).toBeNull();
  });
});
