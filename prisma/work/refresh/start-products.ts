import type { Product } from '../../../domain/link/products.js';
import type { Context } from '../../base/context.js';
import type { Tx } from '../../base/database/tx.js';
import { clockOf } from '../../worlds/world-clock.js';
import type { Link } from '../../generated/client.js';
import { attemptName } from './refresh-fence.js';
import type { RefreshRun } from './take-refresh-requests.js';

/** A fetch attempt that has started. */
export interface StartedProduct {
  product: Product;
  attemptNo: number;
  /** The start of the fetch; unchanged by further attempts and by runs that take it over. */
  startedAt: Date;
}

/**
 * "Fetch begins" and "fetch retried internally" (link-lifecycle 7.2) for products of a locked link
 * in a state that allows it. Times compared across processes come from the database, after any lock
 * has been acquired.
 */
export async function startProducts(
  ctx: Context,
  tx: Tx,
  link: Link,
  run: bigint,
  products: readonly Product[],
): Promise<StartedProduct[]> {
  const started = await tx.$queryRaw<
    { product: Product; attempt_no: number; state_changed_at: Date }[]
  >`
    UPDATE link_products SET
           state = 'in_progress', state_changed_at = CASE WHEN state = 'in_progress' THEN state_changed_at ELSE clock_timestamp() END,
           last_attempted_at = ${await clockOf(ctx, tx, link)}, attempt_began_at = ${ctx.clock()}, fetched_in_run = ${run}, attempt_no = attempt_no + 1
     WHERE link_pk = ${link.pk} AND product = ANY(${[...products]}::text[])
    RETURNING product, attempt_no, state_changed_at`;
  return started.map(({ product, attempt_no: attemptNo, state_changed_at: startedAt }) => ({
    product,
    attemptNo,
    startedAt,
  }));
}

/** Starts the products of a run that has just started; each of them then names its attempt. */
export async function beginProducts(
  ctx: Context,
  tx: Tx,
  link: Link,
  run: RefreshRun,
): Promise<RefreshRun> {
  const number = BigInt(run.run);
  const names = run.products.map(({ product }) => product);
  const started = await startProducts(ctx, tx, link, number, names);
  const attempts = new Map(
    started.map(({ product, attemptNo }) => [product, attemptName(number, attemptNo)]),
  );
  return {
    ...run,
    products: run.products.map((each) => ({ ...each, attempt: attempts.get(each.product) })),
  };
}

/** Identifies a fetch across all of its attempts. */
export function fetchKeyOf(linkId: string, product: Product, startedAt: Date): string {
  return `${linkId}/${product}/${startedAt.toISOString()}`;
}
