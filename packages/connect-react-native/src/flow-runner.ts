import { callSafely, receiveScript, type ConnectCallbacks } from '@tributary/connect-js/core';
import { Linking, Platform } from 'react-native';
import {
  idleState,
  step,
  type FlowEffect,
  type FlowInput,
  type FlowSetup,
  type FlowState,
  type TimerName,
} from './flow-machine.js';
import { decideNavigation, type Navigation } from './flow-rules/navigation.js';
import { deviceLocale } from './device-locale.js';
import type { ConnectLook } from './options.js';
import { processMemory } from './process-memory.js';
import { randomChannel } from './random-channel.js';
import type { ReturnQuestion } from './resumable.js';
import type { SystemBrowser } from './system-browser.js';
import { version } from './version.js';

type Screen = Extract<FlowEffect, { type: 'show' }>['view'];
/** Without the time, which is that of the call. */
type Happening = FlowInput extends infer Input
  ? Input extends FlowInput
    ? Omit<Input, 'at'>
    : never
  : never;

export interface FlowView {
  screen: Screen;
  /** Of the hosted app, once it is to be loaded. */
  address: string | undefined;
  /** Numbers the loads of the whole process: each needs a WebView of its own, also those of a flow that follows immediately. */
  load: number;
  /** Of the native screens. */
  appearance: ConnectLook['appearance'];
}

interface FlowRunnerOptions {
  baseAddress: string;
  look: ConnectLook;
  callbacks: ConnectCallbacks;
  browser: SystemBrowser;
  /** True = the service can continue a session with the link. */
  isResumable: (question: ReturnQuestion) => Promise<boolean>;
  /** The service can, and this flow is not open yet. */
  onResumable?: (() => void) | undefined;
  /** Nothing of the flow is on the screen any more. */
  onRemoved: () => void;
  /** The app removed it: no callback is called from here on. */
  onDestroyed?: (() => void) | undefined;
}

/** The WebView's report of an address that it is about to load. */
interface LoadRequest {
  url: string;
  isTopFrame?: boolean;
  navigationType?: string;
}

/** Runs one flow: passes inputs to the machine, and performs the effects in their order. */
export class FlowRunner {
  private static loads = 0;
  readonly locale: string;
  private state: FlowState;
  private current: FlowView;
  /** The app's latest values; an update may change a part. */
  private look: Pick<ConnectLook, 'theme' | 'appearance'>;
  private readonly listeners = new Set<() => void>();
  private readonly timers = new Map<TimerName, ReturnType<typeof setTimeout>>();
  private readonly effects: FlowEffect[] = [];
  private isRunning = false;
  private inject: (script: string) => void = () => undefined;

