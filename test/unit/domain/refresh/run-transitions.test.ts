import {
  decide,
  expects,
  isOver,
  RUN_EVENTS,
  RUN_PHASES,
  startRun,
} from '../../../../domain/refresh/run-transitions.js';
import type {
  PlannedProduct,
  RunDecision,
  RunEvent,
  RunEventName,
  RunPhase,
  RunPhaseName,
} from '../../../../domain/refresh/refresh-phase.js';
import {
  ACCOUNTS,
  FACTS,
  failed,
  PRODUCT,
  RUN,
  RUN_EVENT,
  TRANSACTIONS,
} from './refresh-samples.js';

/** `phase: effects`, for the samples of this folder. Every other event is ignored. */
const EXPECTED: Readonly<Record<RunPhaseName, { readonly [E in RunEventName]?: string }>> = {
  updating: {
    begun: 'updating: ',
    updated: 'fetching: begin',
    updatePending: 'updating: pauseUpdate',
    updateFailed: 'updating: pauseUpdate',
    updatePauseOver: 'updating: update',
    canceled: 'fetching: fail fail',
  },
  fetching: {
    begun: 'fetching: fetch',
    stored: 'fetching: finish',
    stale: 'fetching: finish',
    fetchFailed: 'fetching: pause',
    pauseOver: 'fetching: ',
    requestsWaiting: 'fetching: join',
    joined: 'fetching: begin',
    canceled: 'fetching: fail',
  },
  lost: {},
};

const CELLS = RUN_PHASES.flatMap((phase) => RUN_EVENTS.map((event) => [phase, event] as const));
const shown = ({ run, effects }: RunDecision) =>
  `${run.name}: ${effects.map(({ name }) => name).join(' ')}`;
const next = (run: RunPhase, event: RunEvent, now = FACTS.now) =>
  shown(decide(run, event, { ...FACTS, now }));

describe('The table of a refresh run', () => {
  it.each(CELLS)('%s, %s', (phase, event) => {
    const expected = EXPECTED[phase][event];
    expect(expects(RUN[phase], event)).toBe(expected !== undefined);
    expect(next(RUN[phase], RUN_EVENT[event])).toBe(expected ?? `${phase}: `);
  });
});

describe('A run that starts', () => {
  const start = (...planned: PlannedProduct[]) => startRun(planned, { updatesFirst: false }, FACTS);

  it('fetches accounts first, whatever the order of its products', () => {
    const { run, effects } = start(TRANSACTIONS, ACCOUNTS);
    expect(effects).toEqual([{ name: 'begin', product: 'accounts' }]);
    expect(run).toMatchObject({ products: { transactions: { name: 'waitingForAccounts' } } });
  });

  it('fetches every product at once when accounts are not among them', () => {
    const { effects } = start(TRANSACTIONS, { product: 'identity', window: null });
    expect(effects).toMatchObject([{ product: 'transactions' }, { product: 'identity' }]);
  });

  it('starts its products before the update of their source, so that its failure is theirs', () => {
    const started = startRun([ACCOUNTS, TRANSACTIONS], { updatesFirst: true }, FACTS);
    expect(shown(started)).toBe('updating: begin begin update');
  });

  it('is over and finishes without a product', () => {
    expect(shown(start())).toBe('fetching: finish');
    expect(isOver(start().run)).toBe(true);
  });
});

