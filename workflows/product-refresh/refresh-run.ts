import { CancellationScope, condition, isCancellation } from '@temporalio/workflow';
import type {
  RefreshActivities,
  RefreshPlan,
} from '../../activities/refresh/refresh-activities.js';
import { FAILURE_MEANINGS } from '../../domain/errors/failure-mapping.js';
import type { Product } from '../../domain/link/products.js';
import { FETCH_FOR_MS } from '../activity-options.js';
import type { CurrentDetails } from '../details/current-details.js';
import { WAITS } from '../details/wait-texts.js';
import { judgeAttempt, type Judgment, type Retry } from './judge-attempt.js';
import type { ProductRefreshInput } from './product-refresh.contract.js';
import type { RefreshRequests } from './refresh-requests.js';
import { bankOf } from './refresh-steps.js';
import { UPDATE_FOR_MS, updateFirst } from './update-first.js';

type PlannedProduct = RefreshPlan['products'][number];

/**
 * One run: its products are fetched concurrently and fail independently, except that a lost
 * permission ends them all. Requests made in the meantime are merged into it. link-lifecycle 7.2, 7.3.
 */
export class RefreshRunOfLink {
  private readonly inProgress = new Set<Product>();
  /** Products in progress whose fetch has started, with the id of their last attempt. */
  private readonly started = new Map<Product, string>();
  /**
   * Products that were settled and requested again before this run noticed the end of their fetch.
   */
  private readonly requestedAgain = new Map<Product, PlannedProduct>();
  /** Products that are neither stored nor failed. */
  private readonly unsettled = new Set<Product>();
  /** Products whose delay before the next attempt should end now. */
  private readonly expedited = new Set<Product>();
  private readonly scope = new CancellationScope();
  private readonly retryForMs: number;
  private anySucceeded = false;
  private permissionLost = false;
  /** Rows are stored under known accounts: a run that fetches both tries accounts first. */
  private accountsTried = true;
  private defect: unknown;

  constructor(
    private readonly plan: RefreshPlan,
    private readonly input: ProductRefreshInput,
    private readonly refresh: RefreshActivities,
    private readonly requests: RefreshRequests,
    private readonly details: CurrentDetails,
  ) {
    this.retryForMs =
      plan.environment === 'sandbox' ? input.fetchRetryForSandboxMs : input.fetchRetryForMs;
  }

  async run(): Promise<void> {
    const { linkId, run } = this.plan;
    try {
      await this.scope.run(async () => {
        if (await this.isReadable()) await this.fetchAll();
      });
    } catch (error) {
      if (!isCancellation(error)) throw error;
      if (!this.permissionLost) {
        // An operator canceled the run. The sweeper would request products left in progress again.
        await CancellationScope.nonCancellable(() => this.failUnsettled());
        throw error;
      }
    }
    await this.refresh.finishRefreshRun({ linkId, run, anySucceeded: this.anySucceeded });
  }

  /**
   * Makes the source update from its bank first, where it supports that. The products start before
   * the update, so that its failure counts as theirs. False = they failed with it.
   */
  private async isReadable(): Promise<boolean> {
    if (this.plan.updatesFirst !== true) return true;
    const { linkId, run, products } = this.plan;
    for (const { product } of products) {
      const name = await this.refresh.beginProduct({ linkId, run, product });
      if (name === null) continue;
      this.started.set(product, name);
      this.unsettled.add(product);
    }
    const { updateForMs = UPDATE_FOR_MS } = this.input;
    this.details.waitFor(WAITS.update(), { until: Date.now() + updateForMs });
    const failure = await updateFirst(this.plan, updateForMs, (...tried) => {
      const judged = this.judge(...tried);
      this.details.failed(judged.cause);
      return judged;
    });
    this.details.done();
    const started = [...this.started];
    this.started.clear();
    if (failure === null) return true;
    for (const [product, name] of started) {
      if (this.permissionLost) break;
      await this.fail(product, name, failure);
      this.unsettled.delete(product);
    }
    return false;
  }

