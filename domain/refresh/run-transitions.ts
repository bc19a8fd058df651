import { FAILURE_MEANINGS } from '../errors/failure-mapping.js';
import { PRODUCTS, type Product } from '../link/products.js';
import { judgeFailure } from './fetch-failure.js';
import { decideProduct, SETTLED } from './product-transitions.js';
import type {
  PlannedProduct,
  ProductEvent,
  ProductResult,
  Products,
  RefreshEffect,
  RefreshFacts,
  RunDecision,
  RunEvent,
  RunEventName,
  RunEventNamed,
  RunNamed,
  RunPhase,
  RunPhaseName,
} from './refresh-phase.js';

/**
 * The events that each phase expects. Its row must have a move for each of them to compile; every
 * other event is ignored there.
 */
interface Expected {
  updating: 'begun' | 'updated' | 'updatePending' | 'updateFailed' | 'updatePauseOver' | 'canceled';
  fetching: ProductResult['name'] | 'requestsWaiting' | 'joined' | 'canceled';
  lost: never;
}

type Move<P extends RunPhaseName, E extends RunEventName> = (
  run: RunNamed<P>,
  event: RunEventNamed<E>,
  facts: RefreshFacts,
) => RunDecision;
type Table = { readonly [P in RunPhaseName]: { readonly [E in Expected[P]]: Move<P, E> } };

const MIN_UPDATE_PAUSE_MS = 1_000;
/**
 * The longer an update runs, the less often its progress is checked. This limits the events of a
 * long update.
 */
const UPDATE_PAUSE_SHARE = 0.1;

const ofProduct = (run: RunNamed<'fetching'>, event: ProductResult, facts: RefreshFacts) =>
  concluded(run, advance(run, event.product, event, facts));

/** The move for each event in each phase. Source: link-lifecycle 6.4, 7.2, 7.3. */
const TABLE: Table = {
  updating: {
    begun: (run, { product, attempt }, { now }) =>
      stay({
        ...run,
        startedAt: now,
        attempts: attempt === null ? run.attempts : { ...run.attempts, [product]: attempt },
      }),
    updated: startFetching,
    updatePending: (run, { askAgainAfterMs }, facts) => {
      const waitedMs = facts.now - run.startedAt;
      const ms = Math.max(MIN_UPDATE_PAUSE_MS, askAgainAfterMs, waitedMs * UPDATE_PAUSE_SHARE);
      // The source is read as it is.
      if (waitedMs + ms > facts.updateForMs) return startFetching(run, null, facts);
      return pauseUpdate({ ...run, isFirst: false }, ms);
    },
    updateFailed: (run, { end }, facts) => {
      const failures = run.failures + 1;
      const { failure, retry } = judgeFailure(end, failures, facts);
      const waitedMs = facts.now - run.startedAt;
      if (retry !== null && waitedMs + retry.afterMs <= Math.min(facts.updateForMs, retry.forMs))
        return pauseUpdate({ ...run, failures, lastCause: failure.cause }, retry.afterMs);
      const [first, ...others] = startedIn(run).map(
        (started) => ({ name: 'fail', ...started, failure }) as const,
      );
      if (first === undefined) return concluded(run, stay(ended(run)));
      // The first failure that ends the permission fails every product of the run.
      return FAILURE_MEANINGS[failure.cause].endsPermission
        ? concluded(run, lose([first], false))
        : concluded(run, { run: ended(run), effects: [first, ...others] });
    },
    updatePauseOver: (run) => {
      const call = run.calls + 1;
      return {
        run: { ...run, calls: call },
        effects: [{ name: 'update', isFirst: run.isFirst, call }],
      };
    },
    canceled: (run) => ({ run: ended(run), effects: startedIn(run).map(failCanceled) }),
  },

  fetching: {
    begun: ofProduct,
    stored: (run, event, facts) => ofProduct({ ...run, anySucceeded: true }, event, facts),
    stale: ofProduct,
    fetchFailed: ofProduct,
    pauseOver: ofProduct,
    requestsWaiting: (run) => ({ run, effects: [{ name: 'join' }] }),
    joined: (run, { products, expedited }, facts) => {
      const events: [Product, ProductEvent][] = [
        ...expedited.map((product): [Product, ProductEvent] => [product, { name: 'expedited' }]),
        ...inOrder(products).map((planned): [Product, ProductEvent] => [
          planned.product,
          { name: 'requestedAgain', planned },
        ]),
      ];
      return concluded(
        run,
        events.reduce<RunDecision>(
          (before, [product, event]) => after(before, product, event, facts),
          stay(run),
        ),
      );
    },
    // The sweeper would request products left in progress again.
    canceled: (run) => ({
      run: ended(run),
      effects: PRODUCTS.flatMap((product) => {
        const phase = run.products[product] ?? SETTLED;
        if (phase.name === 'settled') return [];
        const attempt = 'attempt' in phase ? phase.attempt : (phase.planned.attempt ?? null);
        return [failCanceled({ product, attempt })];
      }),
    }),
  },

  lost: {},
};

/** The names of all phases of a run, in their order. */
export const RUN_PHASES = Object.keys(TABLE) as readonly RunPhaseName[];
/** The names of all events of a run. */
export const RUN_EVENTS = [
  ...new Set(Object.values(TABLE).flatMap((row) => Object.keys(row))),
] as readonly RunEventName[];

