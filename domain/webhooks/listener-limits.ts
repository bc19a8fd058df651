import type { Tenant } from '../api/environment.js';
import { wholeShare } from '../limits/pair-share.js';

/** A listener ends this long after its last call. Source: webhooks 13. */
export const LISTENER_LIFE_MS = 60_000;

/** Listeners that one app may have in one environment at a time. */
export const MAX_LISTENERS_OF_APP = 20;

/** Of these, the number that a caller may have. */
export function maxListenersOf({ share }: Tenant): number {
  return wholeShare(MAX_LISTENERS_OF_APP, share?.percent ?? 100);
}
