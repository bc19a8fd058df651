import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Bag } from '../../../apps/webhooks/src/bag.js';
import { bytesKept } from '../../support/assertions/bytes-kept.js';

describe('a bag', () => {
  it('has what was put in and not taken out, in any order', () => {
    const bag = new Bag<string>();
    const takeOut = ['a', 'b', 'c', 'd', 'e'].map((item) => bag.add(item));
    expect(bag.items.toSorted()).toEqual(['a', 'b', 'c', 'd', 'e']);
    takeOut[1]?.();
    takeOut[4]?.();
    expect(bag.items.toSorted()).toEqual(['a', 'c', 'd']);
    takeOut[0]?.();
    takeOut[2]?.();
    expect([bag.size, bag.items]).toEqual([1, ['d']]);
    takeOut[3]?.();
    expect([bag.size, bag.items]).toEqual([0, []]);
  });

  it('takes an item out once, and equal items one by one', () => {
    const bag = new Bag<string>();
    const [first, second] = [bag.add('same'), bag.add('same')];
    first();
    first();
    expect(bag.items).toEqual(['same']);
    bag.add('later');
    second();
    first();
    expect(bag.items).toEqual(['later']);
  });

  it('lets go of what has left it', async () => {
    const bag = new Bag<number[]>();
    const kept = await bytesKept(500, async () => {
      const takeOut = bag.add(new Array<number>(1_000).fill(1));
      await turn();
      takeOut();
    });
    // Each has 8,000. A Set keeps most of them.
    expect(kept).toBeLessThan(1_000);
  });
});
