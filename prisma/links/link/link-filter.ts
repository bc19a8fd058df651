import type { LinkError, LinkState } from '../../../domain/link/link-state.js';

/** Selects links of an app; all given conditions must hold. Source: native-api 3.4. */
export interface LinkFilter {
  /** The app's id of its user. */
  user?: string | undefined;
  tag?: string | undefined;
  error?: LinkError | undefined;
  institutionId?: string | undefined;
  provider?: string | undefined;
  /** A state of unlisted links includes those. */
  state?: LinkState | undefined;
  /** Inclusive. It also changes the order: by time of update instead of creation. */
  updatedSince?: Date | undefined;
  /** Links that are otherwise not listed. Not with `updatedSince`, whose indexes omit them. */
  include?: readonly UnlistedLinks[] | undefined;
}

/** One that was deleted before it was ever connected belongs to both. */
export const UNLISTED_LINKS = ['never_connected', 'deleted'] as const;
export type UnlistedLinks = (typeof UNLISTED_LINKS)[number];

/** The states that only unlisted links have. */
const UNLISTED_STATES: Readonly<Partial<Record<LinkState, readonly UnlistedLinks[]>>> = {
  connecting: ['never_connected'],
  awaiting_token_exchange: ['never_connected'],
  deleted: UNLISTED_LINKS,
};

/** True for a state that only unlisted links have. */
export function isUnlisted(state: LinkState | undefined): boolean {
  return state !== undefined && state in UNLISTED_STATES;
}

/** The unlisted links that a list holds: those that its filter names, and those of its state. */
export function includedLinks({ include = [], state }: LinkFilter): ReadonlySet<UnlistedLinks> {
  const ofState = state === undefined ? [] : (UNLISTED_STATES[state] ?? []);
  return new Set([...include, ...ofState]);
}

/** By creation, or by update with `updatedSince`. */
export type LinkOrder = 'asc' | 'desc';

/** The place of a link in the order of a list. */
export interface LinkPosition {
  pk: bigint;
  updatedAt: Date;
}

export interface LinkPageRequest {
  order: LinkOrder;
  after: LinkPosition | null;
  limit: number;
}
