import { callSafely, receiveScript, type ConnectCallbacks } from '@tributary/connect-js/core';
import { Linking } from 'react-native';
import { handle } from './flow-machine.js';
import { decideNavigation, type NavigationRequest } from './flow-rules/navigation.js';
import { newFlow, type FlowState } from './flow-step.js';
import type { FlowEffect, FlowInput, FlowScreen, FlowTimer } from './flow-types.js';
import type { ConnectLook } from './options.js';
import { deviceLocale, phonePlatform } from './phone.js';
import { randomChannel } from './random-channel.js';
import type { SystemBrowser } from './system-browser.js';
import { version } from './version.js';

export interface FlowView {
  screen: FlowScreen | 'none';
  /** Of the hosted app, once it is to be loaded. */
  address: string | undefined;
  /** Counts the loads: each needs a WebView of its own. */
  load: number;
}

interface FlowRunnerOptions {
  baseAddress: string;
  token: string | undefined;
  look: ConnectLook;
  callbacks: ConnectCallbacks;
  browser: SystemBrowser;
  /** Nothing of the flow is on the screen any more. */
  onRemoved: () => void;
}

/** What the WebView says about an address it is about to load. */
interface LoadRequest {
  url: string;
  isTopFrame?: boolean;
  navigationType?: string;
}

const CALLBACKS = {
  ready: 'onReady',
  event: 'onEvent',
  error: 'onError',
  success: 'onSuccess',
  exit: 'onExit',
} as const;

/** Runs one flow: hands what happens to the machine, and carries out the effects in their order. */
export class FlowRunner {
  readonly locale: string;
  private state: FlowState;
  private current: FlowView = { screen: 'none', address: undefined, load: 0 };
  private readonly listeners = new Set<() => void>();
  private readonly timers = new Map<FlowTimer, ReturnType<typeof setTimeout>>();
  private readonly effects: FlowEffect[] = [];
  private isRunning = false;
  /** Tells logins apart: the end of an earlier one is not that of the one that is open. */
  private login = 0;
  private inject: (script: string) => void = () => undefined;

  constructor(private readonly options: FlowRunnerOptions) {
    const { look, baseAddress, token } = options;
    this.locale = look.locale ?? deviceLocale();
    this.state = newFlow({
      baseAddress,
      token,
      look: {
        ...look,
        locale: this.locale,
        platform: 'react-native',
        sdk: { name: 'connect-react-native', version },
      },
      system: phonePlatform(),
    });
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly view = (): FlowView => this.current;

  get failureMessage(): string {
    return this.state.failure?.displayed_message ?? '';
  }

  /** @returns what to call when the WebView is gone */
  attach(inject: (script: string) => void): () => void {
    this.inject = inject;
    return () => {
      this.inject = () => undefined;
    };
  }

  present(): void {
    this.take({ type: 'present' });
  }

  resume(url: string): void {
    this.take({ type: 'resume', url });
  }

  link(url: string): void {
    this.take({ type: 'link', url });
  }

  exit(force: boolean): void {
    this.take({ type: 'exit', force });
  }

  restyle({ theme, appearance }: Pick<ConnectLook, 'theme' | 'appearance'>): void {
    this.take({ type: 'restyle', theme: theme ?? null, appearance: appearance ?? 'system' });
  }

  /** Releases everything; no callback is called from here on. */
  destroy(): void {
    this.take({ type: 'destroy' });
  }

  readonly back = (): void => this.take({ type: 'back' });

  readonly retry = (): void => this.take({ type: 'retry' });

  /** `react-native-webview` injects its bridge into the main frame only. */
  message(text: string, origin: string): void {
    this.take({ type: 'message', text, origin, main_frame: true });
  }

  moved(address: string): void {
    // The WebView says this before its first page, too.
    if (address !== '' && address !== 'about:blank') this.take({ type: 'moved', address });
  }

  loadFailed(reason: 'network' | 'content_ended'): void {
    this.take({ type: 'load_failed', reason });
  }

  /** Only of the page itself: a picture that is missing is no failure. */
  httpFailed(url: string): void {
    if (withoutFragment(url) === withoutFragment(this.current.address ?? ''))
      this.take({ type: 'load_failed', reason: 'http' });
  }

  /** @returns whether the WebView loads it */
  readonly decide = ({ url, isTopFrame = true, navigationType }: LoadRequest): boolean =>
    this.follow({
      address: url,
      mainFrame: isTopFrame,
      byUser: navigationType === 'click',
      newWindow: false,
    });

  /** A link that wants a window of its own; the system asks for one only after a tap. */
  openWindow(address: string): void {
    this.follow({ address, mainFrame: true, byUser: true, newWindow: true });
  }

  private follow(request: NavigationRequest): boolean {
    const navigation = decideNavigation(this.options.baseAddress, request);
    if (navigation === 'outside') Linking.openURL(request.address).catch(() => undefined);
    return navigation === 'load';
  }

  private take(input: FlowInput): void {
    const moment = { channel: randomChannel(), now: new Date().toISOString().slice(0, -1) };
    const { state, effects } = handle(this.state, input, moment);
    this.state = state;
    // After this no callback is called, not even one that was already on its way.
    if (input.type === 'destroy') this.forgetCalls();
    this.effects.push(...effects);
    this.run();
  }

  private forgetCalls(): void {
    const kept = this.effects.filter(({ type }) => type !== 'call');
    this.effects.splice(0, this.effects.length, ...kept);
  }

  /** A callback may call into the flow again; its effects wait for those before them. */
  private run(): void {
    if (this.isRunning) return;
    this.isRunning = true;
    try {
      for (let effect = this.effects.shift(); effect !== undefined; effect = this.effects.shift())
        this.carryOut(effect);
    } finally {
      this.isRunning = false;
    }
  }

  private carryOut(effect: FlowEffect): void {
    switch (effect.type) {
      case 'load':
        return this.show({ address: effect.address, load: this.current.load + 1 });
      case 'send':
        return this.inject(receiveScript(effect.message));
      case 'open_auth':
        return this.openLogin(effect.address, this.state.authRedirectUri ?? '');
      case 'close_auth':
        this.login += 1;
        return this.options.browser.close();
      case 'timer':
        return this.setTimer(effect.name, effect.ms);
      case 'call':
        return this.call(effect);
      case 'show':
        return this.show({ screen: effect.screen });
      case 'remove':
        this.show({ screen: 'none', address: undefined });
        return this.options.onRemoved();
    }
  }

  private call(effect: Extract<FlowEffect, { type: 'call' }>): void {
    const name = CALLBACKS[effect.callback];
    const callback = this.options.callbacks[name] as ((payload: unknown) => unknown) | undefined;
    callSafely(name, callback, 'payload' in effect ? effect.payload : undefined);
  }

  private openLogin(address: string, redirectUri: string): void {
    const login = (this.login += 1);
    void this.options.browser.open(address, redirectUri).then((end) => {
      if (login === this.login) this.take({ type: 'auth_ended', ...end });
    });
  }

  private setTimer(name: FlowTimer, ms: number | null): void {
    clearTimeout(this.timers.get(name));
    this.timers.delete(name);
    if (ms === null) return;
    const tick = (): void => this.take({ type: 'tick', timer: name });
    this.timers.set(name, setTimeout(tick, ms));
  }

  private show(change: Partial<FlowView>): void {
    this.current = { ...this.current, ...change };
    for (const listener of this.listeners) listener();
  }
}

const withoutFragment = (address: string): string => address.replace(/#.*$/, '');
