import type { Absence } from '../accounts/absence.js';

/** The facts of a link's source that the core needs to schedule and plan its fetches. */
export interface SourceFacts {
  /** More frequent scheduled fetches are useless, or forbidden by a quota. Milliseconds. */
  atLeastMs: number;
  /** The whole history is available only right after a login, so it is fetched first. */
  historyFirst: boolean;
  /** The source updates from its bank before it is read. */
  updatesFirst: boolean;
  /** The meaning of an account's absence from a complete list. */
  absence: Absence;
}

/** The facts of a provider, by name; an unknown provider has the default facts. */
export type SourceFactsOf = (provider: string) => SourceFacts;

const ORDINARY_SOURCE: SourceFacts = {
  atLeastMs: 0,
  historyFirst: false,
  updatesFirst: false,
  absence: 'closed',
};

export const ordinarySource: SourceFactsOf = () => ORDINARY_SOURCE;

/** The part of a quota that limits how often a link can be refreshed. */
export interface CountedCalls {
  per: 'configuration' | 'permission' | 'account';
  limit: number;
  windowSeconds: number;
  reserve: number;
}

/**
 * The shortest time between two scheduled fetches of a link: the calls of its quotas without their
 * reserves, spread evenly, where a fetch counts as one call. A quota of the whole configuration
 * does not limit a single link.
 */
export function shortestIntervalMs(
  quotas: readonly CountedCalls[],
  refreshEveryMs: number | null,
): number {
  const ofQuotas = quotas
    .filter(({ per }) => per !== 'configuration')
    .map(
      ({ limit, reserve, windowSeconds }) => (windowSeconds * 1_000) / Math.max(1, limit - reserve),
    );
  return Math.max(0, refreshEveryMs ?? 0, ...ofQuotas);
}
