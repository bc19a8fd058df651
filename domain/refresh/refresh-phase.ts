import type { CallEnd } from '../errors/call-end.js';
import type { ProviderCause } from '../errors/provider-failure.js';
import type { Product } from '../link/products.js';
import type { DayWindow } from './fetched-data.js';

export interface PlannedProduct {
  product: Product;
  /** The days to fetch; null for products without rows. */
  window: DayWindow | null;
  /** The name of its attempt, if the fetch started together with the run. */
  attempt?: string;
}

/** The rules of a run, and the time of an event in milliseconds since 1970. */
export interface RefreshFacts {
  now: number;
  /** Delay before the first retry; later ones double. */
  firstRetryMs: number;
  /** The retry period for bank failures in the environment of the link. */
  retryForMs: number;
  /** The retry period for internal failures: a lost worker or an unavailable database. */
  internalRetryForMs: number;
  /** The time limit of an update; afterwards the source is read as it is. */
  updateForMs: number;
}

/** The final failure of a product, as it is recorded. */
export interface FetchFailure {
  cause: ProviderCause;
  /** The source accepts no other call before this time; ISO 8601. */
  until?: string;
  /** The source was not called: the quota counted here has no calls left. */
  isOurQuota?: true;
}

/** The facts that a product keeps until it settles. */
interface Progress {
  planned: PlannedProduct;
  /** Attempts, from 1. */
  number: number;
  /** The start of the first attempt, from which the retry period counts. */
  startedAt: number;
  /** The reason that the last attempt failed; null = there was none. */
  lastCause: ProviderCause | null;
}

/** The state of one product of a run. */
export type ProductPhase =
  /** Rows are stored under known accounts, so a run that fetches both tries accounts first. */
  | { name: 'waitingForAccounts'; planned: PlannedProduct }
  /** `attempt`: null = the database is about to name it. */
  | ({
      name: 'fetching';
      attempt: string | null;
      attemptAt: number;
      /**
       * The product was settled and requested again before the end of its fetch was known here.
       * Null = it was not.
       */
      again: PlannedProduct | null;
    } & Progress)
  | ({ name: 'pausing'; attempt: string; until: number; isProviderDelay: boolean } & Progress)
  /** Stored, failed, or not to be fetched now. Also the state of a product that the run lacks. */
  | { name: 'settled' };

export type ProductPhaseName = ProductPhase['name'];
export type Products = Readonly<Partial<Record<Product, ProductPhase>>>;

/** The state of a run. It is over when it is lost, or when each of its products is settled. */
export type RunPhase =
  /**
   * The source updates from its bank before it is read. `attempts`: the products have started, so
   * that a failure of the update counts as theirs.
   */
  | {
      name: 'updating';
      planned: readonly PlannedProduct[];
      attempts: Readonly<Partial<Record<Product, string>>>;
      startedAt: number;
      calls: number;
      failures: number;
      /** The next call starts the update, and does not check its progress. */
      isFirst: boolean;
      lastCause: ProviderCause | null;
    }
  | { name: 'fetching'; products: Products; anySucceeded: boolean }
  /** The permission ended, and with it the run for every product. link-lifecycle 6.4. */
  | { name: 'lost'; anySucceeded: boolean };

export type RunPhaseName = RunPhase['name'];
export type RunNamed<N extends RunPhaseName> = Extract<RunPhase, { name: N }>;

/** The result of a step or call for one product. */
export type ProductResult =
  /** `attempt`: its name; null = the product must not be fetched now. */
  | { name: 'begun'; product: Product; attempt: string | null }
  | { name: 'stored'; product: Product }
  /** A newer run or attempt replaced this one. */
  | { name: 'stale'; product: Product }
  | { name: 'fetchFailed'; product: Product; end: CallEnd }
  | { name: 'pauseOver'; product: Product };

/** The events of a run. Every result of a step, a call or a timer is an event. */
export type RunEvent =
  | ProductResult
  | { name: 'updated' }
  | { name: 'updatePending'; askAgainAfterMs: number }
  | { name: 'updateFailed'; end: CallEnd }
  | { name: 'updatePauseOver' }
  /** Rows of requests wait. */
  | { name: 'requestsWaiting' }
  /**
   * The waiting requests were merged into the run. `products`: everything that has not started.
   * `expedited`: products in progress that were requested again (link-lifecycle 7.3: it tries now).
   */
  | { name: 'joined'; products: readonly PlannedProduct[]; expedited: readonly Product[] }
  /** An operator canceled the workflow. */
  | { name: 'canceled' };

export type RunEventName = RunEvent['name'];
export type RunEventNamed<N extends RunEventName> = Extract<RunEvent, { name: N }>;

/** The events of one product: its results, and the consequences of other events of the run. */
export type ProductEvent =
  | ProductResult
  | { name: 'accountsTried' }
  | { name: 'expedited' }
  | { name: 'requestedAgain'; planned: PlannedProduct };

export type ProductEventName = ProductEvent['name'];

/** The actions of a run. Steps of the database are performed in order, before the next event. */
export type RefreshEffect =
  // steps of the database; the first three end in an event
  | { name: 'begin'; product: Product }
  | { name: 'retry'; product: Product; attempt: string }
  | { name: 'join' }
  /** `attempt`: null = in the name of the whole run. */
  | { name: 'fail'; product: Product; attempt: string | null; failure: FetchFailure }
  | { name: 'finish'; anySucceeded: boolean }
  // calls and timers, which run beside them and end in an event
  | { name: 'fetch'; planned: PlannedProduct; attempt: string; number: number }
  | { name: 'pause'; product: Product; ms: number }
  | { name: 'update'; isFirst: boolean; call: number }
  | { name: 'pauseUpdate'; ms: number }
  // ends of those, without an event
  | { name: 'endPause'; product: Product }
  | { name: 'cancelCalls' };

export interface ProductDecision {
  phase: ProductPhase;
  effects: readonly RefreshEffect[];
}

export interface RunDecision {
  run: RunPhase;
  effects: readonly RefreshEffect[];
}
