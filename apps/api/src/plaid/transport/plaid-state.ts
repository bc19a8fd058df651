import type { IncomingMessage } from 'node:http';
import type { Item } from '../access/find-item.js';

/** What the checks of these calls learned, for the handler. */
export interface PlaidState {
  body: unknown;
  item: Item | null;
  /** Products that Plaid has and we do not offer are ignored, not refused. Source: plaid-compat 3.2. */
  ignoresUnoffered: boolean;
}

const states = new WeakMap<IncomingMessage, PlaidState>();

export function plaidStateOf(request: IncomingMessage): PlaidState {
  let state = states.get(request);
  if (state === undefined) {
    state = { body: undefined, item: null, ignoresUnoffered: false };
    states.set(request, state);
  }
  return state;
}