  private async fetchAll(): Promise<void> {
    const { linkId, run } = this.plan;
    this.start(this.plan.products);
    for (;;) {
      await condition(
        () => this.inProgress.size === 0 || this.requests.waiting || this.defect !== undefined,
      );
      if (
        this.inProgress.size > 0 &&
        this.requests.waiting &&
        this.requests.areForNextExecution()
      ) {
        await condition(() => this.inProgress.size === 0 || this.defect !== undefined);
      }
      if (this.defect !== undefined) throw this.defect;
      if (this.inProgress.size === 0 || this.permissionLost) return;
      this.requests.take();
      const more = await this.refresh.joinRefreshRun({ linkId, run });
      if (more === null) continue;
      for (const product of more.joined) this.expedited.add(product);
      // The plan lists everything that has not started, including products that wait for their turn
      // in this run.
      this.start(more.products.filter(({ product }) => !this.inProgress.has(product)));
      for (const planned of more.products)
        if (this.started.has(planned.product)) this.requestedAgain.set(planned.product, planned);
    }
  }

  private start(products: readonly PlannedProduct[]): void {
    if (products.some(({ product }) => product === 'accounts')) this.accountsTried = false;
    for (const planned of products) {
      this.inProgress.add(planned.product);
      this.unsettled.add(planned.product);
      if (planned.attempt !== undefined) this.started.set(planned.product, planned.attempt);
      void this.fetch(planned)
        .then(() => this.unsettled.delete(planned.product))
        .catch((error: unknown) => {
          if (!this.permissionLost) this.defect ??= error;
        })
        .finally(() => {
          this.inProgress.delete(planned.product);
          this.details.done(planned.product);
          this.started.delete(planned.product);
          if (planned.product === 'accounts') this.accountsTried = true;
          this.startAgain(planned.product);
        });
    }
  }

  private startAgain(product: Product): void {
    const planned = this.requestedAgain.get(product);
    this.requestedAgain.delete(product);
    if (planned !== undefined && !this.permissionLost && this.defect === undefined)
      this.start([planned]);
  }

  private async fetch({ product, window, attempt: planned }: PlannedProduct): Promise<void> {
    const { linkId, run, provider, institutionId } = this.plan;
    if (product !== 'accounts') {
      this.details.waitFor(WAITS.accountsFirst(product), {}, product);
      await condition(() => this.accountsTried);
    }
    const startedAt = Date.now();
    let name = planned ?? (await this.refresh.beginProduct({ linkId, run, product }));
    this.started.set(product, name ?? run);
    for (let attempt = 1; name !== null; attempt += 1) {
      this.started.set(product, name);
      const until = Date.now() + FETCH_FOR_MS;
      this.details.waitFor(WAITS.fetch(product, attempt), { until }, product);
      const bank = bankOf(provider, `${product} of ${institutionId}, attempt ${attempt}`);
      try {
        const result = await bank.fetchProduct({ linkId, run: name, product, window });
        this.anySucceeded ||= result.kind === 'stored';
        return;
      } catch (error) {
        const failure = this.judge(error, attempt);
        const { cause, retry } = failure;
        this.details.failed(cause, product);
        if (product === 'accounts') this.accountsTried = true;
        if (retry === null || Date.now() - startedAt + retry.afterMs > retry.forMs)
          return this.fail(product, name, failure);
        await this.waitForRetry(product, retry);
        name = await this.refresh.retryProduct({ linkId, run: name, product });
      }
    }
  }

  private judge(error: unknown, attempt: number): Judgment {
    if (isCancellation(error) && this.scope.consideredCancelled) throw error;
    return judgeAttempt(error, attempt, this.input, this.retryForMs);
  }

  private async waitForRetry(
    product: Product,
    { afterMs, isProviderDelay: asked }: Retry,
  ): Promise<void> {
    this.expedited.delete(product);
    this.details.waitFor(WAITS.nextFetch(product), { until: Date.now() + afterMs }, product);
    await condition(() => !asked && this.expedited.has(product), afterMs, {
      summary: `next attempt for ${product}`,
    });
  }

  private async fail(
    product: Product,
    name: string,
    { retry: _, ...failure }: Judgment,
  ): Promise<void> {
    await this.refresh.failProduct({ linkId: this.plan.linkId, run: name, product, ...failure });
    if (!FAILURE_MEANINGS[failure.cause].endsPermission) return;
    // Every product of the run failed with it; those in progress must not call the bank again.
    this.permissionLost = true;
    this.scope.cancel();
  }

  private async failUnsettled(): Promise<void> {
    const { linkId, run } = this.plan;
    for (const product of this.unsettled)
      await this.refresh.failProduct({
        linkId,
        run: this.started.get(product) ?? run,
        product,
        cause: 'internal',
      });
  }
}
