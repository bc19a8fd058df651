import { PRODUCT_SPEEDS } from '../../../domain/link/product-speed.js';
import type { Product } from '../../../domain/link/products.js';
import { planDue, policyFor } from '../../../domain/refresh/refresh-schedule.js';
import { ordinarySource } from '../../../domain/refresh/source-facts.js';
import type { Context } from '../../base/context.js';
import type { Tx } from '../../base/database/tx.js';
import type { Link } from '../../generated/client.js';
import { lockLink } from '../../links/link/link-transition.js';
import { clockOf } from '../../worlds/world-clock.js';
import type { RefreshRules } from './count-run.js';
import { RefreshControls } from './refresh-controls.js';
import { requestRefresh } from './request-refresh.js';
import { isFetchable } from './take-refresh-requests.js';

/**
 * Requests a fetch because the source of a link reports new data. It does not count toward an app's
 * limits and is merged with a run in progress. False = the link cannot be fetched now, or has none
 * of the products.
 */
export async function requestProviderRefresh(
  ctx: Context,
  tx: Tx,
  linkPk: bigint,
  products: readonly Product[],
  rules: RefreshRules,
): Promise<boolean> {
  const link = await lockLink(tx, linkPk);
  if (!isFetchable(link)) return false;
  const granted = await tx.linkProduct.findMany({ where: { linkPk, granted: true } });
  const asked = granted.filter(({ product }) => products.includes(product as Product));
  if (asked.length === 0) return false;
  await requestRefresh(ctx, tx, link, products, 'provider_webhook');
  // Only if this fetch covers everything that the next scheduled one would, including what the
  // source has just announced: otherwise a source that sends many webhooks could postpone a product
  // forever.
  const isWhole = granted.every(
    (row) => PRODUCT_SPEEDS[row.product as Product] === 'slow' || asked.includes(row),
  );
  if (isWhole && asked.every(({ state }) => state !== 'in_progress'))
    await postponeSchedule(ctx, tx, link, rules);
  return true;
}

async function postponeSchedule(
  ctx: Context,
  tx: Tx,
  link: Link,
  { schedule, chance, sources = ordinarySource }: RefreshRules,
): Promise<void> {
  const { nextDueAt: dueAt, slowDueAt } = link;
  if (dueAt === null || slowDueAt === null) return;
  const { policy } = policyFor(
    schedule,
    (await RefreshControls.load(tx)).of(link),
    sources(link.provider).atLeastMs,
  );
  const now = await clockOf(ctx, tx, link);
  const { nextDueAt } = planDue({ slowDueAt, policy, pausedUntil: null }, now, chance());
  if (nextDueAt > dueAt) await tx.link.update({ where: { pk: link.pk }, data: { nextDueAt } });
}
