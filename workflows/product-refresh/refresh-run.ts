import { CancellationScope, isCancellation } from '@temporalio/workflow';
import type {
  RefreshActivities,
  RefreshPlan,
} from '../../activities/refresh/refresh-activities.js';
import type { RefreshEffect, RefreshFacts, RunEvent } from '../../domain/refresh/refresh-phase.js';
import { decide, expects, isOver, startRun } from '../../domain/refresh/run-transitions.js';
import type { CurrentDetails } from '../details/current-details.js';
import { showRun } from './run-view.js';
import type { ProductRefreshInput } from './product-refresh.contract.js';
import { RefreshCalls } from './refresh-calls.js';
import type { RefreshRequests } from './refresh-requests.js';

/** The time limit of an update; afterwards the source is read as it is. */
const UPDATE_FOR_MS = 600_000;

interface RunParts {
  refresh: RefreshActivities;
  requests: RefreshRequests;
  details: CurrentDetails;
}

/**
 * One run: performs the effects of each decision and awaits the next event. Steps of the database
 * end before the next event; calls of the bank and pauses run beside them. link-lifecycle 7.2, 7.3.
 */
export async function runRefresh(
  plan: RefreshPlan,
  input: ProductRefreshInput,
  { refresh, requests, details }: RunParts,
): Promise<void> {
  const calls = new RefreshCalls(plan);
  const { updatesFirst = false } = plan;
  const facts = () => factsOf(plan, input);
  let { run, effects } = startRun(plan.products, { updatesFirst }, facts());
  const open = [...effects];

  async function nextEvent(): Promise<RunEvent | null> {
    const effect = open.shift();
    if (effect !== undefined) return perform(effect);
    const mayJoin = expects(run, 'requestsWaiting') && !requests.areForNextExecution();
    return calls.next(() => mayJoin && requests.waiting);
  }

  async function perform(effect: RefreshEffect): Promise<RunEvent | null> {
    const { linkId } = plan;
    switch (effect.name) {
      case 'begin': {
        const { product } = effect;
        const attempt = await refresh.beginProduct({ linkId, run: plan.run, product });
        return { name: 'begun', product, attempt };
      }
      case 'retry': {
        const { product } = effect;
        const attempt = await refresh.retryProduct({ linkId, run: effect.attempt, product });
        return { name: 'begun', product, attempt };
      }
      case 'join': {
        requests.take();
        const more = await refresh.joinRefreshRun({ linkId, run: plan.run });
        if (more === null) return null;
        return { name: 'joined', products: more.products, expedited: more.joined };
      }
      case 'fail': {
        const { product, attempt, failure } = effect;
        await refresh.failProduct({ linkId, run: attempt ?? plan.run, product, ...failure });
        return null;
      }
      case 'finish': {
        const { anySucceeded } = effect;
        await refresh.finishRefreshRun({ linkId, run: plan.run, anySucceeded });
        return null;
      }
      default:
        calls.perform(effect);
        return null;
    }
  }

  try {
    while (open.length > 0 || !isOver(run)) {
      showRun(details, run, plan, facts());
      const event = await nextEvent();
      if (event === null) continue;
      ({ run, effects } = decide(run, event, facts()));
      open.push(...effects);
    }
  } catch (error) {
    if (!isCancellation(error)) throw error;
    await CancellationScope.nonCancellable(async () => {
      ({ effects } = decide(run, { name: 'canceled' }, facts()));
      for (const effect of effects) await perform(effect);
    });
    throw error;
  } finally {
    showRun(details, null, plan, facts());
  }
}

/** Workflow time is that of the current task. */
function factsOf({ environment }: RefreshPlan, input: ProductRefreshInput): RefreshFacts {
  const { firstRetryMs, fetchRetryForMs, fetchRetryForSandboxMs } = input;
  return {
    now: Date.now(),
    firstRetryMs,
    retryForMs: environment === 'sandbox' ? fetchRetryForSandboxMs : fetchRetryForMs,
    internalRetryForMs: fetchRetryForMs,
    updateForMs: input.updateForMs ?? UPDATE_FOR_MS,
  };
}
