import type { CallEnd } from '../../../../domain/errors/call-end.js';
import { FAILURE_MEANINGS } from '../../../../domain/errors/failure-mapping.js';
import { PRODUCTS, type Product } from '../../../../domain/link/products.js';
import type {
  PlannedProduct,
  RefreshEffect,
  RunDecision,
  RunEvent,
  RunPhase,
} from '../../../../domain/refresh/refresh-phase.js';
import { decide, expects, isOver, startRun } from '../../../../domain/refresh/run-transitions.js';
import { failed, FACTS } from './refresh-samples.js';

/** The promises of a run, as the titles of their tests. */
export type Kept =
  | 'settles each product that it started, and none twice'
  | 'ends, and finishes once with its last effect'
  | 'calls the bank for one attempt of a product at a time, and never twice for one attempt'
  | 'starts no product while accounts are fetched for the first time'
  | 'calls no bank after the permission was lost'
  | 'loses no request that was made while it ran'
  | 'ends no pause that the provider set before a product was settled'
  | 'begins no pause that ends after the retry period'
  | 'finishes with success exactly when a product was stored'
  | 'leaves nothing in progress when an operator cancels it';

export interface Order {
  requested: readonly Product[];
  updatesFirst: boolean;
  /** Each is one choice of the bank, of apps or of an operator. */
  choices: readonly number[];
}

interface Row {
  state: 'pending' | 'in_progress' | 'settled';
  attempts: number;
}

type Open = Extract<RefreshEffect, { name: 'fetch' | 'pause' | 'update' | 'pauseUpdate' }>;

const DRAIN = 500;
const ENDS: readonly CallEnd[] = [
  failed('institution_down'),
  failed('institution_down'),
  failed('rate_limited', { notBeforeMs: 20_000 }),
  failed('rate_limited', { notBeforeMs: 20_000, isOurQuota: true }),
  { kind: 'lost' },
  failed('no_permission', { mayRepeat: false }),
  failed('consent_expired', { mayRepeat: false }),
];

/** The run in one order of events, with the promises that it broke and the phases that it entered. */
export function runInOrder(order: Order): {
  broken: ReadonlyMap<Kept, string>;
  phases: ReadonlySet<string>;
} {
  const model = new RefreshModel(order);
  for (const choice of order.choices) model.choose(choice);
  model.drain();
  return model;
}

/**
 * The workflow of a refresh around the table, with a link whose rows behave as those of the
 * database, and a bank that responds in any order.
 */
class RefreshModel {
  readonly broken = new Map<Kept, string>();
  readonly phases = new Set<string>();
  private readonly rows = new Map<Product, Row>();
  private readonly requests: Set<Product>;
  /** Requests were made since the run last merged them. */
  private hasSignal = false;
  private readonly open: Open[] = [];
  private readonly arrived: RunEvent[] = [];
  private readonly called = new Set<string>();
  /** Attempts whose end the workflow missed while their workers still run. */
  private readonly abandoned: { product: Product; attempt: string }[] = [];
  private readonly storedEarly = new Set<string>();
  /** The attempt of the last call of each product, its start, and the way in which it ended. */
  private readonly last = new Map<Product, { attempt: string; startedAt: number; end?: CallEnd }>();
  private readonly providerPauses = new Set<RefreshEffect>();
  /** Attempts that were settled. */
  private readonly ended = new Set<string>();
  private now = FACTS.now;
  private run: RunPhase;
  private wasLost = false;
  private anyStored = false;
  private finishes = 0;
  private isCanceled = false;

  constructor({ updatesFirst, requested }: Order) {
    this.requests = new Set(requested);
    const planned = this.take(true);
    const started = updatesFirst
      ? planned
      : planned.map(({ product, window }) => ({
          product,
          window,
          attempt: this.begin(product) ?? '',
        }));
    const first = startRun(
      started.map(({ attempt, ...rest }) => (attempt ? { ...rest, attempt } : rest)),
      { updatesFirst },
      this.facts,
    );
    this.run = first.run;
    this.follow(first);
  }

  // ---- choices ----

  choose(choice: number): void {
    this.now += choice % 2_000;
    const which = Math.floor(choice / 2_000) % 20;
    const pick = Math.floor(choice / 40_000);
    if (which < 8) this.end(choice % 7, { end: choice % 9 });
    else if (which < 13) this.process();
    else if (which < 17) this.request(PRODUCTS[choice % PRODUCTS.length] ?? 'accounts');
    else if (which < 19) this.storeLate(choice);
    else if (pick === 0 && choice % 3 === 0) this.cancel();
  }

  /** Everything still open ends well. */
  drain(): void {
    for (let round = 0; round < DRAIN && !this.isDone(); round += 1) {
      this.now += 1_000;
      this.end(0, { end: 8 });
      this.process();
    }
    if (!this.isDone()) this.breaks('ends, and finishes once with its last effect', 'endless');
    this.checkEnd();
  }

