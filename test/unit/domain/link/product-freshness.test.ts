import fc from 'fast-check';
import {
  freshnessOf,
  PRODUCT_REMEDIES,
  type LinkSchedule,
  type ProductOutcome,
} from '../../../../domain/link/product-freshness.js';
import { PRODUCT_ERRORS } from '../../../../domain/link/product-state.js';
import { PRODUCTS } from '../../../../domain/link/products.js';

const HOUR = 3_600_000;
const NOW = new Date('2026-03-02T10:00:00Z');
const inHours = (hours: number) => new Date(NOW.getTime() + hours * HOUR);

const FRESH: ProductOutcome = {
  product: 'transactions',
  refreshedAt: inHours(-1),
  errorCode: null,
  errorMessage: null,
  unavailable: null,
};
const SCHEDULE: LinkSchedule = {
  linkError: null,
  nextDueAt: inHours(5),
  slowDueAt: inHours(100),
  intervals: { fast: 6 * HOUR, slow: 168 * HOUR },
};

describe('The freshness of a product (native-api 4.2)', () => {
  it.each<[string, Partial<ProductOutcome>, Partial<LinkSchedule>, boolean]>([
    ['as old as twice its interval', { refreshedAt: inHours(-12) }, {}, false],
    ['older than twice its interval', { refreshedAt: inHours(-12.01) }, {}, true],
    [
      'of the slow schedule, as old as twice the fast interval',
      { product: 'identity', refreshedAt: inHours(-300) },
      {},
      false,
    ],
    [
      'of the slow schedule, older than twice the slow interval',
      { product: 'identity', refreshedAt: inHours(-337) },
      {},
      true,
    ],
    [
      'old, but of a source that allows no shorter interval',
      { refreshedAt: inHours(-40) },
      { intervals: { fast: 24 * HOUR, slow: 168 * HOUR } },
      false,
    ],
    ['never refreshed', { refreshedAt: null }, {}, false],
    ['whose last attempt failed', { errorCode: 'timeout', errorMessage: 'Late.' }, {}, true],
    [
      'of a link that waits for its account owner',
      {},
      { linkError: 'auth_expired', nextDueAt: null },
      true,
    ],
    [
      'of a broken link that is refreshed nevertheless',
      {},
      { linkError: 'institution_error' },
      false,
    ],
    [
      'of which no refresh is scheduled',
      { refreshedAt: inHours(-1_000) },
      { nextDueAt: null },
      false,
    ],
  ])('%s: stale = %s', (_, product, schedule, isStale) => {
    const freshness = freshnessOf({ ...FRESH, ...product }, { ...SCHEDULE, ...schedule }, NOW);
    expect(freshness.isStale).toBe(isStale);
  });

  it.each<[string, Partial<ProductOutcome>, Partial<LinkSchedule>, Date | null]>([
    ['a fast product follows the link', {}, {}, inHours(5)],
    ['a slow product follows the slow schedule', { product: 'identity' }, {}, inHours(100)],
    [
      'a slow product waits for the next refresh of the link',
      { product: 'identity' },
      { slowDueAt: inHours(-1) },
      inHours(5),
    ],
    [
      'a product that is not offered is tried again on the slow schedule',
      { unavailable: 'not offered' },
      {},
      inHours(100),
    ],
    ['a link without a plan has none', {}, { slowDueAt: null }, null],
    ['a link without a schedule has none', {}, { nextDueAt: null }, null],
  ])('names the next refresh: %s', (_, product, schedule, expected) => {
    expect(
      freshnessOf({ ...FRESH, ...product }, { ...SCHEDULE, ...schedule }, NOW).nextRefreshAt,
    ).toEqual(expected);
  });

  it.each(PRODUCT_ERRORS)('names the cause and the remedy of %s', (errorCode) => {
    expect(
      freshnessOf({ ...FRESH, errorCode, errorMessage: 'A cause.' }, SCHEDULE, NOW).problem,
    ).toEqual({ message: 'A cause.', remedy: PRODUCT_REMEDIES[errorCode] });
  });

  it('sends the owner to sign in again, whatever failed last, where nothing is scheduled', () => {
    const ended = { ...SCHEDULE, linkError: 'auth_expired', nextDueAt: null } as const;
    for (const errorCode of PRODUCT_ERRORS)
      expect(freshnessOf({ ...FRESH, errorCode }, ended, NOW).problem?.remedy).toBe(
        PRODUCT_REMEDIES.auth_expired,
      );
  });

  it('has a problem with words if and only if the product is stale', () => {
    const time = fc.option(fc.integer({ min: -1_000, max: 1_000 }).map(inHours));
    fc.assert(
      fc.property(
        fc.record({
          product: fc.constantFrom(...PRODUCTS),
          refreshedAt: time,
          errorCode: fc.option(fc.constantFrom(...PRODUCT_ERRORS)),
          errorMessage: fc.option(fc.constantFrom('A cause.')),
          unavailable: fc.option(fc.constantFrom('not offered')),
        }),
        fc.record({
          linkError: fc.option(fc.constantFrom('auth_expired', 'institution_error')),
          nextDueAt: time,
          slowDueAt: time,
          intervals: fc.constant(SCHEDULE.intervals),
        }),
        (product, schedule) => {
          const { isStale, problem } = freshnessOf(product, schedule, NOW);
          expect(problem !== null && problem.message !== '' && problem.remedy !== '').toBe(isStale);
        },
      ),
    );
  });
});
