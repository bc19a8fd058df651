import { refreshDelayMs } from '../../../../domain/refresh/refresh-limits.js';

const HOUR = 3_600_000;
const LIMITS = { fast: HOUR, slow: 24 * HOUR };
const NOW = new Date('2026-03-02T10:00:00Z');
const ago = (ms: number) => new Date(NOW.getTime() - ms);

describe('The refresh limit (native-api 8)', () => {
  it.each([
    ['a product no_one asked for', [{ product: 'accounts', requestedAt: null }], 0],
    ['a fast one inside its hour', [{ product: 'transactions', requestedAt: ago(HOUR - 1) }], 1],
    ['a fast one after its hour', [{ product: 'transactions', requestedAt: ago(HOUR) }], 0],
    ['a slow one inside its day', [{ product: 'identity', requestedAt: ago(HOUR) }], 23 * HOUR],
    ['a slow one after its day', [{ product: 'account_numbers', requestedAt: ago(24 * HOUR) }], 0],
    [
      'several, of which the longest counts',
      [
        { product: 'accounts', requestedAt: ago(0) },
        { product: 'identity', requestedAt: ago(0) },
        { product: 'transactions', requestedAt: null },
      ],
      24 * HOUR,
    ],
  ] as const)('applies: %s', (_title, products, wait) => {
    expect(refreshDelayMs(products, LIMITS, NOW)).toBe(wait);
  });
});
