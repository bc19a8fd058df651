import type { Host } from '../host/host.js';
import {
  listenForReturn,
  openBankWindow,
  type BankNotice,
  type BankWindow,
} from '../oauth/bank-window.js';
import { parseAddress, stateIdOf } from '../oauth/return-address.js';
import { isMeantFor } from '../oauth/state-hash.js';
import { CallFailure } from '../session/call-failure.js';
import { pause } from '../session/pause.js';
import { newRequestId, type SessionClient } from '../session/session-client.js';
import type { Device } from '../../../../packages/connect-protocol/src/init.js';
import type { BankWindowKind } from '../../../../packages/connect-protocol/src/view.js';
import type { EventReporter } from './event-reporter.js';
import type { FlowStore } from './flow-store.js';
import { isWebAddress } from './problems.js';

export interface BankLoginParts {
  host: Host;
  client: Pick<SessionClient, 'startOAuth' | 'returnOAuth' | 'answer'>;
  store: FlowStore;
  events: EventReporter;
  device: Device;
  onFailure: (error: unknown) => void;
}

/** The return is on the screen at least so long that it can be seen. */
const RETURN_SHOWN_MS = 700;

/** The user has started the redirect, and the bank's own pages are not on the screen yet. */
interface SettingOut {
  seq: number;
  requestId: string;
  opened: BankWindow | null;
  /** The service responded with a `wait` instead of an address. */
  waits: boolean;
}

/** Signing in at the bank's own pages, and the return from them. Source: connect 7. */
export class BankLogin {
  private expectedHash: string | null = null;
  private bankWindow: BankWindow | null = null;
  private settingOut: SettingOut | null = null;
  private window: BankWindowKind = 'popup';
  /** The user canceled during a call, which has to return first. */
  private isCanceling = false;
  private readonly taken = new Set<string>();

  constructor(private readonly parts: BankLoginParts) {
    listenForReturn(
      () => parseAddress(parts.store.get().view?.redirect_uri ?? null)?.origin ?? null,
      (url) => this.takeReturn(url),
    );
    parts.store.subscribe(() => this.follow());
  }

  /** Must be called while the click is handled, or the browser blocks the window. */
  start(notice: BankNotice): void {
    const { store, device } = this.parts;
    const { view, sending } = store.get();
    if (view === null || view.step.kind !== 'redirect' || sending) return;
    this.closeWindow();
    this.window = this.wantedWindow();
    const opened = this.window === 'popup' ? openBankWindow(device, notice) : null;
    if (this.window === 'popup' && opened === null) this.window = 'same';
    this.bankWindow = opened;
    this.goToBank({ seq: view.seq, requestId: newRequestId(), opened, waits: false });
  }

  cancel(): void {
    const { store, client, events, onFailure } = this.parts;
    const { view, sending } = store.get();
    if (view?.step.kind !== 'redirect' || !view.step.started) return;
    this.isCanceling = sending;
    this.closeWindow();
    if (sending) return;
    events.report('cancel_oauth', { window: this.window });
    this.expectedHash = null;
    store.dispatch({ type: 'sending', sent: 'redirect' });
    client
      .answer(view.seq, { kind: 'redirect', cancel: true })
      .then((next) => store.dispatch({ type: 'answered', view: next }), onFailure);
  }

  /**
   * A return address from any source. Only the one that this window started is accepted, once; its state id
   * is returned, so that the sender can be acknowledged.
   */
  async takeReturn(url: string): Promise<string | null> {
    const stateId = stateIdOf(url);
    if (
      stateId === null ||
      this.expectedHash === null ||
      !(await isMeantFor(stateId, this.expectedHash))
    )
      return null;
    if (!this.taken.has(stateId)) {
      this.taken.add(stateId);
      this.redeem(url).catch((error: unknown) => this.parts.onFailure(error));
    }
    return stateId;
  }

  private async redeem(url: string): Promise<void> {
    const { store, client, events } = this.parts;
    events.report('return_oauth', { window: this.window });
    // The bank's window is closed with the step: first it has to receive the acknowledgment.
    store.dispatch({ type: 'sending', sent: 'oauth_return' });
    const [view] = await Promise.all([client.returnOAuth(url), pause(RETURN_SHOWN_MS)]);
    store.dispatch({ type: 'answered', view });
  }

  private goToBank(settingOut: SettingOut): void {
    this.settingOut = settingOut;
    settingOut.waits = false;
    this.parts.store.dispatch({ type: 'sending', sent: 'oauth_start' });
    this.send(settingOut).catch((error: unknown) => {
      // connect 5, rules 3 and 5: a bank may be slower than the limit of a call. The window waits
      // as the user does.
      if (error instanceof CallFailure && error.view?.step.kind === 'wait') settingOut.waits = true;
      else this.closeWindow();
      this.parts.onFailure(error);
    });
  }

  private async send({ seq, requestId, opened }: SettingOut): Promise<void> {
    const { client, store, events, host } = this.parts;
    const {
      authorize_url: address,
      state_hash: stateHash,
      view,
    } = await client.startOAuth(seq, requestId, this.window);
    if (!isWebAddress(address)) throw new TypeError('The bank has no address on the web.');
    this.expectedHash = stateHash;
    const isCanceled = this.isCanceling;
    if (!isCanceled) events.report('open_oauth', { window: this.window });
    store.dispatch({ type: 'answered', view });
    if (isCanceled) return;
    if (opened !== null) opened.goTo(address);
    else if (host.kind === 'page') location.assign(address);
    else
      host.post('oauth_open', {
        authorize_url: address,
        redirect_uri: view.redirect_uri,
        window: this.window,
        state_hash: stateHash,
      });
  }

  /**
   * The bank's window is open while its step is shown, and while the service prepares the redirect.
   */
  private follow(): void {
    const { phase, view, sending } = this.parts.store.get();
    if (sending) return;
    const step = phase === 'open' ? view?.step : undefined;
    const isThere = step?.kind === 'redirect' && step.started;
    if (isThere && this.isCanceling) return this.cancel();
    if (step?.kind !== 'wait') this.isCanceling = false;
    if (isThere && this.settingOut?.waits === true) return this.goToBank(this.settingOut);
    if (isThere) this.settingOut = null;
    else if (step?.kind !== 'wait' || this.settingOut === null) this.closeWindow();
  }

  private wantedWindow(): BankWindowKind {
    const { host } = this.parts;
    return host.kind === 'webview' ? 'system' : host.init.oauthWindow;
  }

  private closeWindow(): void {
    this.bankWindow?.close();
    this.bankWindow = null;
    this.settingOut = null;
  }
}
