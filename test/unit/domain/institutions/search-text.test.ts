// cspell:ignore amercia bankofamerica bnak chsae frgo hcase imstamt insstant instnat wellsfargo wels wlls
import {
  beginsLike,
  searchable,
  searchTextOf,
  typosBetween,
} from '../../../../domain/institutions/search-text.js';

describe('The search text of an institution', () => {
  it.each([
    ['Wells Fargo', 'wells fargo'],
    ['  Lloyd’s   of London! ', 'lloyds of london'],
    ['Crédit Agricole', 'credit agricole'],
    ['M&T Bank', 'm and t bank'],
    ['Sparkasse Groß-Gerau', 'sparkasse gross gerau'],
    ['Desjardins (Québec)', 'desjardins quebec'],
    ['ＨＳＢＣ', 'hsbc'],
    ['100% _Bank\\', '100 bank'],
    ['!?%_', ''],
  ])('normalizes %j to %j', (text, expected) => expect(searchable(text)).toBe(expected));

  it('is the name followed by the domain', () => {
    expect(searchTextOf({ name: 'Wells Fargo', domain: 'wellsfargo.com' })).toBe(
      'wells fargo wellsfargo com',
    );
    expect(searchTextOf({ name: 'Wells Fargo', domain: null })).toBe('wells fargo');
    expect(searchTextOf({ name: 'A', domain: null, otherNames: ['The A Bank'] })).toBe(
      'a the a bank',
    );
  });
});

it.each([
  ['chsae', 'chase', true],
  ['chsae', 'silver lake chase trust', false],
  ['wels far', 'wells fargo', true],
  ['cha', 'chase', true],
  ['chs', 'chase', false],
])('The query %j starts the name %j: %s', (query, text, expected) =>
  expect(beginsLike(query, text)).toBe(expected),
);

describe('Typo tolerance', () => {
  it.each([
    ['instant', 'instant bank', 0],
    ['inst', 'instant bank', 0],
    ['bank inst', 'instant bank', 0],
    ['instantbank', 'instant bank', 0],
    ['jp morgan', 'jpmorgan chase', 0],
    ['instnat', 'instant bank', 1],
    ['insstant', 'instant bank', 1],
    ['imstamt', 'instant bank', 2],
    ['bnak', 'instant bank', 1],
    ['hcase', 'chase chase com', 1],
    ['bank of amercia', 'bank of america bankofamerica com', 1],
    ['wels far', 'wells fargo wellsfargo com', 1],
    ['wlls frgo', 'wells fargo wellsfargo com', 2],
  ])('lets %j find %j with distance %i', (query, text, typos) =>
    expect(typosBetween(query, text)).toBe(typos),
  );

  it.each([
    ['xnz', 'instant bank'],
    ['zzzzzz', 'instant bank'],
    ['oauth', 'instant bank'],
    ['bank of amercia', 'bank of ohio springfield'],
    ['instant instant', 'instant bank'],
    ['sun', 'son bank'],
    ['instant bank of nowhere', 'instant bank'],
  ])('does not let %j find %j', (query, text) => expect(typosBetween(query, text)).toBeNull());
});
