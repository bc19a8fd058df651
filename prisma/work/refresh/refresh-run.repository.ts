import type { Product } from '../../../domain/link/products.js';
import type { ProviderCause } from '../../../domain/errors/provider-failure.js';
import type { Context } from '../../base/context.js';
import type { Tx } from '../../base/database/tx.js';
import { beginProducts, startProducts } from './start-products.js';
import { countRun, DEFAULT_REFRESH_RULES, type RefreshRules } from './count-run.js';
import { failProduct, type FailureDetail } from './fail-product.js';
import { forgetLoginUser } from './login-user.js';
import {
  findProduct,
  isLatestAttempt,
  judgeProduct,
  lockLinkOfRun,
  lockLiveLink,
  attemptName,
} from './refresh-fence.js';
import { isFetchable, takeRefreshRequests, type RefreshRun } from './take-refresh-requests.js';
import type { Link } from '../../generated/client.js';

/**
 * The course of a run and of its attempts. Every write locks the link, and does nothing when a newer
 * run replaced this one, the link ended, or the product has been settled.
 */
export class RefreshRunRepository {
  constructor(
    private readonly ctx: Context,
    private readonly rules: RefreshRules = DEFAULT_REFRESH_RULES,
  ) {}

  /**
   * Starts a run with everything that is waiting or was left unfinished; null = nothing to do.
   * Earlier runs may no longer write. Starts the fetch of each product in the same transaction,
   * except where the source is updated first: there `beginProduct` does so before and after the
   * update.
   */
  async beginRun(linkId: string): Promise<RefreshRun | null> {
    return this.ctx.database.transaction(async (tx) => {
      const link = await lockLiveLink(tx, linkId);
      if (link === null) return null;
      const also = { revision: { increment: 1 } };
      const run = await takeRefreshRequests(this.ctx, tx, link, null, also, this.rules.sources);
      return run === null || run.updatesFirst === true
        ? run
        : beginProducts(this.ctx, tx, link, run);
    });
  }

  /**
   * Adds products requested since then to the current run; null = nothing new, or the run is stale.
   */
  async joinRun(linkId: string, run: string): Promise<RefreshRun | null> {
    return this.ctx.database.transaction(async (tx) => {
      const link = await lockLinkOfRun(tx, linkId, run);
      return link === null
        ? null
        : takeRefreshRequests(this.ctx, tx, link, run, {}, this.rules.sources);
    });
  }

  /**
   * "Fetch begins". Returns the name of the attempt, which its writes carry; null = the product
   * must not be fetched now. A product that a lost run left unfinished starts again: the same
   * fetch, another attempt.
   */
  async beginProduct(linkId: string, run: string, product: Product): Promise<string | null> {
    return this.ctx.database.transaction(async (tx) => {
      const link = await lockLinkOfRun(tx, linkId, run);
      const row = link === null ? null : await findProduct(tx, link.pk, product);
      if (link === null || row === null || !row.granted || !isFetchable(link)) return null;
      const verdict = judgeProduct(row, 'fetch_begins');
      if (verdict.kind === 'refused') return null;
      return this.markAttempt(tx, link, product);
    });
  }

  /**
   * "Fetch retried internally", after the latest attempt. Returns as `beginProduct` does; the
   * previous attempt may no longer write.
   */
  async retriedProduct(linkId: string, run: string, product: Product): Promise<string | null> {
    return this.ctx.database.transaction(async (tx) => {
      const link = await lockLinkOfRun(tx, linkId, run);
      const row = link === null ? null : await findProduct(tx, link.pk, product);
      if (
        link === null ||
        row === null ||
        !isLatestAttempt(link, row, run) ||
        judgeProduct(row, 'fetch_retried').kind !== 'change'
      )
        return null;
      return this.markAttempt(tx, link, product);
    });
  }

  /**
   * "Final failure" of the latest attempt; `failProduct` decides the consequences when the
   * permission has ended. Returns the provider and institution of the link; null = another attempt
   * replaced this one.
   */
  async failProduct(
    linkId: string,
    run: string,
    product: Product,
    cause: ProviderCause,
    detail: FailureDetail = {},
  ): Promise<Pick<Link, 'provider' | 'institutionId'> | null> {
    return this.ctx.database.transaction(async (tx) => {
      const link = await lockLinkOfRun(tx, linkId, run);
      const row = link === null ? null : await findProduct(tx, link.pk, product);
      if (link === null || row === null || !isLatestAttempt(link, row, run)) return null;
      await failProduct(this.ctx, tx, link, row, cause, detail);
      return { provider: link.provider, institutionId: link.institutionId };
    });
  }

  /** Ends the run, and counts it once toward consecutive failures. */
  async finishRun(
    linkId: string,
    run: string,
    { anySucceeded }: { anySucceeded: boolean },
  ): Promise<void> {
    await this.ctx.database.transaction(async (tx) => {
      const link = await lockLinkOfRun(tx, linkId, run);
      if (link === null || link.finishedRun >= link.refreshRun) return;
      await countRun(this.ctx, tx, link, anySucceeded, this.rules);
      await forgetLoginUser(tx, link.pk);
    });
  }

  private async markAttempt(tx: Tx, link: Link, product: Product): Promise<string | null> {
    const [started] = await startProducts(this.ctx, tx, link, link.refreshRun, [product]);
    await tx.link.update({
      where: { pk: link.pk },
      data: { revision: { increment: 1 } },
      select: { pk: true },
    });
    return started === undefined ? null : attemptName(link.refreshRun, started.attemptNo);
  }
}