  /** One open call ends, and its end waits for the workflow. */
  private end(position: number, { end }: { end: number }): void {
    const [call] = this.open.splice(position % Math.max(1, this.open.length), 1);
    if (call === undefined) return;
    const failure = ENDS[end];
    switch (call.name) {
      case 'pauseUpdate':
        this.arrived.push({ name: 'updatePauseOver' });
        return;
      case 'pause':
        this.arrived.push({ name: 'pauseOver', product: call.product });
        return;
      case 'update':
        this.arrived.push(
          failure !== undefined
            ? { name: 'updateFailed', end: failure }
            : end === 7
              ? { name: 'updatePending', askAgainAfterMs: 10 }
              : { name: 'updated' },
        );
        return;
      case 'fetch': {
        const { attempt } = call;
        const { product } = call.planned;
        if (failure === undefined) {
          const isStored = this.storedEarly.has(attempt) || this.store(product, attempt);
          this.arrived.push({ name: isStored ? 'stored' : 'stale', product });
        } else if (this.storedEarly.has(attempt)) {
          this.arrived.push({ name: 'fetchFailed', product, end: { kind: 'lost' } });
        } else {
          if (failure.kind === 'lost') this.abandoned.push({ product, attempt });
          this.arrived.push({ name: 'fetchFailed', product, end: failure });
        }
      }
    }
  }

  private request(product: Product): void {
    if (this.isDone()) return;
    const row = this.row(product);
    if (row.state === 'settled') row.state = 'pending';
    this.requests.add(product);
    this.hasSignal = true;
  }

  /** A worker that was taken for lost stores its rows, or an open call stores before its end is known. */
  private storeLate(choice: number): void {
    const late = this.abandoned.splice(choice % Math.max(1, this.abandoned.length), 1)[0];
    if (late !== undefined) this.store(late.product, late.attempt);
    const call = this.open.find(({ name }) => name === 'fetch');
    if (late === undefined && call?.name === 'fetch')
      if (this.store(call.planned.product, call.attempt)) this.storedEarly.add(call.attempt);
  }

  private cancel(): void {
    if (this.isDone()) return;
    this.isCanceled = true;
    const canceled = decide(this.run, { name: 'canceled' }, this.facts);
    this.run = canceled.run;
    for (const effect of canceled.effects) this.perform(effect);
    const left = [...this.rows].filter(([, { state }]) => state === 'in_progress');
    if (left.length > 0)
      this.breaks('leaves nothing in progress when an operator cancels it', String(left[0]?.[0]));
  }

  /** The workflow takes its next event: the results first, then requests. */
  private process(): void {
    if (this.isDone()) return;
    const event = this.arrived.shift();
    if (event !== undefined) return this.follow(this.decide(event));
    if (!this.hasSignal || !expects(this.run, 'requestsWaiting')) return;
    this.follow(this.decide({ name: 'requestsWaiting' }));
  }

  // ---- the workflow ----

  private get facts() {
    return { ...FACTS, now: this.now };
  }

  private isDone(): boolean {
    return this.isCanceled || isOver(this.run);
  }

  private decide(event: RunEvent): RunDecision {
    if (event.name === 'stored') this.anyStored ||= this.run.name === 'fetching';
    const last = 'product' in event ? this.last.get(event.product) : undefined;
    if (last !== undefined && event.name === 'fetchFailed') last.end = event.end;
    if (last !== undefined && (event.name === 'stored' || event.name === 'stale'))
      this.ended.add(last.attempt);
    return decide(this.run, event, this.facts);
  }

  /** Performs steps in their order, as workflows/product-refresh/refresh-run.ts does. */
  private follow(first: RunDecision): void {
    const effects = [...first.effects];
    this.run = first.run;
    this.note();
    for (let effect = effects.shift(); effect !== undefined; effect = effects.shift()) {
      const isLast = effects.length === 0;
      const event = this.perform(effect, isLast && isOver(this.run));
      if (event === null) continue;
      const decision = this.decide(event);
      this.run = decision.run;
      this.note();
      effects.push(...decision.effects);
    }
  }

  private note(): void {
    this.phases.add(this.run.name);
    if (this.run.name === 'fetching')
      for (const { name } of Object.values(this.run.products)) this.phases.add(name);
  }

  private perform(effect: RefreshEffect, isEnd = false): RunEvent | null {
    switch (effect.name) {
      case 'begin':
        return { name: 'begun', product: effect.product, attempt: this.begin(effect.product) };
      case 'retry':
        return {
          name: 'begun',
          product: effect.product,
          attempt: this.isLatest(effect.product, effect.attempt)
            ? this.begin(effect.product)
            : null,
        };
      case 'join': {
        this.hasSignal = false;
        const expedited = [...this.requests].filter(
          (product) => this.row(product).state === 'in_progress',
        );
        const products = this.take(false);
        return products.length + expedited.length === 0
          ? null
          : { name: 'joined', products, expedited };
      }
      case 'fail':
        this.fail(effect);
        return null;
      case 'finish':
        this.finishes += 1;
        if (!isEnd) this.breaks('ends, and finishes once with its last effect', 'not the last');
        if (effect.anySucceeded !== this.anyStored)
          this.breaks('finishes with success exactly when a product was stored', 'differs');
        return null;
      case 'endPause':
        this.endPause(effect.product);
        return null;
      case 'cancelCalls':
        this.open.length = 0;
        return null;
      default:
        this.call(effect);
        return null;
    }
  }

