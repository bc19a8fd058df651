import { checkToken, readStateId, type ConnectCallbacks } from '@tributary/connect-js/core';
import type { ConnectControl } from './connect-context.js';
import { FlowRunner } from './flow-runner.js';
import type { ConnectLook, ContinueOptions, PresentOptions } from './options.js';
import { reportStatus, type FlowReport } from './report-status.js';
import type { SystemBrowser } from './system-browser.js';

export interface ConnectSnapshot extends FlowReport {
  /** The one that is on the screen. */
  flow: FlowRunner | undefined;
  /** A ConnectView shows it; otherwise the modal does. */
  isInline: boolean;
}

/** The flow of an app: one at a time, each with its own callbacks. */
export class ConnectStore implements ConnectControl {
  private current: ConnectSnapshot = {
    flow: undefined,
    isInline: false,
    status: 'idle',
    error: null,
  };
  /** The flow that `status` and `error` are about. */
  private latest: FlowRunner | undefined;
  private readonly listeners = new Set<() => void>();
  /** Return addresses that started a flow: the system may deliver one several times. */
  private readonly taken = new Set<string>();

  constructor(
    readonly baseAddress: string,
    private readonly browser: SystemBrowser,
  ) {}

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly snapshot = (): ConnectSnapshot => this.current;

  /** @throws ConnectConfigurationError for a token that cannot be one */
  readonly presentLinkFlow = (options: PresentOptions): void => {
    this.present(options, false);
  };

  /** The flow of a ConnectView. @returns what to call when the view is gone */
  presentInline(options: PresentOptions): () => void {
    const flow = this.present(options, true);
    return () => flow?.destroy();
  }

  private present(
    { linkSessionToken, ...options }: PresentOptions,
    isInline: boolean,
  ): FlowRunner | undefined {
    const token = checkToken(linkSessionToken);
    if (this.current.flow !== undefined) {
      console.warn('Connect: presentLinkFlow was ignored, a flow is open already.');
      return undefined;
    }
    const flow = this.start(options, isInline);
    flow.present(token);
    return flow;
  }

  /** @returns whether the address was a bank's return; for any other one no callback is called */
  readonly continueFlow = ({ url, linkSessionToken, ...options }: ContinueOptions): boolean => {
    const token = linkSessionToken === undefined ? undefined : checkToken(linkSessionToken);
    const stateId = readStateId(url);
    if (stateId === undefined) return false;
    if (this.current.flow !== undefined) this.current.flow.link(url);
    else if (!this.taken.has(stateId)) this.start(options).resume(url, token);
    this.taken.add(stateId);
    return true;
  };

  readonly exit = ({ force = false }: { force?: boolean } = {}): void => {
    this.current.flow?.exit(force);
  };

  readonly update = (look: Pick<ConnectLook, 'theme' | 'appearance'>): void => {
    this.current.flow?.restyle(look);
  };

  /** Removes what is on the screen without a callback. */
  destroy(): void {
    this.current.flow?.destroy();
  }

  private start(options: ConnectCallbacks & ConnectLook, isInline = false): FlowRunner {
    const flow: FlowRunner = new FlowRunner({
      baseAddress: this.baseAddress,
      look: options,
      browser: this.browser,
      onRemoved: () => {
        if (this.current.flow === flow) this.set({ flow: undefined });
      },
      // A callback may have started the next flow, while others of this one are still to be called.
      callbacks: reportStatus(options, (change) => {
        if (this.latest === flow) this.set(change);
      }),
    });
    this.latest = flow;
    this.set({ flow, isInline, status: 'opening', error: null });
    return flow;
  }

  private set(change: Partial<ConnectSnapshot>): void {
    this.current = { ...this.current, ...change };
    for (const listener of this.listeners) listener();
  }
}
