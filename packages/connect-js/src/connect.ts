import { checkToken } from './configuration.js';
import { startFlow, type Flow } from './flow.js';
import { handOver } from './hand-over.js';
import { forgettingCallbacks, forgetToken, keepToken, keptToken } from './kept-token.js';
import type { ConnectOptions, ConnectUpdate, ContinueRequest, OpenRequest } from './options.js';
import { findContainer, readBaseUrl } from './page-configuration.js';
import { callSafely, createReporter, type Reporter } from './reporter.js';
import { readStateId } from './return-address.js';
import { oauthStateInvalid } from './texts.js';

export interface Connect {
  /** A flow is open: its final callback was not called yet, and it was not handed over. */
  readonly isOpen: boolean;
  /**
   * Opens Connect; while it is open this is ignored with a warning.
   * @throws ConnectConfigurationError for an invalid token or a missing container
   */
  open(request: OpenRequest): void;
  /**
   * On the page at `redirect_uri`: passes the URL to the window that started, or continues here.
   * A URL that is not a return from a bank opens nothing and is reported to `onError`.
   */
  continue(request: ContinueRequest): void;
  /** Exits, after a confirmation of the end user where progress would be lost; with `force` immediately. */
  exit(options?: { force?: boolean }): void;
  /** Callbacks apply from now on; theme and appearance immediately, even while open. */
  update(changes: ConnectUpdate): void;
  /** Removes everything from the page; no callback is called. */
  destroy(): void;
}

/**
 * Does not access the page before `open` or `continue`, so it may be called on a server.
 * @throws ConnectConfigurationError when `connectBaseUrl` is not an http(s) URL
 */
export function createConnect(initial: ConnectOptions): Connect {
  const baseUrl = readBaseUrl(initial.connectBaseUrl);
  let options = initial;
  let reporter: Reporter | undefined;
  let flow: Flow | undefined;
  let handingOver: AbortController | undefined;

  const locale = (): string => options.locale ?? (navigator.language || 'en');

  const findRoom = (): Element | undefined =>
    options.container === undefined ? undefined : findContainer(options.container);

  const isOpen = (): boolean => reporter?.finished === false;

  /** @returns whether a flow may begin; the last screen of a finished one is replaced */
  const mayBegin = (method: string): boolean => {
    if (isOpen()) console.warn(`Connect: ${method} was ignored, Connect is open already.`);
    else flow?.remove();
    return !isOpen();
  };

  /** The token is kept until the final callback, which deletes it. */
  const report = (linkSessionToken: string | undefined): Reporter =>
    createReporter(() =>
      linkSessionToken === undefined
        ? options
        : forgettingCallbacks(options, () => forgetToken(baseUrl.href, linkSessionToken)),
    );

  return {
    get isOpen() {
      return isOpen();
    },

    open({ linkSessionToken }) {
      checkToken(linkSessionToken);
      const container = findRoom();
      if (!mayBegin('open')) return;
      reporter = report(linkSessionToken);
      keepToken(baseUrl.href, linkSessionToken);
      flow = startFlow({
        baseUrl,
        linkSessionToken,
        continueUrl: undefined,
        options,
        container,
        locale: locale(),
        reporter,
      });
    },

    continue({ url, linkSessionToken: given, onHandedOver }) {
      if (given !== undefined) checkToken(given);
      const container = findRoom();
      if (!mayBegin('continue')) return;
      const stateId = readStateId(url);
      if (stateId === undefined)
        return createReporter(() => options).error(oauthStateInvalid(locale()));
      const linkSessionToken = given ?? keptToken(baseUrl.href);
      const next = report(linkSessionToken);
      reporter = next;
      const attempt = new AbortController();
      handingOver = attempt;
      const goOn = (taken: boolean): void => {
        if (attempt.signal.aborted) return;
        handingOver = undefined;
        if (!taken) {
          if (linkSessionToken !== undefined) keepToken(baseUrl.href, linkSessionToken);
          flow = startFlow({
            baseUrl,
            linkSessionToken,
            continueUrl: url,
            options,
            container,
            locale: locale(),
            reporter: next,
          });
          return;
        }
        // connect 7: after a hand-over the popup closes itself and calls no callback.
        next.silence();
        if (linkSessionToken !== undefined) forgetToken(baseUrl.href, linkSessionToken);
        callSafely('onHandedOver', onHandedOver, undefined);
        window.close();
      };
      void handOver({ url, stateId, connectOrigin: baseUrl.origin, signal: attempt.signal }).then(
        goOn,
      );
    },

    exit({ force = false } = {}) {
      if (handingOver !== undefined) {
        handingOver.abort();
        handingOver = undefined;
        reporter?.end('programmatic');
        return;
      }
      flow?.exit(force);
    },

    update(changes) {
      options = { ...options, ...changes };
      if ('theme' in changes || 'appearance' in changes) flow?.restyle(options);
    },

    destroy() {
      handingOver?.abort();
      handingOver = undefined;
      reporter?.silence();
      flow?.remove();
      flow = undefined;
      reporter = undefined;
    },
  };
}
