import { CancellationScope, condition, isCancellation, sleep } from '@temporalio/workflow';
import type { RefreshPlan } from '../../activities/refresh/refresh-activities.js';
import type { Product } from '../../domain/link/products.js';
import type { RefreshEffect, RunEvent } from '../../domain/refresh/refresh-phase.js';
import { endOfActivity } from '../provider-cause.js';
import { bankOf, updateOf } from './refresh-steps.js';

type EffectNamed<N extends RefreshEffect['name']> = Extract<RefreshEffect, { name: N }>;

/** The effects that run beside the steps of the database. */
export type CallEffect = EffectNamed<
  'fetch' | 'pause' | 'update' | 'pauseUpdate' | 'endPause' | 'cancelCalls'
>;

/** The calls of a run at its bank, its pauses, and the events in which they ended, in their order. */
export class RefreshCalls {
  private readonly scope = new CancellationScope();
  private readonly pauses = new Map<Product, CancellationScope>();
  private readonly arrived: RunEvent[] = [];
  private defect: unknown;

  constructor(private readonly plan: RefreshPlan) {}

  perform(effect: CallEffect): void {
    switch (effect.name) {
      case 'fetch':
        return this.start(() => this.fetch(effect));
      case 'update':
        return this.start(() => this.update(effect));
      case 'pauseUpdate':
        return this.start(() => this.pauseUpdate(effect));
      case 'pause':
        return this.pause(effect);
      case 'endPause':
        return this.pauses.get(effect.product)?.cancel();
      case 'cancelCalls':
        return this.scope.cancel();
    }
  }

  /** The next event in its order; requests are merged once no other event waits. */
  async next(hasRequests: () => boolean): Promise<RunEvent> {
    await condition(() => this.arrived.length > 0 || this.defect !== undefined || hasRequests());
    if (this.defect !== undefined) throw this.defect;
    return this.arrived.shift() ?? { name: 'requestsWaiting' };
  }

  private start(work: () => Promise<RunEvent>, scope = this.scope): void {
    void scope.run(work).then(
      (event) => this.arrived.push(event),
      (error: unknown) => {
        // The run is lost, its pause has ended, or an operator canceled the workflow.
        if (!(isCancellation(error) && scope.consideredCancelled)) this.defect ??= error;
      },
    );
  }

  private async fetch({ planned, attempt, number }: EffectNamed<'fetch'>): Promise<RunEvent> {
    const { linkId, provider, institutionId } = this.plan;
    const { product, window } = planned;
    const bank = bankOf(provider, `${product} of ${institutionId}, attempt ${number}`);
    try {
      const { kind } = await bank.fetchProduct({ linkId, run: attempt, product, window });
      return { name: kind, product };
    } catch (error) {
      return { name: 'fetchFailed', product, end: this.endOf(error) };
    }
  }

  private async update({ isFirst, call }: EffectNamed<'update'>): Promise<RunEvent> {
    const { linkId, run, provider, institutionId } = this.plan;
    const bank = updateOf(provider, `update of ${institutionId}, call ${call}`);
    try {
      const result = await bank.updateAtProvider({ linkId, run, isFirst });
      return result.kind === 'pending'
        ? { name: 'updatePending', askAgainAfterMs: result.askAgainAfterMs }
        : { name: 'updated' };
    } catch (error) {
      return { name: 'updateFailed', end: this.endOf(error) };
    }
  }

  private async pauseUpdate({ ms }: EffectNamed<'pauseUpdate'>): Promise<RunEvent> {
    await sleep(ms, { summary: `update of ${this.plan.institutionId}` });
    return { name: 'updatePauseOver' };
  }

  private pause({ product, ms }: EffectNamed<'pause'>): void {
    const scope = new CancellationScope({ cancellable: true, parent: this.scope });
    this.pauses.set(product, scope);
    this.start(async () => {
      await sleep(ms, { summary: `next attempt for ${product}` });
      return { name: 'pauseOver', product };
    }, scope);
  }

  private endOf(error: unknown) {
    if (isCancellation(error) && this.scope.consideredCancelled) throw error;
    return endOfActivity(error);
  }
}
