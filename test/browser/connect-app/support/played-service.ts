import type { SessionClient } from '../../../../apps/connect/src/session/session-client.js';
import { settled } from './stand-in-page.js';

interface Call {
  /** `follow` is `current` with a signal: of the watch, not of an action. */
  name: keyof SessionClient | 'follow';
  args: unknown[];
  settle: { resolve: (value: unknown) => void; reject: (error: unknown) => void } | null;
}

/** The service of a session whose calls a test answers, one by one; also those that were aborted, like a response that has just arrived. */
export class PlayedService {
  readonly calls: Call[] = [];
  isOpen = true;
  readonly client: SessionClient;

  constructor() {
    const isOpen = (): boolean => this.isOpen;
    this.client = new Proxy({} as SessionClient, {
      get: (_, name) =>
        name === 'isOpen' ? isOpen() : (...args: unknown[]) => this.call(name as never, args),
    });
  }

  callsTo(name: Call['name']): unknown[][] {
    return this.calls.filter((call) => call.name === name).map(({ args }) => args);
  }

  /** Answers the oldest call that still waits. */
  async answer(name: Call['name'], value: unknown): Promise<void> {
    this.next(name).resolve(value);
    await settled();
  }

  async refuse(name: Call['name'], error: unknown): Promise<void> {
    this.next(name).reject(error);
    await settled();
  }

  private next(name: Call['name']): NonNullable<Call['settle']> {
    const call = this.calls.find((each) => each.name === name && each.settle !== null);
    if (!call?.settle) throw new Error(`no call to ${name} waits`);
    const { settle } = call;
    call.settle = null;
    return settle;
  }

  private call(called: keyof SessionClient, given: unknown[]): Promise<unknown> {
    const isFollowing = called === 'current' && given[2] !== undefined;
    const args = given.filter((each) => !(each instanceof AbortSignal));
    return new Promise((resolve, reject) => {
      const settle = { resolve, reject };
      this.calls.push({ name: isFollowing ? 'follow' : called, args, settle });
    });
  }
}
