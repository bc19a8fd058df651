import { nextItem } from '../../../apps/console/src/frame/menu/next-item.js';

describe('A key in a menu of the console', () => {
  it.each([
    ['ArrowDown', 0, 1],
    ['ArrowDown', 2, 0],
    ['ArrowDown', -1, 0],
    ['ArrowUp', 2, 1],
    ['ArrowUp', 0, 2],
    ['ArrowUp', -1, 2],
    ['Home', 2, 0],
    ['End', 0, 2],
    ['Enter', 1, null],
    ['a', 1, null],
  ])('%s moves from item %d of three to %s', (key, current, next) => {
    expect(nextItem(key, current, 3)).toBe(next);
  });

  it('moves to none where there is none', () => {
    expect(nextItem('ArrowDown', -1, 0)).toBeNull();
  });
});
