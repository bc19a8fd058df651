import { judgeFailure } from './fetch-failure.js';
import type {
  PlannedProduct,
  ProductDecision,
  ProductEvent,
  ProductEventName,
  ProductPhase,
  ProductPhaseName,
  RefreshFacts,
} from './refresh-phase.js';

/**
 * The events that each phase expects. Its row must have a move for each of them to compile; every
 * other event is ignored there.
 */
interface Expected {
  waitingForAccounts: 'accountsTried' | 'requestedAgain';
  fetching: 'begun' | 'stored' | 'stale' | 'fetchFailed' | 'requestedAgain';
  pausing: 'pauseOver' | 'expedited' | 'requestedAgain';
  settled: 'requestedAgain';
}

/** `accountsTried`: no fetch of accounts is ahead of the other products. */
export interface ProductFacts extends RefreshFacts {
  accountsTried: boolean;
}

type PhaseNamed<N extends ProductPhaseName> = Extract<ProductPhase, { name: N }>;
type EventNamed<N extends ProductEventName> = Extract<ProductEvent, { name: N }>;
type Move<P extends ProductPhaseName, E extends ProductEventName> = (
  phase: PhaseNamed<P>,
  event: EventNamed<E>,
  facts: ProductFacts,
) => ProductDecision;
type Table = { readonly [P in ProductPhaseName]: { readonly [E in Expected[P]]: Move<P, E> } };

/** The move for each event in each phase. Source: link-lifecycle 7.2, 7.3. */
const TABLE: Table = {
  waitingForAccounts: {
    accountsTried: ({ planned }, _event, facts) => fetch(planned, facts),
    // Its fetch began with the run, and was settled elsewhere before its turn.
    requestedAgain: (phase, { planned }) => stay({ ...phase, planned }),
  },

  fetching: {
    begun: (phase, { attempt }, facts) =>
      attempt === null
        ? settle(phase.again, facts)
        : {
            phase: { ...phase, attempt, attemptAt: facts.now },
            effects: [{ name: 'fetch', planned: phase.planned, attempt, number: phase.number }],
          },
    stored: ({ again }, _event, facts) => settle(again, facts),
    stale: ({ again }, _event, facts) => settle(again, facts),
    fetchFailed: ({ planned, number, startedAt, attempt, again }, { end }, facts) => {
      // Settled elsewhere, so this attempt has nothing left to fail or to retry.
      if (again !== null) return start(again, facts);
      const { product } = planned;
      const { failure, retry: next } = judgeFailure(end, number, facts);
      if (attempt === null || next === null || facts.now - startedAt + next.afterMs > next.forMs)
        return { phase: SETTLED, effects: [{ name: 'fail', product, attempt, failure }] };
      const { afterMs, isProviderDelay } = next;
      const progress = { planned, number, startedAt, lastCause: failure.cause };
      return {
        phase: {
          name: 'pausing',
          attempt,
          until: facts.now + afterMs,
          isProviderDelay,
          ...progress,
        },
        effects: [{ name: 'pause', product, ms: afterMs }],
      };
    },
    requestedAgain: (phase, { planned }) => stay({ ...phase, again: planned }),
  },

  pausing: {
    pauseOver: (phase, _event, { now }) => retry(phase, now),
    // link-lifecycle 7.3: it tries now, but not before the time that the provider set.
    expedited: (phase, _event, { now }) =>
      phase.isProviderDelay ? stay(phase) : withoutPause(phase, retry(phase, now)),
    // Settled elsewhere in the meantime, so there is nothing left to retry.
    requestedAgain: (phase, { planned }, facts) => withoutPause(phase, start(planned, facts)),
  },

  settled: {
    requestedAgain: (_phase, { planned }, facts) => start(planned, facts),
  },
};

export const SETTLED: ProductPhase = { name: 'settled' };

/** The names of all phases of a product, in their order. */
export const PRODUCT_PHASES = Object.keys(TABLE) as readonly ProductPhaseName[];

/** The next phase of a product, and its effects. Pure; never throws. */
export function decideProduct(
  phase: ProductPhase,
  event: ProductEvent,
  facts: ProductFacts,
): ProductDecision {
  // A move receives the phase of its row and the event of its name.
  const moves = TABLE[phase.name] as Partial<Record<ProductEventName, AnyMove>>;
  return moves[event.name]?.(phase, event, facts) ?? stay(phase);
}
type AnyMove = (phase: ProductPhase, event: ProductEvent, facts: ProductFacts) => ProductDecision;

function start(planned: PlannedProduct, facts: ProductFacts): ProductDecision {
  return planned.product === 'accounts' || facts.accountsTried
    ? fetch(planned, facts)
    : stay({ name: 'waitingForAccounts', planned });
}

function fetch(planned: PlannedProduct, { now }: RefreshFacts): ProductDecision {
  const { product, attempt = null } = planned;
  return {
    phase: {
      name: 'fetching',
      planned,
      attempt,
      number: 1,
      startedAt: now,
      attemptAt: now,
      lastCause: null,
      again: null,
    },
    effects:
      attempt === null
        ? [{ name: 'begin', product }]
        : [{ name: 'fetch', planned, attempt, number: 1 }],
  };
}

function retry(
  { planned, attempt, number, startedAt, lastCause }: PhaseNamed<'pausing'>,
  now: number,
): ProductDecision {
  return {
    phase: {
      name: 'fetching',
      planned,
      attempt: null,
      number: number + 1,
      startedAt,
      attemptAt: now,
      lastCause,
      again: null,
    },
    effects: [{ name: 'retry', product: planned.product, attempt }],
  };
}

function withoutPause(
  { planned: { product } }: PhaseNamed<'pausing'>,
  { phase, effects }: ProductDecision,
): ProductDecision {
  return { phase, effects: [{ name: 'endPause', product }, ...effects] };
}

const settle = (again: PlannedProduct | null, facts: ProductFacts): ProductDecision =>
  again === null ? stay(SETTLED) : start(again, facts);

const stay = (phase: ProductPhase): ProductDecision => ({ phase, effects: [] });