  constructor(private readonly options: FlowRunnerOptions) {
    const { locale, appearance } = options.look;
    this.locale = locale ?? deviceLocale();
    this.look = options.look;
    this.current = { screen: 'loading', address: undefined, load: 0, appearance };
    const setup: FlowSetup = {
      base: options.baseAddress,
      platform: 'react-native',
      system: Platform.OS === 'ios' ? 'ios' : 'android',
      system_version: String(Platform.Version),
      sdk: { name: 'connect-react-native', version },
    };
    const { keptTokens, endedReturns } = processMemory;
    this.state = idleState(setup, keptTokens.get(options.baseAddress), [...endedReturns]);
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly view = (): FlowView => this.current;

  /** From `present` or `resume` to the final callback. */
  get isOpen(): boolean {
    return !this.isOver && this.state.name !== 'last_screen';
  }

  /** Nothing of it is on the screen: before it has started, and when it was removed. */
  get isOver(): boolean {
    return this.state.name === 'idle';
  }

  get failureMessage(): string {
    return this.state.memory?.failure?.displayed_message ?? '';
  }

  /** The way into the page of the WebView that is shown. */
  attach(inject: (script: string) => void): void {
    this.inject = inject;
  }

  present(token: string): void {
    this.take({ type: 'present', link_session_token: token, ...this.beginning() });
  }

  resume(url: string, token: string | undefined): void {
    const link_session_token = token ?? null;
    this.take({ type: 'resume', url, link_session_token, ...this.beginning() });
  }

  /** With an address that the system delivered to the app. */
  opened(url: string, token: string | undefined): void {
    this.take({ type: 'opened', url, link_session_token: token ?? null });
  }

  exit(force: boolean): void {
    this.take({ type: 'exit', force });
  }

  restyle(change: Pick<ConnectLook, 'theme' | 'appearance'>): void {
    this.look = { ...this.look, ...change };
    const { theme, appearance } = this.look;
    this.take({ type: 'restyle', theme: theme ?? null, appearance: appearance ?? null });
    this.show({ appearance });
  }

  /** Releases everything; no callback is called from here on. */
  destroy(): void {
    this.take({ type: 'unmount' });
    this.options.onDestroyed?.();
  }

  readonly back = (): void => this.take({ type: 'back' });

  /** "Close" of a native view. */
  readonly close = (): void => this.take({ type: 'close' });

  readonly tryAgain = (): void => this.take({ type: 'try_again' });

  /** `react-native-webview` injects its bridge into the main frame only. */
  message(text: string, origin: string): void {
    this.take({ type: 'message', text, origin, main_frame: true });
  }

  arrived(address: string): void {
    // Before its first page the WebView may have no address at all.
    if (address !== '') this.take({ type: 'arrived', address });
  }

  loadFailed(cause: 'network' | 'content_ended'): void {
    this.take({ type: 'load_failed', cause });
  }

  /** Only of the page itself: a missing picture is not a failure. */
  httpFailed(url: string): void {
    if (withoutFragment(url) === withoutFragment(this.current.address ?? ''))
      this.take({ type: 'load_failed', cause: 'http' });
  }

  /** @returns whether the WebView loads it */
  readonly decide = ({ url, isTopFrame = true, navigationType }: LoadRequest): boolean =>
    this.follow({
      address: url,
      mainFrame: isTopFrame,
      byUser: navigationType === 'click',
      newWindow: false,
    });

  /** A link that requests a window of its own; the system reports one only after a tap. */
  openWindow(address: string): void {
    this.follow({ address, mainFrame: true, byUser: true, newWindow: true });
  }

  private follow(navigation: Navigation): boolean {
    const { address, mainFrame, byUser, newWindow } = navigation;
    this.take({
      type: 'navigate',
      address,
      main_frame: mainFrame,
      by_user: byUser,
      new_window: newWindow,
    });
    return decideNavigation(this.options.baseAddress, navigation) === 'load';
  }

  private beginning() {
    const { applicationName, theme, appearance, closeOnSuccess } = this.options.look;
    return {
      channel: randomChannel(),
      options: {
        application_name: applicationName,
        theme,
        appearance,
        locale: this.locale,
        close_on_success: closeOnSuccess,
      },
    };
  }

  private take(happening: Happening): void {
    const input = { ...happening, at: Date.now() } as FlowInput;
    const { keptToken: before } = this.state;
    const { state, effects } = step(this.state, input);
    this.state = state;
    if (state.keptToken !== before) this.keep(state.keptToken, before);
    for (const stateId of state.endedReturns) processMemory.endedReturns.add(stateId);
    // After this no callback is called, not even a pending one.
    if (input.type === 'unmount') this.forgetCalls();
    this.effects.push(...effects);
    this.run();
  }

  /** A flow that deletes its token keeps that of a newer flow. */
  private keep(token: string | null, before: string | null): void {
    const { keptTokens } = processMemory;
    const { baseAddress } = this.options;
    if (token !== null) keptTokens.set(baseAddress, token);
    else if (keptTokens.get(baseAddress) === before) keptTokens.delete(baseAddress);
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
        FlowRunner.loads += 1;
        return this.show({ address: effect.address, load: FlowRunner.loads });
      case 'send':
        return this.inject(receiveScript(effect.envelope));
      case 'open_auth':
        return this.openLogin(effect);
      case 'close_auth':
        return this.options.browser.close();
      case 'ask':
        return this.ask(effect);
      case 'open_outside':
        return void Linking.openURL(effect.address).catch(() => undefined);
      case 'timer':
        return this.setTimer(effect.name, effect.ms);
      case 'call':
        return this.call(effect);
      case 'show':
        return this.show({ screen: effect.view });
      case 'remove':
        return this.options.onRemoved();
      case 'warn':
        return console.warn(`Connect: ${effect.text}`);
    }
  }

  private call({ callback: name, payload }: Extract<FlowEffect, { type: 'call' }>): void {
    const callback = this.options.callbacks[name] as ((payload: unknown) => unknown) | undefined;
    callSafely(name, callback, payload ?? undefined);
  }

  private ask({ url, link_session_token }: Extract<FlowEffect, { type: 'ask' }>): void {
    void this.options.isResumable({ url, link_session_token }).then((is) => {
      if (is && this.isOpen) this.take({ type: 'link', url });
      else if (is) this.options.onResumable?.();
    });
  }

  private openLogin({
    attempt,
    address,
    redirect_uri: returnAddress,
    way: { way },
  }: Extract<FlowEffect, { type: 'open_auth' }>): void {
    void this.options.browser
      .open(address, returnAddress, way)
      .then((end) => this.take({ type: 'auth_ended', attempt, ...end }));
  }

  private setTimer(timer: TimerName, ms: number | null): void {
    const running = this.timers.get(timer);
    // The types of the oldest React Native accept no missing timer.
    if (running !== undefined) clearTimeout(running);
    if (ms === null) return;
    this.timers.set(
      timer,
      setTimeout(() => this.take({ type: 'tick', timer }), ms),
    );
  }

  private show(change: Partial<FlowView>): void {
    this.current = { ...this.current, ...change };
    for (const listener of this.listeners) listener();
  }
}

const withoutFragment = (address: string): string => address.replace(/#.*/s, '');
