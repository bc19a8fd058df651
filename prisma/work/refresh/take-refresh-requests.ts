import type { Environment } from '../../../domain/api/environment.js';
import { FETCH_FAULTS, type LinkError } from '../../../domain/link/link-state.js';
import { productErrorOfLinkError } from '../../../domain/link/product-state.js';
import type { Product } from '../../../domain/link/products.js';
import type { DayWindow } from '../../../domain/refresh/fetched-data.js';
import {
  ordinarySource,
  type SourceFacts,
  type SourceFactsOf,
} from '../../../domain/refresh/source-facts.js';
import type { PlannedProduct } from '../../../domain/refresh/refresh-phase.js';
import { transactionWindow } from '../../../domain/refresh/fetch-window.js';
import type { Context } from '../../base/context.js';
import type { Tx } from '../../base/database/tx.js';
import type { Link, LinkProduct, Prisma } from '../../generated/client.js';
import { BACKGROUND_CAUSES } from './request-refresh.js';
import { failWithLink } from '../../links/link/product-failure.js';
import { asksForHistory } from './complete-product.js';
import { clockOf } from '../../worlds/world-clock.js';

/** One run of a link's refresh: the products to fetch, and the number that fences its writes. */
export interface RefreshRun {
  linkPk: bigint;
  linkId: string;
  /** A decimal number as text, so that it survives JSON. */
  run: string;
  provider: string;
  remoteId: string;
  institutionId: string;
  environment: Environment;
  appId: string;
  products: PlannedProduct[];
  /** All products of the link. */
  granted: Product[];
  /**
   * Products already being fetched in this run that were requested again (link-lifecycle 7.3: it
   * tries now).
   */
  joined: Product[];
  /** The source updates from its bank before the fetches. */
  updatesFirst?: true;
}

/**
 * Consumes the waiting requests of a locked link and returns the products to fetch; null = nothing,
 * or the link cannot be fetched now. Without `joining` a new run starts, which fences the previous
 * one and takes over its unfinished work, so a start whose response was lost can simply be
 * repeated. With `joining` the current run continues; the result contains everything that has not
 * started, including products that the run already knows of. `also` is written to the link when a
 * run starts.
 */
export async function takeRefreshRequests(
  ctx: Context,
  tx: Tx,
  link: Link,
  joining: string | null,
  also: Prisma.LinkUpdateInput = {},
  sources: SourceFactsOf = ordinarySource,
): Promise<RefreshRun | null> {
  if (link.state === 'connecting') return null;
  const taken = await tx.$queryRaw<{ product: string; cause: string }[]>`
    UPDATE refresh_requests SET consumed_at = clock_timestamp() WHERE link_pk = ${link.pk} AND consumed_at IS NULL RETURNING product, cause`;
  const rows = await tx.linkProduct.findMany({
    where: { linkPk: link.pk, granted: true },
    orderBy: { position: 'asc' },
  });
  const unfinished = rows.filter(({ state }) => state === 'pending' || state === 'in_progress');
  if (unfinished.length === 0) return null;
  const route = await tx.institutionRoute.findUnique({
    where: {
      institutionId_provider: { institutionId: link.institutionId, provider: link.provider },
    },
  });
  if (!isFetchable(link) || route === null) {
    await failUnfinished(ctx, tx, link, unfinished);
    return null;
  }

  const isRequested = ({ product }: LinkProduct) =>
    taken.some(
      (request) => request.product === product && !BACKGROUND_CAUSES.includes(request.cause),
    );
  const isToStart = ({ state }: LinkProduct) => joining === null || state === 'pending';
  const joined = unfinished
    .filter((row) => !isToStart(row) && isRequested(row))
    .map(({ product }) => product as Product);
  const now = await clockOf(ctx, tx, link);
  const source = sources(link.provider);
  const products = unfinished.filter(isToStart).map((row): PlannedProduct => ({
    product: row.product as Product,
    window: windowOf(row, link, { now, source }),
  }));
  if (products.length === 0 && joined.length === 0) return null;

  const run = (joining === null ? link.refreshRun + 1n : link.refreshRun).toString();
  if (joining === null)
    await tx.link.update({
      where: { pk: link.pk },
      data: { refreshRun: BigInt(run), ...also },
      select: { pk: true },
    });
  return {
    linkPk: link.pk,
    linkId: link.linkId,
    run,
    provider: link.provider,
    remoteId: route.remoteId,
    institutionId: link.institutionId,
    environment: link.environment as Environment,
    appId: link.appId,
    products,
    granted: rows.map(({ product }) => product as Product),
    joined,
    ...(source.updatesFirst ? { updatesFirst: true as const } : {}),
  };
}

/** link-lifecycle 6.5, 7.4: connected, and not waiting for its owner. */
export function isFetchable(link: Link): boolean {
  if (link.state === 'awaiting_token_exchange' || link.state === 'connected') return true;
  return (
    link.state === 'error' &&
    link.connectedAt !== null &&
    FETCH_FAULTS.includes(link.errorCode as LinkError)
  );
}

/**
 * Fails products that cannot be fetched until the link is repaired, as if the link had just left
 * `connected`.
 */
async function failUnfinished(
  ctx: Context,
  tx: Tx,
  link: Link,
  rows: readonly LinkProduct[],
): Promise<void> {
  const productError =
    link.errorCode === null ? 'unknown' : productErrorOfLinkError(link.errorCode as LinkError);
  const reason = {
    cause: null,
    productError,
    text: link.errorMessage ?? 'The link cannot be refreshed now.',
  };
  await failWithLink(ctx, tx, link, rows, { reason, now: await clockOf(ctx, tx, link) });
  await tx.link.update({ where: { pk: link.pk }, data: { revision: { increment: 1 } } });
}

/** The days to fetch of a product with rows; null = the product has none. */
function windowOf(
  row: LinkProduct,
  { historyDays }: Link,
  { now, source }: { now: Date; source: SourceFacts },
): DayWindow | null {
  if (row.product === 'transactions')
    return transactionWindow(asksForHistory(row, source), now, historyDays);
  // A list of trades is short enough to be fetched whole.
  return row.product === 'investments' ? transactionWindow(true, now) : null;
}
