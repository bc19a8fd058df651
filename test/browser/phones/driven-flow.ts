import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Page } from 'playwright-core';
import type { FlowDriver } from './flow-drivers.js';
import { expectLoss } from '../../support/services/expect-loss.mjs';

export interface Called {
  callback: string;
  payload: Record<string, unknown>;
}

interface Effect extends Called {
  type: string;
  address: string;
  attempt: number;
  envelope: unknown;
  name: string;
  ms: number | null;
  view: string;
}

/**
 * The flow of an SDK for phones in its own process, with a page of Chromium in place of its
 * WebView: the page performs the SDK's platform calls. It proves the SDK's messages, rules and
 * codec against the hosted app, and nothing of the platform.
 */
export class DrivenFlow {
  readonly called: Called[] = [];
  /** Logins, by their attempt. */
  readonly opened: { attempt: number; address: string }[] = [];
  screen = '';
  isRemoved = false;
  private readonly timers = new Map<string, NodeJS.Timeout>();
  private readonly driver: ChildProcessWithoutNullStreams;
  private turn: Promise<void> = Promise.resolve();
  private isClosed = false;

  constructor(
    private readonly sdk: FlowDriver,
    private readonly page: Page,
    setup: { base: string },
  ) {
    this.driver = sdk.start();
    expectLoss(this.driver.stdin);
    this.driver.stderr.pipe(process.stderr);
    this.write({ ...sdk.setup, ...setup });
  }

  /** Adds the bridge that a WebView has to the page. Call it before anything is loaded. */
  async prepare(): Promise<void> {
    await this.page.exposeBinding('connectBridge', ({ frame }, text: string) => {
      void this.handle({
        type: 'message',
        text,
        origin: new URL(frame.url()).origin,
        main_frame: frame === this.page.mainFrame(),
      });
    });
    await this.page.addInitScript((bridge) => {
      const { connectBridge } = window as unknown as { connectBridge: (text: string) => void };
      const target = { postMessage: connectBridge };
      Object.assign(
        window,
        bridge === 'webkit'
          ? { webkit: { messageHandlers: { connect: target } } }
          : { ReactNativeWebView: target },
      );
    }, this.sdk.bridge);
  }

  /** Starts a flow with `present` or `resume`. */
  start(input: object): Promise<void> {
    const channel = 'Ck5Zq0pLr2Jx8vWn4Ty6Bg';
    return this.handle({ channel, options: { locale: 'en-US' }, ...input });
  }

  /** Sends one input after another. Resolves when its effects have been carried out. */
  handle(input: object): Promise<void> {
    this.turn = this.turn.then(async () => {
      if (this.isClosed) return;
      const answer = this.nextLine();
      this.write({ at: Date.now(), ...input });
      for (const effect of JSON.parse(await answer) as Effect[]) await this.run(effect);
    });
    return this.turn;
  }

  callsTo(callback: string): Record<string, unknown>[] {
    return this.called.filter((call) => call.callback === callback).map(({ payload }) => payload);
  }

  get events(): unknown[] {
    return this.callsTo('onEvent').map(({ name }) => name);
  }

  /** Resolves once all pending effects have been carried out. */
  async close(): Promise<void> {
    await this.page.context().close();
    this.isClosed = true;
    await this.turn.catch(() => undefined);
    for (const timer of this.timers.values()) clearTimeout(timer);
    this.driver.stdin.end();
  }

  private async run(effect: Effect): Promise<void> {
    switch (effect.type) {
      case 'load':
        // As in a WebView, another fragment alone would load nothing.
        await this.page.goto(effect.address);
        return;
      case 'send':
        await this.page.evaluate((message) => {
          (
            window as unknown as { __connectReceive?: (message: string) => void }
          ).__connectReceive?.(message);
        }, JSON.stringify(effect.envelope));
        return;
      case 'open_auth':
        this.opened.push({ attempt: effect.attempt, address: effect.address });
        return;
      case 'timer':
        this.setTimer(effect.name, effect.ms);
        return;
      case 'call':
        this.called.push({ callback: effect.callback, payload: effect.payload });
        return;
      case 'show':
        this.screen = effect.view;
        return;
      case 'remove':
        this.isRemoved = true;
    }
  }

  private setTimer(name: string, ms: number | null): void {
    clearTimeout(this.timers.get(name));
    if (ms !== null)
      this.timers.set(
        name,
        setTimeout(() => void this.handle({ type: 'tick', timer: name }), ms),
      );
  }

  private write(line: object): void {
    this.driver.stdin.write(`${JSON.stringify(line)}\n`);
  }

  private lines: AsyncIterator<string> | undefined;

  private async nextLine(): Promise<string> {
    this.lines ??= createInterface(this.driver.stdout)[Symbol.asyncIterator]();
    const { value, done } = await this.lines.next();
    if (done === true) throw new Error('The driver has ended.');
    return value;
  }
}
