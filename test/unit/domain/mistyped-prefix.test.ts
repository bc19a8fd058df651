import { describe, expect, it } from '@jest/globals';
import { mistypedPrefix } from '../../../domain/mistyped-prefix.js';

describe('a mistyped begin of a name', () => {
  it.each([
    ['Instant', 'Instant Bank', 0],
    ['instant b', 'Instant Bank', 0],
    ['BANK', 'Instant Bank', 0],
    ['credit agric', 'Crédit Agricole', 0],
    ['instnat', 'Instant Bank', 1],
    ['instan bank', 'Instant Bank', 1],
    ['insstant', 'Instant Bank', 1],
    ['imstamt', 'Instant Bank', 2],
    ['bnak', 'Instant Bank', 1],
    ['in', 'Instant Bank', 0],
  ])('%j is meant to find %j, %i off', (typed, name, distance) => expect(mistypedPrefix(typed, name)).toBe(distance));

  it.each([
    ['ni', 'Instant Bank'],
    ['xnz', 'Instant Bank'],
    ['zzzzzz', 'Instant Bank'],
    ['oauth', 'Instant Bank'],
    ['credentials', 'Instant Bank'],
    ['%', 'Instant Bank'],
  ])('%j is not meant to find %j', (typed, name) => expect(mistypedPrefix(typed, name)).toBeNull());
});