/**
 * Whether a phase expects an event. Any other event changes nothing, and requests that wait stay
 * for the next phase or run.
 */
export function expects({ name }: RunPhase, event: RunEventName): boolean {
  return event in TABLE[name];
}

/** Nothing follows but the effects of the last decision. */
export function isOver(run: RunPhase): boolean {
  if (run.name === 'updating') return false;
  return run.name === 'lost' || Object.values(run.products).every(({ name }) => name === 'settled');
}

/** The first phase of a run that has just started, and its effects. */
export function startRun(
  planned: readonly PlannedProduct[],
  { updatesFirst }: { updatesFirst: boolean },
  facts: RefreshFacts,
): RunDecision {
  const updating: RunPhase = {
    name: 'updating',
    planned,
    attempts: {},
    startedAt: facts.now,
    calls: 1,
    failures: 0,
    isFirst: true,
    lastCause: null,
  };
  if (!updatesFirst) return startFetching(updating, null, facts);
  return {
    run: updating,
    effects: [
      ...planned.map(({ product }) => ({ name: 'begin', product }) as const),
      { name: 'update', isFirst: true, call: 1 },
    ],
  };
}

/** The next phase of a run, and its effects. Pure; never throws. */
export function decide(run: RunPhase, event: RunEvent, facts: RefreshFacts): RunDecision {
  // A move receives the phase of its row and the event of its name.
  const moves = TABLE[run.name] as Partial<Record<RunEventName, AnyMove>>;
  return moves[event.name]?.(run, event, facts) ?? stay(run);
}
type AnyMove = (run: RunPhase, event: RunEvent, facts: RefreshFacts) => RunDecision;

function startFetching(
  updating: RunNamed<'updating'>,
  _event: unknown,
  facts: RefreshFacts,
): RunDecision {
  const fetching: RunPhase = { name: 'fetching', products: {}, anySucceeded: false };
  const started = inOrder(updating.planned).reduce<RunDecision>(
    (before, planned) => after(before, planned.product, { name: 'requestedAgain', planned }, facts),
    stay(fetching),
  );
  return concluded(updating, started);
}

/** Accounts first, so that the others wait for them. */
function inOrder(planned: readonly PlannedProduct[]): PlannedProduct[] {
  return [
    ...planned.filter(({ product }) => product === 'accounts'),
    ...planned.filter(({ product }) => product !== 'accounts'),
  ];
}

/** An event of one product, after the effects of an earlier decision. */
function after(
  { run, effects }: RunDecision,
  product: Product,
  event: ProductEvent,
  facts: RefreshFacts,
): RunDecision {
  if (run.name !== 'fetching') return { run, effects };
  const next = advance(run, product, event, facts);
  return { run: next.run, effects: [...effects, ...next.effects] };
}

function advance(
  run: RunNamed<'fetching'>,
  product: Product,
  event: ProductEvent,
  facts: RefreshFacts,
): RunDecision {
  const { phase, effects } = decideProduct(run.products[product] ?? SETTLED, event, {
    ...facts,
    accountsTried: areAccountsTried(run.products),
  });
  if (effects.some(endsPermission)) return lose(effects, run.anySucceeded);
  const next = { ...run, products: { ...run.products, [product]: phase } };
  if (!areAccountsTried(next.products)) return { run: next, effects };
  return PRODUCTS.filter(
    (each) => next.products[each]?.name === 'waitingForAccounts',
  ).reduce<RunDecision>((before, each) => after(before, each, { name: 'accountsTried' }, facts), {
    run: next,
    effects,
  });
}

/** A failed attempt counts: the others need not wait for its retries. */
function areAccountsTried({ accounts }: Products): boolean {
  return accounts?.name !== 'fetching' || accounts.number > 1;
}

function endsPermission(effect: RefreshEffect): boolean {
  return effect.name === 'fail' && FAILURE_MEANINGS[effect.failure.cause].endsPermission;
}

/** Every product fails with this one; those in progress must not call the bank again. */
function lose(effects: readonly RefreshEffect[], anySucceeded: boolean): RunDecision {
  return { run: { name: 'lost', anySucceeded }, effects: [...effects, { name: 'cancelCalls' }] };
}

function ended(run: RunPhase): RunNamed<'fetching'> {
  return {
    name: 'fetching',
    products: {},
    anySucceeded: run.name !== 'updating' && run.anySucceeded,
  };
}

/** Ends a run that its decision has brought to its end. */
function concluded(before: RunPhase, decision: RunDecision): RunDecision {
  const { run, effects } = decision;
  if (run.name === 'updating' || !isOver(run) || isOver(before)) return decision;
  return { run, effects: [...effects, { name: 'finish', anySucceeded: run.anySucceeded }] };
}

function pauseUpdate(run: RunNamed<'updating'>, ms: number): RunDecision {
  return { run, effects: [{ name: 'pauseUpdate', ms }] };
}

const startedIn = ({ planned, attempts }: RunNamed<'updating'>) =>
  planned.flatMap(({ product }) => {
    const attempt = attempts[product];
    return attempt === undefined ? [] : [{ product, attempt }];
  });

const failCanceled = (started: { product: Product; attempt: string | null }): RefreshEffect => ({
  name: 'fail',
  ...started,
  failure: { cause: 'internal' },
});

const stay = (run: RunPhase): RunDecision => ({ run, effects: [] });
