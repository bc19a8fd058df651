import type { Product } from '../../../domain/link/products.js';
import type { DayWindow } from '../../../domain/refresh/fetched-data.js';
import type { Context } from '../../base/context.js';
import type { Tx } from '../../base/database/tx.js';
import type { Link } from '../../generated/client.js';
import {
  openCredential,
  type CredentialEdition,
} from '../../sources/permissions/provider-credential.js';
import { fetchKeyOf, startProducts } from '../refresh/start-products.js';
import { takeRefreshRequests } from '../refresh/take-refresh-requests.js';
import { clockOf } from '../../worlds/world-clock.js';

/** A run with everything that its fetches need. All of its products have started. */
export interface WorldRun {
  linkId: string;
  run: string;
  provider: string;
  remoteId: string;
  reference: string;
  credential: Uint8Array;
  edition: CredentialEdition;
  worldTime: Date;
  /** All products of the link. */
  granted: Product[];
  products: { product: Product; window: DayWindow | null; fetchKey: string }[];
}

/** Starts a run with all products of a locked link that are waiting or unfinished; null = none. */
export async function startWorldRun(
  ctx: Context,
  tx: Tx,
  link: Link,
  also: { nextDueAt?: Date; slowDueAt?: Date | null },
): Promise<WorldRun | null> {
  const plan = await takeRefreshRequests(ctx, tx, link, null, {
    revision: { increment: 1 },
    ...also,
  });
  const held = plan === null ? null : await openCredential(ctx, tx, link);
  if (plan === null || held === null) return null;
  const { linkId, run, provider, remoteId, granted } = plan;
  const started = await startProducts(
    ctx,
    tx,
    link,
    BigInt(run),
    plan.products.map(({ product }) => product),
  );
  const since = new Map(started.map(({ product, startedAt }) => [product, startedAt]));
  return {
    linkId,
    run,
    provider,
    remoteId,
    granted,
    reference: held.reference,
    credential: held.credential,
    edition: held.edition,
    worldTime: await clockOf(ctx, tx, link),
    products: plan.products.map(({ product, window }) => ({
      product,
      window,
      fetchKey: fetchKeyOf(linkId, product, since.get(product) ?? ctx.clock()),
    })),
  };
}