  private call(effect: Open): void {
    if (this.wasLost) this.breaks('calls no bank after the permission was lost', effect.name);
    if (effect.name === 'fetch') {
      const { planned, attempt } = effect;
      const calls = this.open.filter((call) => call.name === 'fetch');
      const isDouble = calls.some((call) => call.planned.product === planned.product);
      if (isDouble || this.called.has(attempt))
        this.breaks(
          'calls the bank for one attempt of a product at a time, and never twice for one attempt',
          attempt,
        );
      this.called.add(attempt);
      const before = this.last.get(planned.product);
      const startedAt = effect.number === 1 ? this.now : (before?.startedAt ?? this.now);
      this.last.set(planned.product, { attempt, startedAt });
      const isAhead = calls.some(
        (call) => call.planned.product === 'accounts' && call.number === 1,
      );
      if (planned.product !== 'accounts' && effect.number === 1 && isAhead)
        this.breaks(
          'starts no product while accounts are fetched for the first time',
          planned.product,
        );
    }
    if (effect.name === 'pause') this.notePause(effect);
    this.open.push(effect);
  }

  private notePause(pause: Extract<RefreshEffect, { name: 'pause' }>): void {
    const { end = { kind: 'lost' }, startedAt } = this.last.get(pause.product) ?? { startedAt: 0 };
    const forMs = end.kind === 'lost' ? FACTS.internalRetryForMs : FACTS.retryForMs;
    if (this.now - startedAt + pause.ms > forMs)
      this.breaks('begins no pause that ends after the retry period', String(pause.ms));
    if (end.kind === 'failed' && end.notBeforeMs > 0 && !end.isOurQuota)
      this.providerPauses.add(pause);
  }

  private endPause(product: Product): void {
    const position = this.open.findIndex(
      (call) => call.name === 'pause' && call.product === product,
    );
    const [pause] = position < 0 ? [] : this.open.splice(position, 1);
    if (
      pause?.name === 'pause' &&
      this.providerPauses.has(pause) &&
      this.row(product).state === 'in_progress'
    )
      this.breaks('ends no pause that the provider set before a product was settled', product);
  }

  // ---- the rows of the link ----

  private row(product: Product): Row {
    const row = this.rows.get(product) ?? { state: 'settled' as const, attempts: 0 };
    this.rows.set(product, row);
    return row;
  }

  private take(isStart: boolean): PlannedProduct[] {
    if (isStart) for (const product of this.requests) this.row(product).state = 'pending';
    this.requests.clear();
    return [...this.rows]
      .filter(([, { state }]) => state === 'pending')
      .map(([product]) => ({ product, window: null }));
  }

  private begin(product: Product): string | null {
    const row = this.row(product);
    if (row.state === 'settled') return null;
    row.state = 'in_progress';
    row.attempts += 1;
    return `${product}.${row.attempts}`;
  }

  private isLatest(product: Product, attempt: string | null): boolean {
    const { state, attempts } = this.row(product);
    return state === 'in_progress' && (attempt === null || attempt === `${product}.${attempts}`);
  }

  private store(product: Product, attempt: string): boolean {
    if (!this.isLatest(product, attempt)) return false;
    this.row(product).state = 'settled';
    return true;
  }

  private fail({ product, attempt, failure }: Extract<RefreshEffect, { name: 'fail' }>): void {
    if (attempt !== null && this.ended.has(attempt))
      this.breaks('settles each product that it started, and none twice', attempt);
    if (attempt !== null) this.ended.add(attempt);
    if (!this.isLatest(product, attempt)) return;
    this.row(product).state = 'settled';
    if (!FAILURE_MEANINGS[failure.cause].endsPermission) return;
    this.wasLost = true;
    for (const row of this.rows.values()) row.state = 'settled';
    this.requests.clear();
  }

  // ---- promises ----

  private checkEnd(): void {
    if (this.isCanceled) return;
    if (this.wasLost && this.open.length > 0)
      this.breaks('calls no bank after the permission was lost', 'still open');
    if (this.finishes !== 1)
      this.breaks(
        'ends, and finishes once with its last effect',
        `finished ${this.finishes} times`,
      );
    for (const [product, { state }] of this.rows) {
      if (state === 'in_progress')
        this.breaks('settles each product that it started, and none twice', product);
      if (state === 'pending' && !this.hasSignal)
        this.breaks('loses no request that was made while it ran', product);
    }
  }

  private breaks(promise: Kept, detail: string): void {
    if (!this.broken.has(promise)) this.broken.set(promise, detail);
  }
}
