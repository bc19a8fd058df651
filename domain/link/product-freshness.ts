import { PRODUCT_SPEEDS } from './product-speed.js';
import type { LinkError } from './link-state.js';
import type { ProductError } from './product-state.js';
import type { Product } from './products.js';

/** The schedule of a link. */
export interface LinkSchedule {
  linkError: LinkError | null;
  /** Null = nothing is scheduled. */
  nextDueAt: Date | null;
  /** Null = the first refreshes are not planned yet. */
  slowDueAt: Date | null;
  /** Milliseconds between two refreshes. */
  intervals: { fast: number; slow: number };
}

export interface ProductOutcome {
  product: Product;
  refreshedAt: Date | null;
  errorCode: ProductError | null;
  errorMessage: string | null;
  unavailable: string | null;
}

export interface Freshness {
  /** Null = no refresh is planned. */
  nextRefreshAt: Date | null;
  /** Older than twice its interval, or failing. */
  isStale: boolean;
  /** Null if and only if the product is not stale. */
  problem: { message: string; remedy: string } | null;
}

const SIGN_IN_AGAIN =
  'Create a link session with existing_link_id, in which the account owner signs in again.';
const WAIT = 'None is needed: the service tries again at next_refresh_at.';

/** The remedy of each error, for an app. Source: native-api 4.2. */
export const PRODUCT_REMEDIES: Readonly<Record<ProductError, string>> = {
  auth_expired: SIGN_IN_AGAIN,
  no_permission:
    'Create a link session with existing_link_id, in which the account owner permits this product.',
  no_accounts:
    'Create a link session with existing_link_id, in which the account owner shares an account.',
  not_supported: 'None: the institution does not offer this product. Stored data stays readable.',
  rate_limit: WAIT,
  timeout: WAIT,
  institution_error: WAIT,
  unknown: `${WAIT} If it lasts, tell the operator of the service.`,
};

/** How fresh the stored data of a product is at `now`, by the clock of the link's world. */
export function freshnessOf(
  { product, refreshedAt, errorCode, errorMessage, unavailable }: ProductOutcome,
  { linkError, nextDueAt, slowDueAt, intervals }: LinkSchedule,
  now: Date,
): Freshness {
  // A product that the institution does not offer is tried again on the slow schedule.
  const speed = unavailable === null ? PRODUCT_SPEEDS[product] : 'slow';
  const nextRefreshAt =
    nextDueAt === null || slowDueAt === null
      ? null
      : speed === 'fast' || nextDueAt > slowDueAt
        ? nextDueAt
        : slowDueAt;
  const stale = (message: string, remedy: string): Freshness => ({
    nextRefreshAt,
    isStale: true,
    problem: { message, remedy },
  });
  const waitsForOwner = linkError !== null && nextDueAt === null;
  if (errorCode !== null)
    return stale(
      errorMessage ?? 'The last refresh failed.',
      // Without a schedule, waiting is no remedy.
      waitsForOwner ? SIGN_IN_AGAIN : PRODUCT_REMEDIES[errorCode],
    );
  if (waitsForOwner) return stale('The link waits for its account owner.', SIGN_IN_AGAIN);
  const age = refreshedAt === null ? 0 : now.getTime() - refreshedAt.getTime();
  if (nextDueAt !== null && age > 2 * intervals[speed])
    return stale(
      'No refresh has been completed for longer than twice the interval of this product.',
      'Request a refresh with POST /links/{id}/products.',
    );
  return { nextRefreshAt, isStale: false, problem: null };
}
