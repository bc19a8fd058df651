import { StaleRefreshRun } from '../../../domain/errors/change-refused.js';
import {
  judgeProductEvent,
  type ProductEventType,
  type ProductState,
  type ProductVerdict,
} from '../../../domain/link/product-state.js';
import type { Product } from '../../../domain/link/products.js';
import type { Tx } from '../../base/database/tx.js';
import type { Link, LinkProduct } from '../../generated/client.js';
import { lockLinkById } from '../../links/link/link-transition.js';

/** Locks a link by id until the end of the transaction; null = unknown or deleted. */
export async function lockLiveLink(tx: Tx, linkId: string): Promise<Link | null> {
  const link = await lockLinkById(tx, linkId);
  return link === null || link.state === 'deleted' ? null : link;
}

/**
 * Names an attempt for its writes: the number of the run and that of the attempt. A worker that
 * resumes after its timeout presents an outdated name and may not write.
 */
export function attemptName(run: bigint, attemptNo: number): string {
  return `${run}.${attemptNo}`;
}

/** The run in the name of a run or attempt. */
export function runOf(name: string): bigint {
  return BigInt(name.split('.', 1)[0] ?? '');
}

/**
 * Locks the link of a run that is still current; null = the run is stale. `run` may also name an
 * attempt.
 */
export async function lockLinkOfRun(tx: Tx, linkId: string, run: string): Promise<Link | null> {
  const link = await lockLiveLink(tx, linkId);
  return link !== null && link.refreshRun === runOf(run) ? link : null;
}

/** Whether the name identifies the product's latest attempt, or a whole run. */
export function isLatestAttempt(link: Link, row: LinkProduct, name: string): boolean {
  return !name.includes('.') || attemptName(link.refreshRun, row.attemptNo) === name;
}

/**
 * Locks the link and reads a product that this attempt may store.
 * @throws StaleRefreshRun
 */
export async function lockFetchedProduct(
  tx: Tx,
  linkId: string,
  run: string,
  product: Product,
): Promise<{ link: Link; row: LinkProduct }> {
  const link = await lockLinkOfRun(tx, linkId, run);
  const row = link === null ? null : await findProduct(tx, link.pk, product);
  if (
    link === null ||
    row === null ||
    judgeProduct(row, 'stored').kind !== 'change' ||
    attemptName(link.refreshRun, row.attemptNo) !== run
  )
    throw new StaleRefreshRun(linkId, run);
  return { link, row };
}

export async function findProduct(
  tx: Tx,
  linkPk: bigint,
  product: Product,
): Promise<LinkProduct | null> {
  return tx.linkProduct.findUnique({ where: { linkPk_product: { linkPk, product } } });
}

export function judgeProduct(row: LinkProduct, event: ProductEventType): ProductVerdict {
  return judgeProductEvent(row.state as ProductState | null, event);
}

/** Whether the permission of the link was replaced after the fetch of this product started. */
export async function isPermissionNewer(
  tx: Tx,
  { linkPk, state, attemptBeganAt }: LinkProduct,
): Promise<boolean> {
  const credential = await tx.providerCredential.findUnique({
    where: { linkPk },
    select: { createdAt: true },
  });
  return (
    state === 'in_progress' &&
    credential !== null &&
    attemptBeganAt !== null &&
    credential.createdAt > attemptBeganAt
  );
}
