import { checkToken, readStateId, type ConnectCallbacks } from '@tributary/connect-js/core';
import type { ConnectControl } from './connect-context.js';
import { FlowRunner } from './flow-runner.js';
import type { ConnectLook, ContinueOptions, PresentOptions } from './options.js';
import { presentAsync } from './present-async.js';
import { reportStatus, type FlowReport } from './report-status.js';
import { isResumable } from './resumable.js';
import type { SystemBrowser } from './system-browser.js';

export interface ConnectSnapshot extends FlowReport {
  /** The flow on the screen. */
  flow: FlowRunner | undefined;
  /** The ConnectView that shows it; null: the modal does. */
  place: object | null;
}

/** The flow of an app: one at a time, each with its own callbacks. */
export class ConnectStore implements ConnectControl {
  private current: ConnectSnapshot = {
    flow: undefined,
    place: null,
    status: 'idle',
    error: null,
  };
  /** The flow of `status` and `error`. */
  private latest: FlowRunner | undefined;
  private readonly listeners = new Set<() => void>();
  /** Counts the times that the app removed everything: questions of an earlier time are no longer wanted. */
  private life = 0;

  constructor(
    readonly baseAddress: string,
    private readonly browser: SystemBrowser,
  ) {}

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly snapshot = (): ConnectSnapshot => this.current;

  readonly presentLinkFlow = (options: PresentOptions, onDestroyed?: () => void): boolean =>
    this.present(options, null, onDestroyed) !== undefined;

  readonly presentLinkFlowAsync = presentAsync(this.presentLinkFlow);

  /** The flow of a ConnectView. @returns a function to call when the view is gone */
  presentInline(options: PresentOptions, place: object): () => void {
    const flow = this.present(options, place);
    return () => flow?.destroy();
  }

  private present(
    { linkSessionToken, ...options }: PresentOptions,
    place: object | null,
    onDestroyed?: () => void,
  ): FlowRunner | undefined {
    const token = checkToken(linkSessionToken);
    if (this.current.flow?.isOpen === true) {
      console.warn('Connect: presentLinkFlow was ignored, a flow is open already.');
      return undefined;
    }
    return this.begin(options, place, (flow) => flow.present(token), onDestroyed);
  }

  /** @returns whether the address was a bank's return; for any other one no callback is called */
  readonly continueFlow = ({ url, linkSessionToken, ...options }: ContinueOptions): boolean => {
    if (readStateId(url) === undefined) return false;
    const token = linkSessionToken == null ? undefined : checkToken(linkSessionToken);
    this.opened(url, token, options);
    return true;
  };

  private opened(
    url: string,
    token: string | undefined,
    options: ConnectCallbacks & ConnectLook,
  ): void {
    const { flow: current } = this.current;
    if (current?.isOpen === true) return current.opened(url, token);
    this.createFlow(options, {
      onResumable: () => {
        // Meanwhile the app may have opened a flow, to which the address need not belong.
        if (this.current.flow?.isOpen === true) this.current.flow.opened(url, token);
        else this.begin(options, null, (flow) => flow.resume(url, token));
      },
    }).opened(url, token);
  }

  readonly exit = ({ force = false }: { force?: boolean } = {}): void => {
    this.current.flow?.exit(force);
  };

  readonly update = (look: Pick<ConnectLook, 'theme' | 'appearance'>): void => {
    this.current.flow?.restyle(look);
  };

  /** Removes the current flow from the screen without a callback. */
  destroy(): void {
    this.life += 1;
    this.current.flow?.destroy();
  }

  /** @returns undefined when the machine does not begin a flow, as for an already processed return */
  private begin(
    options: ConnectCallbacks & ConnectLook,
    place: object | null,
    start: (flow: FlowRunner) => void,
    onDestroyed?: () => void,
  ): FlowRunner | undefined {
    const flow = this.createFlow(options, { onDestroyed });
    start(flow);
    if (flow.isOver) return undefined;
    // Only the last screen of an ended flow remains.
    this.current.flow?.destroy();
    this.latest = flow;
    this.set({ flow, place, status: 'opening', error: null });
    return flow;
  }

  private createFlow(
    options: ConnectCallbacks & ConnectLook,
    more: { onDestroyed?: (() => void) | undefined; onResumable?: () => void },
  ): FlowRunner {
    const { life } = this;
    const flow: FlowRunner = new FlowRunner({
      ...more,
      baseAddress: this.baseAddress,
      look: options,
      browser: this.browser,
      isResumable: (question) => isResumable(this.baseAddress, question, () => this.life === life),
      onRemoved: () => {
        if (this.current.flow === flow) this.set({ flow: undefined });
      },
      // A callback may have started the next flow, while others of this one are still to be called.
      callbacks: reportStatus(options, (change) => {
        if (this.latest === flow) this.set(change);
      }),
    });
    return flow;
  }

  private set(change: Partial<ConnectSnapshot>): void {
    this.current = { ...this.current, ...change };
    for (const listener of this.listeners) listener();
  }
}
