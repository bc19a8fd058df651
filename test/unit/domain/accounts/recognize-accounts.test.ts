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
  currency: 'USD',
  ...over,
});

function recognized(
  known: readonly Named[],
  listed: readonly Named[],
  options?: { otherProvider: boolean },
): Record<string, string> {
  return Object.fromEntries(
    [...recognizeAccounts(known, listed, options)].map(([listing, { name }]) => [
      listing.name,
      name,
    ]),
  );
}

describe('An account that the bank lists (link-lifecycle 8)', () => {
  it('is recognized by its provider id before all other data', () => {
    const known = [
      account('old', { providerAccountId: 'p1', number: '111' }),
      account('other', { providerAccountId: 'p2', number: '222' }),
    ];
    expect(
      recognized(known, [account('listed', { providerAccountId: 'p1', number: '222' })]),
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
    expect(recognized(known, listed)).toEqual({ x: 'a', y: 'b' });
  });

  it.each<[string, Partial<Named>, Partial<Named>]>([
    ['by its name', { mask: null }, { mask: null, name: 'same' }],
    ['by its name and mask, in another currency', {}, { name: 'same', currency: 'EUR' }],
    ['when the owner is another', { owner: 'Robin' }, { owner: 'Kim' }],
    ['when it has no mask', { mask: null, owner: 'Robin' }, { mask: null, owner: 'Robin' }],
    [
      'when the type is another',
      { owner: 'Robin' },
      { owner: 'Robin', accountType: 'depository.savings' },
    ],
  ])('is not recognized %s', (_, known, listed) => {
    expect(
      recognized(
        [account('same', { providerAccountId: 'p1', ...known })],
        [account('new', { providerAccountId: 'q1', ...listed })],
      ),
    ).toEqual({});
  });

  it('is treated as new in case of doubt: when two accounts have the same mark', () => {
    const twins = ['a', 'b'].map((name) => account(name, { owner: 'Robin' }));
    expect(recognized(twins, [account('x', { owner: 'Robin' })])).toEqual({});
    expect(
      recognized(
        [account('a', { owner: 'Robin' })],
        ['x', 'y'].map((name) => account(name, { owner: 'Robin' })),
      ),
    ).toEqual({});
  });

  it('is identified by the remaining data when its twin is already matched', () => {
    const known = [
      account('a', { providerAccountId: 'p1', owner: 'Robin' }),
      account('b', { providerAccountId: 'p2', owner: 'Robin' }),
    ];
    const listed = [
      account('x', { providerAccountId: 'p1', owner: 'Robin' }),
      account('y', { providerAccountId: 'q2', owner: 'Robin' }),
    ];
    expect(recognized(known, listed)).toEqual({ x: 'a', y: 'b' });
  });
});

describe('An account that another provider lists, with an id and marks of its own', () => {
  const MOVED = { otherProvider: true };
  /**
   * Listed as by SimpleFIN: no number, no owner, and a type only if its name has an English word.
   */
  const named = (name: string, over: Partial<Named> = {}) =>
    account(name, { accountType: 'unknown', ...over });

  it.each<[string, Named, Named, boolean]>([
    ['type, mask and currency agree', account('Checking'), account('Giro'), true],
    ['a type is unknown, the name agrees', named('Girokonto (1101)'), account('Girokonto'), true],
    ['a type is unknown, the name is another', named('Girokonto (1101)'), account('Giro'), false],
    ['both types are unknown and the names agree', named('My Giro (1101)'), named('Giro'), true],
    ['a type is of no use', account('Giro', { accountType: 'other.other' }), account('Giro'), true],
    [
      'types differ within a group and the names agree',
      account('Money Market Savings', { accountType: 'depository.money_market' }),
      account('Savings', { accountType: 'depository.savings' }),
      true,
    ],
    [
      'types differ within a group, and so do the names',
      account('Everyday'),
      account('Rainy Day Fund', { accountType: 'depository.savings' }),
      false,
    ],
    [
      'one is owed and one is owned',
      account('Meridian'),
      account('Meridian', { accountType: 'liability.credit_card' }),
      false,
    ],
    ['the mask is another', account('Giro'), account('Giro', { mask: '2202' }), false],
    ['a mask is missing', account('Giro', { mask: null }), account('Giro', { mask: null }), false],
    ['the currency is another', account('Giro'), account('Giro', { currency: 'EUR' }), false],
    [
      'owners differ',
      account('Giro', { owner: 'Robin' }),
      account('Giro', { owner: 'Kim' }),
      false,
    ],
    ['only one side names owners', account('Giro', { owner: 'Robin' }), account('Giro'), true],
    [
      'numbers differ',
      account('Giro', { number: '11101' }),
      account('Giro', { number: '21101' }),
      false,
    ],
    [
      'one number is the IBAN of the other',
      account('Giro', { number: '5001101' }),
      account('Giro', { number: 'DE02370400440005001101' }),
      true,
    ],
  ])('is compared: %s', (_when, known, listed, isSame) => {
    const [ours, theirs] = [
      { ...known, providerAccountId: 'k' },
      { ...listed, providerAccountId: 'l' },
    ];
    expect(recognized([ours], [theirs], MOVED)).toEqual(
      isSame ? { [listed.name]: known.name } : {},
    );
    expect(recognized([theirs], [ours], MOVED)).toEqual(
      isSame ? { [known.name]: listed.name } : {},
    );
    // If the provider stays, it assigns the same account the same type, or none.
    const types = [ours, theirs].map(({ accountType }) => accountType);
    const isAlike =
      isSame &&
      (types[0] === types[1] || types.some((type) => /^(unknown|other\.other)$/.test(type)));
    expect(recognized([ours], [theirs])).toEqual(isAlike ? { [listed.name]: known.name } : {});
  });

  it('is new when it may be two accounts, or when two may be it', () => {
    const twins = ['First Giro', 'Second Giro'].map((name) => account(name));
    expect(recognized(twins, [account('Giro')], MOVED)).toEqual({});
    expect(recognized([account('Giro')], twins, MOVED)).toEqual({});
  });

  it('differs from another one with the same mask in the data that both have', () => {
    const card = { accountType: 'liability.credit_card' };
    expect(
      recognized(
        [named('Giro (1101)'), named('Card (1101)', card)],
        [account('Giro'), account('Gold Card', card)],
        MOVED,
      ),
    ).toEqual({ Giro: 'Giro (1101)', 'Gold Card': 'Card (1101)' });
  });

  it('is recognized by its id or number first, and the matched accounts are excluded', () => {
    expect(
      recognized(
        [account('a', { number: '5001101' }), account('b')],
        [account('x', { number: '5001101' }), account('y')],
        MOVED,
      ),
    ).toEqual({ x: 'a', y: 'b' });
  });
});

describe('The marks that identify an account', () => {
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
