import { BankLogin } from '../../../../apps/connect/src/flow/bank-login.js';
import { ConnectFlow } from '../../../../apps/connect/src/flow/connect-flow.js';
import type { Host, HostListener } from '../../../../apps/connect/src/host/host.js';
import { readInit, type Init } from '../../../../apps/connect/src/host/init-options.js';
import { loadDeferredTexts, loadTexts } from '../../../../apps/connect/src/texts/load-texts.js';
import type { View } from '../../../../packages/connect-protocol/src/view.js';
import { PlayedService } from './played-service.js';
import { settled } from './stand-in-page.js';

export const TOKEN = 'sandbox_ls_played';

interface Options {
  kind?: Host['kind'];
  init?: Partial<Init>;
  reopen?: Host['reopen'];
}

/** Connect's flow between an SDK and a service that a test plays. */
export class PlayedFlow {
  readonly service = new PlayedService();
  readonly posted: { type: string; payload: Record<string, unknown> }[] = [];
  readonly locales: string[] = [];
  readonly openedSessions: string[] = [];
  deferredTextsLoaded = 0;
  /** The SDK's commands. */
  sdk!: HostListener;
  readonly flow: ConnectFlow;

  private constructor(
    readonly texts: Awaited<ReturnType<typeof loadTexts>>,
    { kind = 'frame', init = {}, reopen }: Options,
  ) {
    const host: Host = {
      kind,
      origin: 'https://pocket-ledger.example',
      init: { ...readInit({}), linkSessionToken: TOKEN, ...init },
      ...(reopen === undefined ? {} : { reopen }),
      opened: (sessionId) => void this.openedSessions.push(sessionId),
      post: (type, payload = {}) =>
        void this.posted.push({ type, payload: payload as Record<string, unknown> }),
      listen: (listener) => (this.sdk = listener),
    };
    this.flow = new ConnectFlow(
      {
        host,
        client: this.service.client,
        texts,
        onLocale: async (locale) => void this.locales.push(locale),
        loadDeferredTexts: async () => {
          this.deferredTextsLoaded += 1;
          await loadDeferredTexts();
        },
        device: 'desktop',
        now: Date.now,
      },
      () => undefined,
    );
  }

  static async create(options: Options = {}): Promise<PlayedFlow> {
    const texts = await loadTexts(['en']);
    await loadDeferredTexts();
    return new PlayedFlow(texts, options);
  }

  /** A flow whose session is open at this view. */
  static async at(view: View, options: Options = {}): Promise<PlayedFlow> {
    const played = await PlayedFlow.create(options);
    void played.flow.start();
    await settled();
    await played.service.answer('open', view);
    return played;
  }

  get state() {
    return this.flow.store.get();
  }

  loginAtBank(): BankLogin {
    return this.flow.loginAtBank((parts) => new BankLogin(parts));
  }

  /** The messages to the SDK of one type. */
  messages(type: string): Record<string, unknown>[] {
    return this.posted.filter((each) => each.type === type).map(({ payload }) => payload);
  }

  /** The events of this name, each by its properties. */
  events(name: string): unknown[] {
    return this.messages('event')
      .filter((event) => event['name'] === name)
      .map((event) => event['properties']);
  }

  /** The messages to the SDK in order, events by their names. */
  get log(): string[] {
    return this.posted.map(({ type, payload }) =>
      type === 'event' ? `event ${String(payload['name'])}` : type,
    );
  }
}