describe('The products of a run', () => {
  const accountsFirst = startRun(
    [
      { ...ACCOUNTS, attempt: '1.1' },
      { ...TRANSACTIONS, attempt: '1.2' },
    ],
    { updatesFirst: false },
    FACTS,
  ).run;
  const accounts = { product: 'accounts' } as const;

  it.each([
    ['stored', { name: 'stored', ...accounts }, 'fetching: fetch'],
    [
      'failed once',
      { name: 'fetchFailed', ...accounts, end: failed('institution_down') },
      'fetching: pause fetch',
    ],
    [
      'failed finally',
      { name: 'fetchFailed', ...accounts, end: failed('not_supported', { mayRepeat: false }) },
      'fetching: fail fetch',
    ],
  ] as const)('are fetched when accounts are %s', (_title, event, expected) => {
    expect(next(accountsFirst, event)).toBe(expected);
  });

  it('end with the one whose permission is lost, and none of them calls the bank afterwards', () => {
    const end = failed('consent_expired', { mayRepeat: false });
    const decided = decide(accountsFirst, { name: 'fetchFailed', ...accounts, end }, FACTS);
    expect(shown(decided)).toBe('lost: fail cancelCalls finish');
    expect(isOver(decided.run)).toBe(true);
  });

  it('finish the run with success when any of them was stored', () => {
    const { run } = decide(accountsFirst, { name: 'stored', ...accounts }, FACTS);
    const end = failed('not_supported', { mayRepeat: false });
    const last = decide(run, { name: 'fetchFailed', product: 'transactions', end }, FACTS);
    expect(last.effects.at(-1)).toEqual({ name: 'finish', anySucceeded: true });
  });

  it('are each failed once when an operator cancels, in the name of their attempt or of the run', () => {
    const run: RunPhase = {
      ...RUN.fetching,
      products: {
        accounts: PRODUCT.settled,
        transactions: {
          ...PRODUCT.waitingForAccounts,
          planned: { ...TRANSACTIONS, attempt: '1.2' },
        },
        identity: { ...PRODUCT.fetching, attempt: null },
        account_numbers: PRODUCT.pausing,
      },
    };
    const { run: after, effects } = decide(run, RUN_EVENT.canceled, FACTS);
    const failure = { cause: 'internal' };
    expect(effects).toEqual([
      { name: 'fail', product: 'account_numbers', attempt: '1.1', failure },
      { name: 'fail', product: 'identity', attempt: null, failure },
      { name: 'fail', product: 'transactions', attempt: '1.2', failure },
    ]);
    expect(next(after, RUN_EVENT.canceled)).toBe('fetching: ');
  });
});

describe('A run that is over', () => {
  const over: RunPhase = { ...RUN.fetching, products: { transactions: PRODUCT.settled } };

  it.each(['begun', 'stored', 'stale', 'fetchFailed', 'pauseOver', 'canceled'] as const)(
    'has no effect left for a late event: %s',
    (event) => {
      expect(isOver(over)).toBe(true);
      expect(decide(over, RUN_EVENT[event], FACTS).effects).toEqual([]);
    },
  );
});

describe('A request during a run', () => {
  it('starts products that have not started, and ends pauses of those in progress', () => {
    const run = { ...RUN.fetching, products: { transactions: PRODUCT.pausing } };
    const joined: RunEvent = {
      name: 'joined',
      products: [{ product: 'identity', window: null }],
      expedited: ['transactions'],
    };
    expect(next(run, joined)).toBe('fetching: endPause retry begin');
  });

  it('makes other products wait for accounts that it names', () => {
    const joined: RunEvent = { name: 'joined', products: [TRANSACTIONS, ACCOUNTS], expedited: [] };
    const run = { ...RUN.fetching, products: { identity: PRODUCT.fetching } };
    expect(decide(run, joined, FACTS).effects).toEqual([{ name: 'begin', product: 'accounts' }]);
  });

  it('waits for the end of an update, and for the next run once this one is over', () => {
    expect(expects(RUN.updating, 'requestsWaiting')).toBe(false);
    expect(expects(RUN.lost, 'requestsWaiting')).toBe(false);
  });
});

describe('An update before a run', () => {
  const after = (ms: number) => FACTS.now + ms;

  it.each([
    ['the time that the source set', 0, 2_000, 2_000],
    ['a second at least', 0, 10, 1_000],
    ['a tenth of the time that has passed', 60_000, 10, 6_000],
  ])('is checked again after %s', (_title, waitedMs, askAgainAfterMs, ms) => {
    const pending = { name: 'updatePending', askAgainAfterMs } as const;
    const { run, effects } = decide(RUN.updating, pending, { ...FACTS, now: after(waitedMs) });
    expect(effects).toEqual([{ name: 'pauseUpdate', ms }]);
    expect(decide(run, RUN_EVENT.updatePauseOver, FACTS).effects).toEqual([
      { name: 'update', isFirst: false, call: 2 },
    ]);
  });

  it('ends at its time limit, and the source is read as it is', () => {
    expect(next(RUN.updating, RUN_EVENT.updatePending, after(FACTS.updateForMs - 1))).toBe(
      'fetching: begin',
    );
  });

  it('starts once more after a failure', () => {
    const { run } = decide(RUN.updating, RUN_EVENT.updateFailed, FACTS);
    expect(decide(run, RUN_EVENT.updatePauseOver, FACTS).effects).toMatchObject([
      { isFirst: true },
    ]);
  });

  it('fails every product that it started with its last failure', () => {
    const refused = { name: 'updateFailed', end: failed('institution_down') } as const;
    expect(next(RUN.updating, refused, after(FACTS.retryForMs))).toBe('fetching: fail fail finish');
    const end = failed('user_action_required', { mayRepeat: false });
    expect(next(RUN.updating, { name: 'updateFailed', end })).toBe('lost: fail cancelCalls finish');
  });
});
