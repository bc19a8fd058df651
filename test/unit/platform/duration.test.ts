import { parseDuration } from '../../../apps/platform/src/config/duration.js';

describe('parseDuration', () => {
  it.each([
    ['250ms', 250],
    ['30s', 30_000],
    ['15m', 900_000],
    ['6h', 21_600_000],
    ['30d', 2_592_000_000],
    ['1.5s', 1_500],
    ['0s', 0],
    [' 5s ', 5_000],
  ])('reads %s', (text, milliseconds) => {
    expect(parseDuration(text)).toBe(milliseconds);
  });

  it.each(['', '5', 's', '-5s', '5 s', '5w', '1h30m', 'five minutes', '1e3s'])(
    'refuses %j',
    (text) => {
      expect(() => parseDuration(text)).toThrow(RangeError);
    },
  );
});
