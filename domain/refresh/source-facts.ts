import type { Absence } from '../accounts/absence.js';

/** What the core has to know about the source of a link to schedule and plan its fetches. */
export interface SourceFacts {
  /** Scheduled fetches more frequent than this are useless, or forbidden by a quota. Milliseconds. */
  atLeastMs: number;
  /** The whole history is available only right after a login: it is fetched first. */
  historyFirst: boolean;
  /** The source is made to ask its bank before it is read. */
  updatesFirst: boolean;
  /** What it means that a complete list leaves an account out. */
  absence: Absence;
}

/** The facts of a provider, by its name; those of an unknown one are ordinary. */
export type SourceFactsOf = (provider: string) => SourceFacts;

const ORDINARY_SOURCE: SourceFacts = {
  atLeastMs: 0,
  historyFirst: false,
  updatesFirst: false,
  absence: 'closed',
};

export const ordinarySource: SourceFactsOf = () => ORDINARY_SOURCE;

/** The part of a quota that decides how often a link can be refreshed. */
export interface CountedCalls {
  per: 'configuration' | 'permission' | 'account';
  limit: number;
  windowSeconds: number;
  reserve: number;
}

/**
 * The shortest time between two scheduled fetches of a link: the calls of its quotas without their
 * reserves, spread evenly, where a fetch counts as one call. A quota of the whole configuration says
 * nothing about one link.
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
