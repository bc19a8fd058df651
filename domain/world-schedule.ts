import { PRODUCT_SPEEDS } from './refresh-limits.js';
import type { Product } from './products.js';

/** Scheduled refreshes in a world with its own clock. Source: link-lifecycle 7.4. */
const EVERY_MS = { fast: 6 * 3_600_000, slow: 7 * 86_400_000 } as const;
const JITTER = 0.15;
const LONGEST_MS = 86_400_000;

/**
 * When a link is refreshed next, after `from`. `chance` in [0, 1) moves it by up to 15 %; in a world it is drawn from the
 * seed, so that the same calls give the same times. Failed runs in a row put it off.
 */
export function nextScheduledRefresh(from: Date, { chance, failedRuns = 0 }: { chance: number; failedRuns?: number }): Date {
  const interval = Math.min(LONGEST_MS, EVERY_MS.fast * 2 ** failedRuns);
  return new Date(from.getTime() + Math.round(interval * (1 + JITTER * (2 * chance - 1))));
}

/** The products that are due at a scheduled refresh: those that change slowly have their turn once a week. */
export function productsDue(products: readonly { product: Product; lastAttemptedAt: Date | null }[], at: Date): Product[] {
  return products
    .filter(({ product, lastAttemptedAt }) => PRODUCT_SPEEDS[product] === 'fast' || lastAttemptedAt === null || lastAttemptedAt.getTime() + EVERY_MS.slow <= at.getTime())
    .map(({ product }) => product);
}
