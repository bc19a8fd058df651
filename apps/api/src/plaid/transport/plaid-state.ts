import type { IncomingMessage } from 'node:http';
import type { Item } from '../access/item-access.js';

/** Results of the checks, for the handler. */
export interface PlaidState {
  /** The body as it was sent. */
  sent: Record<string, unknown>;
  body: unknown;
  item: Item | null;
  /** Products of Plaid that are not offered here are ignored, not refused. Source: plaid-compat 3.2. */
  ignoresUnoffered: boolean;
}

const states = new WeakMap<IncomingMessage, PlaidState>();

export function plaidStateOf(request: IncomingMessage): PlaidState {
  let state = states.get(request);
  if (state === undefined) {
    state = { sent: {}, body: undefined, item: null, ignoresUnoffered: false };
    states.set(request, state);
  }
  return state;
}
