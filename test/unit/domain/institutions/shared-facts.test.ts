import fc from 'fast-check';
import {
  isUsable,
  type ListedInstitution,
} from '../../../../domain/institutions/listed-institution.js';
import { sharedFacts } from '../../../../domain/institutions/shared-facts.js';
import { listedInstitution } from '../../../support/fixtures/listed-institution.js';

describe('The shared facts of an institution', () => {
  it('are those of the most complete entry, with missing facts from the others', () => {
    expect(
      sharedFacts([
        {
          provider: 'a',
          facts: listedInstitution({
            name: 'Poor',
            country: 'DE',
            logoUrl: 'https://a.example/logo.svg',
          }),
        },
        {
          provider: 'b',
          facts: listedInstitution({
            name: 'Rich Bank',
            country: 'DE',
            domain: 'rich.example',
            color: '#112233',
            login: 'page',
            otherNames: ['Geldhaus'],
          }),
        },
        {
          provider: 'c',
          facts: listedInstitution({ name: 'Featured', isFeatured: true, color: '#ffffff' }),
        },
      ]),
    ).toEqual({
      name: 'Rich Bank',
      country: 'DE',
      domain: 'rich.example',
      logoUrl: 'https://a.example/logo.svg',
      color: '#112233',
      colorDark: null,
      isFeatured: true,
      login: 'oauth',
      searchText: 'rich bank rich example geldhaus poor featured',
    });
  });

  it('do not depend on the order in which entries arrive', () => {
    const entries = ['d', 'a', 'c', 'b'].map((provider, index) => ({
      provider,
      facts: listedInstitution({ name: provider, color: index % 2 === 0 ? '#000000' : null }),
    }));
    fc.assert(
      fc.property(fc.shuffledSubarray(entries, { minLength: 4 }), (shuffled) => {
        expect(sharedFacts(shuffled)).toEqual(sharedFacts(entries));
      }),
    );
    expect(sharedFacts(entries)?.name).toBe('c');
  });

  it('are unknown without entries', () => expect(sharedFacts([])).toBeNull());
});

describe('An entry', () => {
  it.each<[string, Partial<ListedInstitution>]>([
    ['an empty id', { remoteId: '' }],
    ['an empty name', { name: ' ' }],
    ['an invalid name', { name: 'x'.repeat(301) }],
    ['a country without institutions', { country: 'CH' }],
    ['a NUL', { name: 'a\u0000b' }],
    ['half a character', { otherNames: ['\ud800'] }],
    ['an unknown login', { login: 'magic' as never }],
    ['an unknown product', { products: ['gold' as never] }],
  ])('with %s is not usable', (_what, over) => {
    expect(isUsable(listedInstitution(over))).toBe(false);
    expect(isUsable(listedInstitution())).toBe(true);
  });
});
