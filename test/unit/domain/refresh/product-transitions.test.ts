import {
  decideProduct,
  PRODUCT_PHASES,
  type ProductFacts,
} from '../../../../domain/refresh/product-transitions.js';
import type {
  ProductEvent,
  ProductEventName,
  ProductPhase,
  ProductPhaseName,
} from '../../../../domain/refresh/refresh-phase.js';
import {
  ACCOUNTS,
  FACTS,
  failed,
  PRODUCT,
  PRODUCT_EVENT,
  TRANSACTIONS,
} from './refresh-samples.js';

/** `phase: effects`, for the samples of this folder. Every other event is ignored. */
const EXPECTED: Readonly<Record<ProductPhaseName, { readonly [E in ProductEventName]?: string }>> =
  {
    waitingForAccounts: {
      accountsTried: 'fetching: begin',
      requestedAgain: 'waitingForAccounts: ',
    },
    fetching: {
      begun: 'fetching: fetch',
      stored: 'settled: ',
      stale: 'settled: ',
      fetchFailed: 'pausing: pause',
      requestedAgain: 'fetching: ',
    },
    pausing: {
      pauseOver: 'fetching: retry',
      expedited: 'fetching: endPause retry',
      requestedAgain: 'fetching: endPause begin',
    },
    settled: { requestedAgain: 'fetching: begin' },
  };

const EVENTS = Object.keys(PRODUCT_EVENT) as ProductEventName[];
const CELLS = PRODUCT_PHASES.flatMap((phase) => EVENTS.map((event) => [phase, event] as const));
const next = (phase: ProductPhase, event: ProductEvent, facts: Partial<ProductFacts> = {}) => {
  const decision = decideProduct(phase, event, { ...FACTS, ...facts });
  return `${decision.phase.name}: ${decision.effects.map(({ name }) => name).join(' ')}`;
};

describe('The table of a product of a refresh', () => {
  it.each(CELLS)('%s, %s', (phase, event) => {
    const expected = EXPECTED[phase][event] ?? `${phase}: `;
    expect(next(PRODUCT[phase], PRODUCT_EVENT[event])).toBe(expected);
    if (EXPECTED[phase][event] === undefined)
      expect(decideProduct(PRODUCT[phase], PRODUCT_EVENT[event], FACTS).phase).toBe(PRODUCT[phase]);
  });
});

describe('A product that starts', () => {
  it('waits for accounts unless they were tried, and accounts wait for nothing', () => {
    const facts = { accountsTried: false };
    expect(next(PRODUCT.settled, PRODUCT_EVENT.requestedAgain, facts)).toBe('waitingForAccounts: ');
    const accounts = { name: 'requestedAgain', planned: ACCOUNTS } as const;
    expect(next(PRODUCT.settled, accounts, facts)).toBe('fetching: begin');
  });

  it('is fetched under the attempt that began with the run', () => {
    const planned = { ...TRANSACTIONS, attempt: '1.1' };
    const waiting = { name: 'waitingForAccounts', planned } as const;
    expect(decideProduct(waiting, PRODUCT_EVENT.accountsTried, FACTS).effects).toEqual([
      { name: 'fetch', planned, attempt: '1.1', number: 1 },
    ]);
  });

  it('is fetched under a new attempt when the one of the run was settled before its turn', () => {
    const planned = { ...TRANSACTIONS, attempt: '1.1' };
    const waiting = { name: 'waitingForAccounts', planned } as const;
    const again = decideProduct(waiting, PRODUCT_EVENT.requestedAgain, FACTS).phase;
    expect(next(again, PRODUCT_EVENT.accountsTried)).toBe('fetching: begin');
  });

  it('settles when the database does not let it be fetched now', () => {
    const refused = { name: 'begun', product: 'transactions', attempt: null } as const;
    expect(next({ ...PRODUCT.fetching, attempt: null }, refused)).toBe('settled: ');
  });
});

describe('A failed fetch', () => {
  const failing = (end: Parameters<typeof failed>, more: Partial<typeof PRODUCT.fetching> = {}) =>
    decideProduct(
      { ...PRODUCT.fetching, ...more },
      { name: 'fetchFailed', product: 'transactions', end: failed(...end) },
      FACTS,
    );

  it('is retried after twice the time of the attempt before, for ten minutes at most', () => {
    const pauses = [1, 2, 3, 20].map(
      (number) => failing(['institution_down', { ourDatabase: true }], { number }).effects[0],
    );
    expect(pauses).toMatchObject([5_000, 10_000, 20_000, 600_000].map((ms) => ({ ms })));
  });

  it('fails its product when it may not be repeated', () => {
    const { phase, effects } = failing(['no_permission', { mayRepeat: false }]);
    expect(phase.name).toBe('settled');
    expect(effects).toEqual([
      {
        name: 'fail',
        product: 'transactions',
        attempt: '1.1',
        failure: { cause: 'no_permission' },
      },
    ]);
  });

  it('fails its product once the next attempt would start after the retry period', () => {
    const last = { startedAt: FACTS.now - FACTS.retryForMs + 5_000 };
    expect(failing(['institution_down'], last).phase.name).toBe('pausing');
    const late = { startedAt: last.startedAt - 1 };
    expect(failing(['institution_down'], late).phase.name).toBe('settled');
  });

  it('has the longer period of internal failures when the database or the worker was lost', () => {
    const late = { ...PRODUCT.fetching, startedAt: FACTS.now - FACTS.retryForMs };
    const lost = { kind: 'lost' } as const;
    const event = { name: 'fetchFailed', product: 'transactions', end: lost } as const;
    expect(next(late, event)).toBe('pausing: pause');
    expect(failing(['internal', { ourDatabase: true }], late).phase.name).toBe('pausing');
    expect(failing(['internal'], late).phase.name).toBe('settled');
  });

  it('waits for the time that the provider set, which no request ends', () => {
    const { phase, effects } = failing(['rate_limited', { notBeforeMs: 30_000 }]);
    expect(effects).toMatchObject([{ name: 'pause', ms: 30_000 }]);
    expect(next(phase, PRODUCT_EVENT.expedited)).toBe('pausing: ');
  });

  it('waits for a quota counted here until an app requests the product', () => {
    const { phase } = failing(['rate_limited', { notBeforeMs: 30_000, isOurQuota: true }]);
    expect(next(phase, PRODUCT_EVENT.expedited)).toBe('fetching: endPause retry');
  });

  it('records the time until which the source accepts no call, and whose quota it is', () => {
    const end = { mayRepeat: false, notBeforeMs: 60_000, isOurQuota: true };
    expect(failing(['rate_limited', end]).effects).toMatchObject([
      {
        failure: {
          cause: 'rate_limited',
          until: new Date(FACTS.now + 60_000).toISOString(),
          isOurQuota: true,
        },
      },
    ]);
  });

  it('has the next number and the same start when it is retried', () => {
    const { phase } = failing(['institution_down'], { number: 2 });
    expect(decideProduct(phase, PRODUCT_EVENT.pauseOver, FACTS)).toMatchObject({
      phase: { name: 'fetching', attempt: null, number: 3, startedAt: PRODUCT.fetching.startedAt },
      effects: [{ name: 'retry', product: 'transactions', attempt: '1.1' }],
    });
  });
});

describe('A product that was settled and requested again before the end of its fetch was known', () => {
  const again = decideProduct(PRODUCT.fetching, PRODUCT_EVENT.requestedAgain, FACTS).phase;

  it.each(['stored', 'stale', 'fetchFailed'] as const)('starts again after %s', (event) => {
    expect(next(again, PRODUCT_EVENT[event])).toBe('fetching: begin');
  });
});
