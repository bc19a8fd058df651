import type { Environment } from '../../domain/environment.js';
import type { DayWindow } from '../../domain/fetched-data.js';
import { FAULT_KINDS, type LinkError } from '../../domain/link-state.js';
import { productErrorOfLinkError } from '../../domain/product-state.js';
import type { Product } from '../../domain/products.js';
import { transactionWindow } from '../../domain/transaction-window.js';
import type { Context } from '../context.js';
import type { Tx } from '../database.js';
import { databaseTime, type ProductRow } from './refresh-fence.js';
import { PATIENT_CAUSES } from './request-refresh.js';
import { asksForHistory, causesOfFetch, failProductRow } from './settle-product.js';
import type { LinkRow } from './webhook-event.js';
import { clockOf } from './world-clock.js';

/** One run of a link's refresh: what it was asked to fetch, and the number that fences its writes. */
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
  products: RefreshProduct[];
  /** Products already under way in this run that somebody asked for again (link-lifecycle 7.3: it tries now). */
  joined: Product[];
}

export interface RefreshProduct {
  product: Product;
  causes: string[];
  extendHistory: boolean;
  /** The days to ask for; null for products that have no rows. */
  window: DayWindow | null;
}

/**
 * Consumes the waiting requests of a locked link and says what there is to fetch; null = nothing, or the link cannot be
 * fetched now. Without `joining` a new run begins, which fences the earlier one and takes over what that left under way:
 * so a beginning whose answer was lost is simply made again. With `joining` the run under way is kept; it is told of
 * everything that has not begun, also of what it knows already.
 */
export async function takeRefreshRequests(ctx: Context, tx: Tx, link: LinkRow, joining: string | null): Promise<RefreshRun | null> {
  if (link.state === 'connecting') return null;
  const waiting = await tx.refreshRequest.findMany({ where: { linkPk: link.pk, consumedAt: null }, orderBy: { pk: 'asc' } });
  if (waiting.length > 0) {
    await tx.refreshRequest.updateMany({ where: { pk: { in: waiting.map(({ pk }) => pk) }, consumedAt: null }, data: { consumedAt: await databaseTime(tx) } });
  }
  const underWay = await tx.linkProduct.findMany({
    where: { linkPk: link.pk, granted: true, state: { in: ['pending', 'in_progress'] } }, orderBy: { position: 'asc' },
  });
  if (underWay.length === 0) return null;
  const route = await tx.institutionRoute.findUnique({ where: { institutionId_provider: { institutionId: link.institutionId, provider: link.provider } } });
  if (!isFetchable(link) || route === null) {
    await failUnderWay(ctx, tx, link, underWay);
    return null;
  }

  const isAsked = ({ product }: ProductRow) => waiting.some((request) => request.product === product && !PATIENT_CAUSES.includes(request.cause));
  const isToBegin = ({ state }: ProductRow) => joining === null || state === 'pending';
  const joined = underWay.filter((row) => !isToBegin(row) && isAsked(row)).map(({ product }) => product as Product);
  const products: RefreshProduct[] = [];
  for (const row of underWay.filter(isToBegin)) {
    products.push({
      product: row.product as Product,
      causes: await causesOfFetch(tx, row),
      extendHistory: row.extendHistory,
      window: row.product === 'transactions' ? transactionWindow(asksForHistory(row), await clockOf(ctx, tx, link)) : null,
    });
  }
  if (products.length === 0 && joined.length === 0) return null;

  const run = (joining === null ? link.refreshRun + 1n : link.refreshRun).toString();
  if (joining === null) await tx.link.update({ where: { pk: link.pk }, data: { refreshRun: BigInt(run) } });
  return {
    linkPk: link.pk, linkId: link.linkId, run, provider: link.provider, remoteId: route.remoteId, institutionId: link.institutionId,
    environment: link.environment as Environment, appId: link.appId, products, joined,
  };
}

/** link-lifecycle 6.5, 7.4: linked and not in need of its owner. */
export function isFetchable(link: LinkRow): boolean {
  if (link.state === 'awaiting_token_exchange' || link.state === 'connected') return true;
  return link.state === 'error' && link.connectedAt !== null && FAULT_KINDS.includes(link.errorCode as LinkError);
}

/** Nobody will fetch these until the link is repaired: they end as if the link had left `connected` just now. */
async function failUnderWay(ctx: Context, tx: Tx, link: LinkRow, rows: readonly ProductRow[]): Promise<void> {
  const productError = link.errorCode === null ? 'unknown' : productErrorOfLinkError(link.errorCode as LinkError);
  const reason = { cause: null, productError, text: link.errorMessage ?? 'The link cannot be refreshed now.' };
  for (const row of rows) await failProductRow(ctx, tx, link, row, reason, 'link_left_connected');
}
