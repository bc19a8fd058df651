import { frameUnavailable, phoneInit } from '@tributary/connect-js/core';
import { end } from './ending.js';
import type { InputOf } from './inputs.js';
import type { Turn } from './turn.js';

/** connect 8 */
const HELLO_WITHIN_MS = 10_000;
/** Rule 7: the limit of automatic reloads of a page. */
const RELOADS = { max: 2, withinMs: 60_000 };

/** A load of its own channel; at `/continue` when there is an address to continue from. */
export function load(turn: Turn, continueUrl: string | null): void {
  turn.stopTimer('ack');
  turn.change({ continueUrl, load: turn.memory.load + 1, pendingReturn: null, failure: null });
  turn.name = 'loading';
  const entry = continueUrl === null ? 'start' : 'continue';
  // No WebView loads a page again for another fragment alone.
  const query = turn.memory.load === 1 ? '' : `?load=${turn.memory.load}`;
  turn.do(
    { type: 'show', view: 'loading' },
    { type: 'load', address: `${turn.setup.base}/${entry}${query}#channel=${turn.channel}` },
  );
  turn.startTimer('hello', HELLO_WITHIN_MS);
}

/** Rule 1: every `hello` of a load gets a response, also that of a reloaded page. */
export function greet(turn: Turn): void {
  const { linkSessionToken, continueUrl, options } = turn.memory;
  turn.stopTimer('hello');
  turn.send(
    'init',
    phoneInit({
      linkSessionToken: linkSessionToken ?? undefined,
      continueUrl: continueUrl ?? undefined,
      applicationName: options.application_name ?? undefined,
      theme: options.theme ?? undefined,
      appearance: options.appearance ?? undefined,
      locale: options.locale,
      platform: turn.setup.platform,
      closeOnSuccess: options.close_on_success ?? undefined,
      sdk: turn.setup.sdk,
    }),
  );
  if (turn.name !== 'loading') return;
  turn.do({ type: 'show', view: 'web' });
  turn.name = 'open';
}

/** Rule 2. */
export function fail(turn: Turn): void {
  const failure = frameUnavailable(turn.memory.options.locale);
  turn.stopTimer('hello');
  turn.stopTimer('ack');
  turn.change({ failure });
  turn.name = 'failed';
  turn.do({ type: 'show', view: 'failure' });
  turn.report({ type: 'error', error: failure });
}

export function loadFailed(turn: Turn, { cause }: Pick<InputOf<'load_failed'>, 'cause'>): void {
  if (turn.name === 'failed') return;
  // Without its page the last screen has nothing to show.
  if (turn.name === 'last_screen') return turn.remove();
  if (cause === 'content_ended') loadAgain(turn);
  else fail(turn);
}

/** Rules 7 and 8: the page is gone, or another one has replaced it. */
export function loadAgain(turn: Turn): void {
  const { reloads, pendingReturn, continueUrl } = turn.memory;
  const recent = reloads.filter((at) => turn.at - at < RELOADS.withinMs);
  if (recent.length >= RELOADS.max) return fail(turn);
  turn.change({ reloads: [...recent, turn.at] });
  // A return address that the old page did not acknowledge is sent to the new one.
  load(turn, pendingReturn ?? continueUrl);
}

export function tryAgain(turn: Turn): void {
  if (turn.name === 'failed') load(turn, turn.memory.pendingReturn ?? turn.memory.continueUrl);
}

export function helloTimedOut(turn: Turn): void {
  if (turn.name === 'loading') fail(turn);
}

/** A button of the native views, or Android's back key on one of them. */
export function closeNativeView(turn: Turn): void {
  if (turn.name === 'failed') end(turn, 'error', turn.memory.failure);
  else end(turn, 'user_closed');
}
