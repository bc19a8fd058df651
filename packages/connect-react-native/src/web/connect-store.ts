import { createConnect, type Connect, type ConnectOptions } from '@tributary/connect-js';
import { checkToken, readStateId } from '@tributary/connect-js/core';
import type { ConnectControl } from '../connect-context.js';
import type { ConnectLook, ContinueOptions, PresentOptions } from '../options.js';
import { presentAsync } from '../present-async.js';
import { reportStatus, type FlowReport } from '../report-status.js';
import { version } from '../version.js';

/** The flow of an app in a browser: `connect-js`, with the functions of the phone. */
export class WebConnectStore implements ConnectControl {
  private current: FlowReport = { status: 'idle', error: null };
  private readonly listeners = new Set<() => void>();
  private connect: Connect | undefined;
  private onRemoved: (() => void) | undefined;
  /** Return addresses that were handed over. */
  private readonly taken = new Set<string>();

  constructor(private readonly connectBaseUrl: string) {}

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly snapshot = (): FlowReport => this.current;

  readonly presentLinkFlow = (options: PresentOptions, onRemoved?: () => void): boolean => {
    const connect = this.present(options);
    if (connect !== undefined) this.onRemoved = onRemoved;
    return connect !== undefined;
  };

  readonly presentLinkFlowAsync = presentAsync(this.presentLinkFlow);

  presentInline(options: PresentOptions, place: object): () => void {
    const connect = this.present(options, place as Element);
    return () => connect?.destroy();
  }

  private present(
    { linkSessionToken, ...options }: PresentOptions,
    container?: Element,
  ): Connect | undefined {
    checkToken(linkSessionToken);
    if (this.connect?.isOpen === true) {
      console.warn('Connect: presentLinkFlow was ignored, a flow is open already.');
      return undefined;
    }
    const connect = this.create({ ...options, ...(container === undefined ? {} : { container }) });
    connect.open({ linkSessionToken });
    return connect;
  }

  readonly continueFlow = ({ url, linkSessionToken, ...options }: ContinueOptions): boolean => {
    const stateId = readStateId(url);
    if (stateId === undefined) return false;
    if (this.taken.has(stateId) || this.connect?.isOpen === true) return true;
    this.taken.add(stateId);
    this.create(options).continue({
      url,
      ...(linkSessionToken == null ? {} : { linkSessionToken }),
    });
    return true;
  };

  readonly exit = (options?: { force?: boolean }): void => this.connect?.exit(options);

  readonly update = (look: Pick<ConnectLook, 'theme' | 'appearance'>): void =>
    this.connect?.update(look);

  destroy(): void {
    this.connect?.destroy();
    this.onRemoved?.();
    this.onRemoved = undefined;
  }

  private create(options: Omit<ConnectOptions, 'connectBaseUrl' | 'sdk'>): Connect {
    this.destroy();
    this.set({ status: 'opening', error: null });
    this.connect = createConnect({
      ...options,
      // As on phones.
      closeOnSuccess: options.closeOnSuccess ?? true,
      connectBaseUrl: this.connectBaseUrl,
      sdk: { name: 'connect-react-native', version },
      ...reportStatus(options, (change) => this.set(change)),
    });
    return this.connect;
  }

  private set(change: Partial<FlowReport>): void {
    this.current = { ...this.current, ...change };
    for (const listener of this.listeners) listener();
  }
}
