import { makeEnvelope, type ConnectError } from '@tributary/connect-js/core';
import { NO_CALLBACKS, type CallbackOrder } from './flow-rules/callback-order.js';
import {
  TIMERS,
  type FlowEffect,
  type FlowMoment,
  type FlowSettings,
  type FlowTimer,
} from './flow-types.js';

/**
 * | Phase | The screen shows |
 * |---|---|
 * | `idle` | nothing yet |
 * | `loading` | a spinner that can be closed, while the page is loaded |
 * | `open` | the page, which has said `hello` |
 * | `failed` | a native view that offers to try again |
 * | `notice` | a last screen of the page; the final callback was called |
 * | `ended` | nothing |
 */
export type FlowPhase = 'idle' | 'loading' | 'open' | 'failed' | 'notice' | 'ended';

export interface FlowState {
  readonly settings: FlowSettings;
  readonly phase: FlowPhase;
  readonly callbacks: CallbackOrder;
  /** Of this load; a reload has another one. */
  readonly channel: string;
  /** With it, loads go to `/continue`. */
  readonly continueUrl: string | undefined;
  /** Where the bank's login that is open returns to. */
  readonly authRedirectUri: string | undefined;
  readonly takenStates: readonly string[];
  /** An address that was sent to the page, which has not acknowledged it yet. */
  readonly unacknowledged: { url: string; stateId: string } | undefined;
  /** Since the timer `reloads` was started. */
  readonly reloads: number;
  readonly failure: ConnectError | undefined;
}

export const newFlow = (settings: FlowSettings): FlowState => ({
  settings,
  phase: 'idle',
  callbacks: NO_CALLBACKS,
  channel: '',
  continueUrl: undefined,
  authRedirectUri: undefined,
  takenStates: [],
  unacknowledged: undefined,
  reloads: 0,
  failure: undefined,
});

/** One input on its way through the rules: the state it changes, and the effects it causes. */
export class FlowStep {
  readonly effects: FlowEffect[] = [];

  constructor(
    public state: FlowState,
    readonly moment: FlowMoment,
  ) {}

  get callbacks(): CallbackOrder {
    return this.state.callbacks;
  }

  isIn(...phases: FlowPhase[]): boolean {
    return phases.includes(this.state.phase);
  }

  change(change: Partial<FlowState>): void {
    this.state = { ...this.state, ...change };
  }

  note(change: Partial<CallbackOrder>): void {
    this.change({ callbacks: { ...this.callbacks, ...change } });
  }

  emit(effect: FlowEffect): void {
    this.effects.push(effect);
  }

  send(type: string, payload: Record<string, unknown> = {}): void {
    this.emit({ type: 'send', message: makeEnvelope(this.state.channel, type, payload) });
  }

  start(name: FlowTimer): void {
    this.emit({ type: 'timer', name, ms: TIMERS[name] });
  }

  stop(...names: FlowTimer[]): void {
    for (const name of names) this.emit({ type: 'timer', name, ms: null });
  }
}
