import type { CallEnd } from '../../../../domain/errors/call-end.js';
import type { ProviderCause } from '../../../../domain/errors/provider-failure.js';
import type { ProductFacts } from '../../../../domain/refresh/product-transitions.js';
import type {
  PlannedProduct,
  ProductEvent,
  ProductEventName,
  ProductPhase,
  ProductPhaseName,
  RunEvent,
  RunEventName,
  RunPhase,
  RunPhaseName,
} from '../../../../domain/refresh/refresh-phase.js';

export const FACTS: ProductFacts = {
  now: 1_000_000,
  firstRetryMs: 5_000,
  retryForMs: 60_000,
  internalRetryForMs: 600_000,
  updateForMs: 120_000,
  accountsTried: true,
};

export const TRANSACTIONS: PlannedProduct = {
  product: 'transactions',
  window: { from: '2026-01-01', to: '2026-03-31' },
};
export const ACCOUNTS: PlannedProduct = { product: 'accounts', window: null };

/** A failure of the bank, which may be repeated unless `more` forbids it. */
export const failed = (cause: ProviderCause, more: object = {}): CallEnd => ({
  kind: 'failed',
  cause,
  mayRepeat: true,
  notBeforeMs: 0,
  ourDatabase: false,
  isOurQuota: false,
  ...more,
});

const PROGRESS = { planned: TRANSACTIONS, number: 1, startedAt: FACTS.now, lastCause: null };

/** The most common form of each phase of a product. */
export const PRODUCT: { [P in ProductPhaseName]: Extract<ProductPhase, { name: P }> } = {
  waitingForAccounts: { name: 'waitingForAccounts', planned: TRANSACTIONS },
  fetching: { name: 'fetching', ...PROGRESS, attempt: '1.1', attemptAt: FACTS.now, again: null },
  pausing: {
    name: 'pausing',
    ...PROGRESS,
    attempt: '1.1',
    until: FACTS.now + 5_000,
    isProviderDelay: false,
  },
  settled: { name: 'settled' },
};

const product = 'transactions' as const;
/** The most common form of each event of a product. */
export const PRODUCT_EVENT: {
  [E in ProductEventName]: Extract<ProductEvent, { name: E }>;
} = {
  accountsTried: { name: 'accountsTried' },
  begun: { name: 'begun', product, attempt: '1.2' },
  stored: { name: 'stored', product },
  stale: { name: 'stale', product },
  fetchFailed: { name: 'fetchFailed', product, end: failed('institution_down') },
  pauseOver: { name: 'pauseOver', product },
  expedited: { name: 'expedited' },
  requestedAgain: { name: 'requestedAgain', planned: TRANSACTIONS },
};

/** The most common form of each phase of a run. */
export const RUN: { [P in RunPhaseName]: Extract<RunPhase, { name: P }> } = {
  updating: {
    name: 'updating',
    planned: [ACCOUNTS, TRANSACTIONS],
    attempts: { accounts: '1.1', transactions: '1.2' },
    startedAt: FACTS.now,
    calls: 1,
    failures: 0,
    isFirst: true,
    lastCause: null,
  },
  fetching: {
    name: 'fetching',
    products: { transactions: PRODUCT.fetching },
    anySucceeded: false,
  },
  lost: { name: 'lost', anySucceeded: false },
};

/** The most common form of each event of a run. */
export const RUN_EVENT: { [E in RunEventName]: Extract<RunEvent, { name: E }> } = {
  begun: PRODUCT_EVENT.begun,
  stored: PRODUCT_EVENT.stored,
  stale: PRODUCT_EVENT.stale,
  fetchFailed: PRODUCT_EVENT.fetchFailed,
  pauseOver: PRODUCT_EVENT.pauseOver,
  updated: { name: 'updated' },
  updatePending: { name: 'updatePending', askAgainAfterMs: 2_000 },
  updateFailed: { name: 'updateFailed', end: failed('institution_down') },
  updatePauseOver: { name: 'updatePauseOver' },
  requestsWaiting: { name: 'requestsWaiting' },
  joined: { name: 'joined', products: [{ product: 'identity', window: null }], expedited: [] },
  canceled: { name: 'canceled' },
};
