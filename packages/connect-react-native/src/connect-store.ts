import { checkToken, readStateId, type ConnectCallbacks } from '@tributary/connect-js/core';
import type { ConnectControl } from './connect-context.js';
import { FlowRunner } from './flow-runner.js';
import type { ConnectLook, ContinueOptions, PresentOptions } from './options.js';
import { presentAsync } from './present-async.js';
import { reportStatus, type FlowReport } from './report-status.js';
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
    const { flow: current } = this.current;
    if (current?.isOpen === true) current.link(url);
    else this.begin(options, null, (flow) => flow.resume(url, token));
    return true;
  };

  readonly exit = ({ force = false }: { force?: boolean } = {}): void => {
    this.current.flow?.exit(force);
  };

  readonly update = (look: Pick<ConnectLook, 'theme' | 'appearance'>): void => {
    this.current.flow?.restyle(look);
  };

  /** Removes the current flow from the screen without a callback. */
  destroy(): void {
    this.current.flow?.destroy();
  }

  /** @returns undefined when the machine does not begin a flow, as for an already processed return */
  private begin(
    options: ConnectCallbacks & ConnectLook,
    place: object | null,
    start: (flow: FlowRunner) => void,
    onDestroyed?: () => void,
  ): FlowRunner | undefined {
    const flow: FlowRunner = new FlowRunner({
      baseAddress: this.baseAddress,
      look: options,
      browser: this.browser,
      onDestroyed,
      onRemoved: () => {
        if (this.current.flow === flow) this.set({ flow: undefined });
      },
      // A callback may have started the next flow, while others of this one are still to be called.
      callbacks: reportStatus(options, (change) => {
        if (this.latest === flow) this.set(change);
      }),
    });
    start(flow);
    if (flow.isOver) return undefined;
    // Only the last screen of an ended flow remains.
    this.current.flow?.destroy();
    this.latest = flow;
    this.set({ flow, place, status: 'opening', error: null });
    return flow;
  }

  private set(change: Partial<ConnectSnapshot>): void {
    this.current = { ...this.current, ...change };
    for (const listener of this.listeners) listener();
  }
}
