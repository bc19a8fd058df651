import type { Product } from '../../../domain/link/products.js';
import type { Context } from '../../base/context.js';
import type { Tx } from '../../base/database/tx.js';
import { DEFAULT_REFRESH_RULES, type RefreshRules } from './count-run.js';
import { lockLink } from '../../links/link/link-transition.js';
import { requeueOverdue } from './requeue-overdue.js';
import { requestProviderRefresh } from './request-provider-refresh.js';
import { requestRefresh, type RefreshCause } from './request-refresh.js';

/** Requests of refreshes by the service itself, and those that a lost run left unfinished. */
export class RefreshRequestRepository {
  constructor(
    private readonly ctx: Context,
    private readonly rules: RefreshRules = DEFAULT_REFRESH_RULES,
  ) {}

  /** Requests a fetch of products, in the caller's transaction. */
  async requestProducts(
    tx: Tx,
    linkPk: bigint,
    products: readonly Product[],
    cause: RefreshCause,
  ): Promise<void> {
    await requestRefresh(this.ctx, tx, await lockLink(tx, linkPk), products, cause);
  }

  /** The same because the source of the link reports new data. False = nothing can be fetched now. */
  async requestProviderRefresh(
    tx: Tx,
    linkPk: bigint,
    products: readonly Product[],
  ): Promise<boolean> {
    return requestProviderRefresh(this.ctx, tx, linkPk, products, this.rules);
  }

  /** For the sweeper: `now` is real time. Returns the number of restarted links. */
  async requeueOverdue(now: Date, olderThanMs: number): Promise<number> {
    return this.ctx.database.transaction((tx) => requeueOverdue(tx, now, olderThanMs));
  }
}
