import type { ProductSpeed } from '../link/product-speed.js';

/** Milliseconds between two scheduled refreshes of a product, by its speed. */
export type RefreshIntervals = Readonly<Record<ProductSpeed, number>>;

export interface SchedulePolicy {
  intervals: RefreshIntervals;
  /** The fraction by which an interval varies, 0 … 1. */
  jitter: number;
  /** The minimum time between two refreshes, regardless of variation. Milliseconds. */
  atLeastMs?: number;
}

/** An operator's settings for one institution or provider; null = default. */
export interface ScheduleControl {
  pausedUntil: Date | null;
  intervals: { readonly [Speed in ProductSpeed]: number | null };
}

/** `fast`: accounts and transactions; `all`: also the slow products. */
export interface DuePlan {
  refresh: 'nothing' | 'fast' | 'all';
  nextDueAt: Date;
  /** Null = not planned yet. */
  slowDueAt: Date | null;
}

export interface DueLink {
  /** Null = the link was just connected and its first times are not planned yet. */
  slowDueAt: Date | null;
  policy: SchedulePolicy;
  pausedUntil: Date | null;
}

/**
 * Plans the refresh of a due link. First times are spread over a whole interval, so that links
 * created together are not refreshed together; `chance` (0 … 1) selects the position. Source:
 * link-lifecycle 7.4.
 */
export function planDue(
  { slowDueAt, policy, pausedUntil }: DueLink,
  now: Date,
  chance: number,
): DuePlan {
  const { intervals, jitter } = policy;
  const nextDueAt = addMs(now, withJitter(intervals.fast, policy, chance));
  if (pausedUntil !== null && pausedUntil > now) {
    const afterPause = addMs(pausedUntil, intervals.fast * jitter * chance);
    return {
      refresh: 'nothing',
      nextDueAt: afterPause < nextDueAt ? afterPause : nextDueAt,
      slowDueAt,
    };
  }
  if (slowDueAt === null)
    return {
      refresh: 'nothing',
      nextDueAt: addMs(now, intervals.fast * (jitter + chance)),
      slowDueAt: addMs(now, intervals.slow * (jitter + chance)),
    };
  return slowDueAt > now
    ? { refresh: 'fast', nextDueAt, slowDueAt }
    : {
        refresh: 'all',
        nextDueAt,
        slowDueAt: addMs(now, withJitter(intervals.slow, policy, chance)),
      };
}

const MAX_BACK_OFF_MS = 24 * 3_600_000;

/**
 * The next due time of a faulty link: the interval doubles with every failed run, up to a day,
 * unless the interval itself is longer. Source: link-lifecycle 7.4.
 */
export function dueAfterFault(
  policy: SchedulePolicy,
  failedRuns: number,
  now: Date,
  chance: number,
): Date {
  const { intervals } = policy;
  const backedOff = Math.min(MAX_BACK_OFF_MS, intervals.fast * 2 ** Math.max(1, failedRuns));
  // The interval with its jitter must not exceed a day.
  return addMs(
    now,
    Math.max(intervals.fast, Math.min(MAX_BACK_OFF_MS, withJitter(backedOff, policy, chance))),
  );
}

/**
 * The policy of one link: the institution's settings, or else the provider's, or else the general
 * ones. The longest pause applies. `atLeastMs`: the minimum that the source allows, which stretches
 * every interval.
 */
export function policyFor(
  general: SchedulePolicy,
  controls: readonly (ScheduleControl | undefined)[],
  atLeastMs = 0,
): { policy: SchedulePolicy; pausedUntil: Date | null } {
  const settings = controls.filter((control) => control !== undefined);
  const interval = (speed: ProductSpeed): number =>
    Math.max(
      atLeastMs,
      settings.map(({ intervals }) => intervals[speed]).find((ms) => ms !== null) ??
        general.intervals[speed],
    );
  const pauses = settings.flatMap(({ pausedUntil }) =>
    pausedUntil === null ? [] : [pausedUntil.getTime()],
  );
  return {
    policy: {
      intervals: { fast: interval('fast'), slow: interval('slow') },
      jitter: general.jitter,
      ...(atLeastMs > 0 ? { atLeastMs } : {}),
    },
    pausedUntil: pauses.length === 0 ? null : new Date(Math.max(...pauses)),
  };
}

function withJitter(
  ms: number,
  { jitter, atLeastMs = 0 }: Pick<SchedulePolicy, 'jitter' | 'atLeastMs'>,
  chance: number,
): number {
  if (ms * (1 - jitter) >= atLeastMs) return ms * (1 + jitter * (2 * chance - 1));
  // The jitter only lengthens the shortest interval that the source allows, so that links stay
  // spread.
  const longest = Math.max(ms, atLeastMs) * (1 + jitter);
  return atLeastMs + (longest - atLeastMs) * chance;
}

function addMs(moment: Date, ms: number): Date {
  return new Date(moment.getTime() + ms);
}
