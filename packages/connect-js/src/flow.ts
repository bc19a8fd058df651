import { NO_CHANNEL, type Envelope } from '../../connect-protocol/src/envelope.js';
import type { InitOptions } from '../../connect-protocol/src/init.js';
import { detectDevice } from './device.js';
import { linkFrame, randomChannel, type FrameLink } from './frame-link.js';
import { showLayer } from './layer.js';
import { overlayColor } from './layer-style.js';
import { watchLoad } from './load-watch.js';
import { createLoadingScreen } from './loading-screen.js';
import type { ConnectOptions } from './options.js';
import type { ConnectExitReason } from '../../connect-protocol/src/payloads.js';
import {
  readConnectError,
  readConnectEvent,
  readConnectExit,
  readConnectSuccess,
  readSession,
} from './read-payload.js';
import type { Reporter } from './reporter.js';
import { relayReturns } from './return-relay.js';
import { frameTitle, popupBlocked } from './texts.js';
import { goTo } from './top-window.js';
import { version } from './generated/version.js';

export interface FlowRequest {
  baseUrl: URL;
  linkSessionToken: string | undefined;
  /** Present on a return page: the flow continues here with the return from the bank. */
  continueUrl: string | undefined;
  options: ConnectOptions;
  container: Element | undefined;
  locale: string;
  reporter: Reporter;
}

/** An open flow: the layer, the frame, and the port to the hosted app. */
export interface Flow {
  exit(force: boolean): void;
  /** Theme or appearance have changed. */
  restyle(options: ConnectOptions): void;
  /** Removes everything from the page without a callback. */
  remove(): void;
}

// A hosted app that does not respond must not keep the page covered once the app insists.
const FORCED_EXIT_WITHIN_MS = 2_000;
const Z_INDEX = 2_147_483_000;

export function startFlow({
  baseUrl,
  linkSessionToken,
  continueUrl,
  options: initial,
  container,
  locale,
  reporter,
}: FlowRequest): Flow {
  const { closeOnSuccess } = initial;
  let options = initial;
  let link: FrameLink | undefined;
  let insisting: ReturnType<typeof setTimeout> | undefined;

  const layer = showLayer({
    title: frameTitle(locale),
    container,
    zIndex: options.zIndex ?? Z_INDEX,
    overlay: overlayColor(options.theme, options.appearance ?? 'system'),
    nonce: options.nonce,
    onEscape: () => requestExit(false, 'user_closed'),
  });
  const screen = createLoadingScreen({
    locale,
    appearance: options.appearance ?? 'system',
    isInline: container !== undefined,
    onRetry: () => loading.tryAgain(),
    onClose: () => requestExit(false, 'user_closed'),
  });
  const loading = watchLoad({
    locale,
    load,
    onSlow() {
      layer.cover(screen.element);
      screen.showSpinner();
    },
    onFailure(failure) {
      layer.cover(screen.element);
      screen.showProblem(failure.displayed_message);
      reporter.error(failure);
    },
  });
  const relay = relayReturns((url) => link?.send('resume', { url }, NO_CHANNEL));

  function load(): void {
    const channel = randomChannel();
    link?.close();
    link = linkFrame({
      frame: layer.load(
        `${baseUrl.href}/${continueUrl === undefined ? 'start' : 'continue'}#channel=${channel}`,
      ),
      origin: baseUrl.origin,
      channel,
      init: {
        ...(linkSessionToken === undefined ? {} : { link_session_token: linkSessionToken }),
        ...(continueUrl === undefined ? {} : { continue_url: continueUrl }),
        options: initOptions(options, locale, container !== undefined),
      },
      onArrival: () => loading.progress(),
      onHello() {
        loading.end();
        layer.reveal();
      },
      onMessage: receive,
    });
  }

  function remove(): void {
    clearTimeout(insisting);
    loading.end();
    link?.close();
    relay.close();
    layer.remove();
  }

  function end(...ending: Parameters<Reporter['end']>): void {
    remove();
    reporter.end(...ending);
  }

  function requestExit(force: boolean, reason: ConnectExitReason): void {
    const { failure } = loading;
    if (failure !== undefined) return end(reason === 'user_closed' ? 'error' : reason, failure);
    // After the final callback only a last screen remains, and before the handshake the hosted app
    // cannot be called.
    if (reporter.finished || link?.send('request_exit', { force }) !== true) return end(reason);
    if (force) insisting ??= setTimeout(() => end(reason), FORCED_EXIT_WITHIN_MS);
  }

  function receive({ type, payload }: Envelope): void {
    handlers.get(type)?.(payload);
  }

  const handlers = new Map(
    Object.entries<(payload: Record<string, unknown>) => void>({
      ready(payload) {
        const session = readSession(payload);
        if (session !== undefined) reporter.ready(session);
      },
      event(payload) {
        const event = readConnectEvent(payload);
        if (event !== undefined) reporter.event(event);
      },
      error(payload) {
        const error = readConnectError(payload);
        if (error !== undefined) reporter.error(error);
      },
      success(payload) {
        const success = readConnectSuccess(payload);
        if (success === undefined) return;
        // Otherwise the hosted app closes its last screen.
        if (closeOnSuccess === true) remove();
        reporter.success(success);
      },
      exit(payload) {
        const exit = readConnectExit(payload);
        if (exit === undefined) return;
        // connect 7: the older window shows "moved" until the end user closes it.
        if (exit.reason !== 'moved') remove();
        reporter.exit(exit);
      },
      oauth_open(payload) {
        if (payload['window'] === 'same' && !goTo(payload['authorize_url']))
          reporter.error(popupBlocked(locale));
      },
      resume_ack(payload) {
        if (typeof payload['oauth_state_id'] === 'string')
          relay.acknowledge(payload['oauth_state_id']);
      },
      close: () => end('user_closed'),
    }),
  );

  return {
    exit: (force) => requestExit(force, 'programmatic'),
    restyle: (changed) => {
      options = changed;
      const { theme, appearance } = changed;
      screen.setAppearance(appearance ?? 'system');
      link?.send('theme', { theme: cloneable(theme), appearance: appearance ?? 'system' });
    },
    remove,
  };
}

function initOptions(options: ConnectOptions, locale: string, inline: boolean): InitOptions {
  const device = options.device ?? 'auto';
  return {
    application_name: options.applicationName ?? null,
    theme: cloneable(options.theme),
    appearance: options.appearance ?? 'system',
    locale,
    device: device === 'auto' ? detectDevice() : device,
    platform: 'web',
    close_on_success: options.closeOnSuccess ?? 'after_reading',
    inline,
    oauth_window: options.oauthWindow ?? 'popup',
    sdk: options.sdk ?? { name: 'connect-js', version },
  };
}

/** A value that a message can carry: no functions, no proxies of a state library. */
const cloneable = (theme: ConnectOptions['theme']): unknown =>
  theme === undefined ? null : JSON.parse(JSON.stringify(theme));
