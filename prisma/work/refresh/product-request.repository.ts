import type { Tenant } from '../../../domain/api/environment.js';
import type { LinkError, LinkState } from '../../../domain/link/link-state.js';
import type { Product } from '../../../domain/link/products.js';
import { refreshDelayMs, type RefreshLimits } from '../../../domain/refresh/refresh-limits.js';
import type { Context } from '../../base/context.js';
import type { Tx } from '../../base/database/tx.js';
import { noAfterEffect, type AfterEffect } from '../../base/database/after-effect.js';
import { findLinkView } from '../../links/link/find-link-view.js';
import { permittedLinks } from '../../tenants/applications/permitted-rows.js';
import { lockLink } from '../../links/link/link-transition.js';
import type { LinkView } from '../../links/link/link-view.js';
import { requestRefresh } from './request-refresh.js';
import { isFetchable } from './take-refresh-requests.js';
import { clockOf } from '../../worlds/world-clock.js';
import type { Link } from '../../generated/client.js';

/** The outcome of an app's request, in the order of the checks of native-api 1.3. */
export type ProductRequestOutcome =
  | { kind: 'accepted'; link: LinkView }
  /** The link was deleted, or does not belong to this tenant. */
  | { kind: 'gone' }
  | { kind: 'not_granted'; product: Product }
  | { kind: 'bad_state'; state: LinkState; error: LinkError | null }
  | { kind: 'limited'; waitMs: number };

export interface ProductRequestOptions {
  outsideLimits?: boolean;
  andThen?: AfterEffect<LinkView> | undefined;
}

/**
 * On-demand refreshes (native-api 3.7). Accepting one only writes rows and does not need Temporal.
 */
export class ProductRequestRepository {
  constructor(
    private readonly ctx: Context,
    private readonly limits: RefreshLimits,
  ) {}

  /**
   * All or nothing, decided under the lock of the link, so only one of two concurrent requests can
   * be the first in its window. `outsideLimits` neither waits for a window nor starts one.
   * `andThen` ends the transaction of an accepted request.
   */
  async request(
    tenant: Tenant,
    linkId: string,
    products: readonly Product[],
    { outsideLimits = false, andThen = noAfterEffect }: ProductRequestOptions = {},
  ): Promise<ProductRequestOutcome> {
    const accepted = async (tx: Tx): Promise<ProductRequestOutcome> => {
      const link = await findLinkView(this.ctx, tx, tenant, linkId);
      await andThen(tx, link);
      return { kind: 'accepted', link };
    };
    return this.ctx.database.transaction(async (tx) => {
      const found = await tx.link.findFirst({
        where: { AND: [{ linkId }, permittedLinks(tenant)] },
        select: { pk: true },
      });
      const link = found === null ? null : await lockLink(tx, found.pk);
      if (link === null || link.state === 'deleted') return { kind: 'gone' };
      const granted = await tx.linkProduct.findMany({
        where: { linkPk: link.pk, granted: true, product: { in: [...products] } },
        select: { product: true, requestedAt: true },
      });
      const missing = products.find((product) => !granted.some((row) => row.product === product));
      if (missing !== undefined) return { kind: 'not_granted', product: missing };
      if (link.state === 'awaiting_token_exchange' || !isFetchable(link))
        return {
          kind: 'bad_state',
          state: link.state as LinkState,
          error: link.errorCode as LinkError | null,
        };

      if (outsideLimits) {
        await requestRefresh(this.ctx, tx, link, products, 'on_demand');
        return accepted(tx);
      }
      const now = await clockOf(this.ctx, tx, link);
      const waitMs = (await hasLimits(tx, link))
        ? refreshDelayMs(
            granted.map((row) => ({
              product: row.product as Product,
              requestedAt: row.requestedAt,
            })),
            this.limits,
            now,
          )
        : 0;
      if (waitMs > 0) return { kind: 'limited', waitMs };
      await tx.linkProduct.updateMany({
        where: { linkPk: link.pk, product: { in: [...products] } },
        data: { requestedAt: now },
      });
      await requestRefresh(this.ctx, tx, link, products, 'on_demand');
      return accepted(tx);
    });
  }
}

/** native-api 8: Sandbox has no refresh limits, except in a world created with them. */
async function hasLimits(tx: Tx, { environment, appId, worldId }: Link): Promise<boolean> {
  if (environment === 'live') return true;
  const world = await tx.sandboxWorld.findUnique({
    where: { appId_worldId: { appId, worldId } },
    select: { enforceRefreshLimits: true },
  });
  return world?.enforceRefreshLimits ?? false;
}
