import fc from 'fast-check';
import { PRODUCTS } from '../../../../domain/link/products.js';
import { RUN_PHASES } from '../../../../domain/refresh/run-transitions.js';
import { PRODUCT_PHASES } from '../../../../domain/refresh/product-transitions.js';
import { runInOrder, type Kept } from './refresh-model.js';

const ORDERS = 10_000;
const MAX_CHOICES = 50;

const ORDER = fc.record({
  requested: fc.subarray([...PRODUCTS], { minLength: 1 }),
  updatesFirst: fc.boolean(),
  choices: fc.array(fc.nat(99_999), { maxLength: MAX_CHOICES, size: 'max' }),
});

describe('A refresh run, in 10,000 random orders of events,', () => {
  const runs = fc.sample(ORDER, ORDERS).map(runInOrder);

  it('passes through each phase of a run and of a product', () => {
    const entered = new Set(runs.flatMap(({ phases }) => [...phases]));
    const names = [...RUN_PHASES, ...PRODUCT_PHASES];
    expect(names.filter((name) => !entered.has(name))).toEqual([]);
  });

  it.each<[Kept]>([
    ['settles each product that it started, and none twice'],
    ['ends, and finishes once with its last effect'],
    ['calls the bank for one attempt of a product at a time, and never twice for one attempt'],
    ['starts no product while accounts are fetched for the first time'],
    ['calls no bank after the permission was lost'],
    ['loses no request that was made while it ran'],
    ['ends no pause that the provider set before a product was settled'],
    ['begins no pause that ends after the retry period'],
    ['finishes with success exactly when a product was stored'],
    ['leaves nothing in progress when an operator cancels it'],
  ])('%s', (promise) => {
    if (runs.every(({ broken }) => !broken.has(promise))) return;
    // The smallest order that breaks it.
    fc.assert(
      fc.property(ORDER, (order) => {
        expect(runInOrder(order).broken.get(promise)).toBeUndefined();
      }),
      { numRuns: ORDERS },
    );
    throw new Error(`broken in a sample: ${promise}`);
  });
});
