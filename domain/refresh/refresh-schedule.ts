import type { ProductSpeed } from './refresh-limits.js';

/** Milliseconds between two scheduled refreshes of a product, by its speed. */
export type RefreshIntervals = Readonly<Record<ProductSpeed, number>>;

export interface SchedulePolicy {
  intervals: RefreshIntervals;
  /** Share by which an interval is varied, 0 … 1. */
  jitter: number;
}

/** What an operator says of one institution or provider; null = nothing. */
export interface ScheduleControl {
  pausedUntil: Date | null;
  intervals: { readonly [Speed in ProductSpeed]: number | null };
}

/** `fast`: accounts and transactions; `all`: the slow products too. */
export interface DuePlan {
  ask: 'nothing' | 'fast' | 'all';
  nextDueAt: Date;
  /** Null = still to be planned. */
  slowDueAt: Date | null;
}

export interface DueLink {
  /** Null: the link was just connected, and has its first times still to come. */
  slowDueAt: Date | null;
  policy: SchedulePolicy;
  pausedUntil: Date | null;
}

/**
 * What happens to a link that is due. The first times are spread over a whole interval, so that links made together are
 * not refreshed together; `chance` (0 … 1) draws a place. Source: link-lifecycle 7.4.
 */
export function planDue(
  { slowDueAt, policy: { intervals, jitter }, pausedUntil }: DueLink,
  now: Date,
  chance: number,
): DuePlan {
  const nextDueAt = after(now, varied(intervals.fast, jitter, chance));
  if (pausedUntil !== null && pausedUntil > now) {
    const afterPause = after(pausedUntil, intervals.fast * jitter * chance);
    return {
      ask: 'nothing',
      nextDueAt: afterPause < nextDueAt ? afterPause : nextDueAt,
      slowDueAt,
    };
  }
  if (slowDueAt === null)
    return {
      ask: 'nothing',
      nextDueAt: after(now, intervals.fast * (jitter + chance)),
      slowDueAt: after(now, intervals.slow * (jitter + chance)),
    };
  return slowDueAt > now
    ? { ask: 'fast', nextDueAt, slowDueAt }
    : { ask: 'all', nextDueAt, slowDueAt: after(now, varied(intervals.slow, jitter, chance)) };
}

const LONGEST_BACK_OFF_MS = 24 * 3_600_000;

/**
 * When a link in a fault is due again: the interval doubles with every failed run, up to a day; an interval that is
 * longer by itself stays. Source: link-lifecycle 7.4.
 */
export function dueAfterFault(
  { intervals, jitter }: SchedulePolicy,
  failedRuns: number,
  now: Date,
  chance: number,
): Date {
  const backedOff = Math.min(LONGEST_BACK_OFF_MS, intervals.fast * 2 ** Math.max(1, failedRuns));
  // Never longer than a day, whatever the jitter draws.
  return after(
    now,
    Math.max(intervals.fast, Math.min(LONGEST_BACK_OFF_MS, varied(backedOff, jitter, chance))),
  );
}

/** The policy for one link: what is said of its institution, else of its provider, else of all. The longer pause holds. */
export function policyFor(
  general: SchedulePolicy,
  controls: readonly (ScheduleControl | undefined)[],
): { policy: SchedulePolicy; pausedUntil: Date | null } {
  const said = controls.filter((control) => control !== undefined);
  const interval = (speed: ProductSpeed): number =>
    said.map(({ intervals }) => intervals[speed]).find((ms) => ms !== null) ??
    general.intervals[speed];
  const pauses = said.flatMap(({ pausedUntil }) =>
    pausedUntil === null ? [] : [pausedUntil.getTime()],
  );
  return {
    policy: {
      intervals: { fast: interval('fast'), slow: interval('slow') },
      jitter: general.jitter,
    },
    pausedUntil: pauses.length === 0 ? null : new Date(Math.max(...pauses)),
  };
}

function varied(ms: number, jitter: number, chance: number): number {
  return ms * (1 + jitter * (2 * chance - 1));
}

function after(moment: Date, ms: number): Date {
  return new Date(moment.getTime() + ms);
}
