import { makeEnvelope } from '@tributary/connect-js/core';
import type { FlowEffect } from './effects.js';
import type { TimerName } from './inputs.js';
import { reportOf, type Happening } from './report.js';
import type { FlowMemory, FlowSetup, StateName } from './state.js';

const TIMERS: readonly TimerName[] = ['hello', 'ack', 'exit'];

/** One input of an open flow in progress: the changes, and the effects. */
export class Turn {
  readonly effects: FlowEffect[] = [];

  constructor(
    public name: StateName,
    public memory: FlowMemory,
    readonly setup: FlowSetup,
    private readonly flow: number,
    readonly at: number,
  ) {}

  /** The channel of the current load. */
  get channel(): string {
    const { channel, load } = this.memory;
    return load === 1 ? channel : `${channel}-${load}`;
  }

  change(changes: Partial<FlowMemory>): void {
    this.memory = { ...this.memory, ...changes };
  }

  do(...effects: FlowEffect[]): void {
    this.effects.push(...effects);
  }

  send(type: string, payload: object = {}): void {
    this.do({ type: 'send', envelope: makeEnvelope(this.channel, type, payload) });
  }

  report(happening: Happening): void {
    const [report, calls] = reportOf(this.memory.report, happening, this.at);
    this.change({ report });
    for (const call of calls) this.do({ type: 'call', flow: this.flow, ...call });
  }

  startTimer(name: TimerName, ms: number): void {
    this.change({ timers: [...this.memory.timers.filter((each) => each !== name), name] });
    this.do({ type: 'timer', name, ms });
  }

  stopTimer(name: TimerName): void {
    if (!this.memory.timers.includes(name)) return;
    this.change({ timers: this.memory.timers.filter((each) => each !== name) });
    this.do({ type: 'timer', name, ms: null });
  }

  closeLogin(): void {
    const { login } = this.memory;
    if (!login.isOpen) return;
    this.change({ login: { ...login, isOpen: false } });
    this.do({ type: 'close_auth', attempt: login.attempt });
  }

  /** Clears the screen; the flow may still have to be reported. */
  remove(): void {
    this.closeLogin();
    for (const name of TIMERS) this.stopTimer(name);
    this.do({ type: 'remove' });
    this.name = 'idle';
  }
}
