import { planDue, type SchedulePolicy } from '../../../domain/refresh/refresh-schedule.js';

export interface SimulatedDays {
  /**
   * The times at which each link is next due after the last day, in milliseconds from the start.
   */
  nextDue: Float64Array;
  /** Refreshes in each minute. */
  perMinute: Uint32Array;
}

/**
 * Simulates links on the schedule for some days, in memory. `connectedAt` contains the time at
 * which each link was connected, in milliseconds.
 */
export function simulateDays(
  links: number,
  days: number,
  policy: SchedulePolicy,
  chance: () => number,
  connectedAt: (link: number) => number,
): SimulatedDays {
  const end = days * 24 * 3_600_000;
  const nextDue = new Float64Array(links);
  const perMinute = new Uint32Array(days * 24 * 60);
  const due = { policy, pausedUntil: null };
  for (let link = 0; link < links; link += 1) {
    let now = connectedAt(link);
    let slowDueAt: Date | null = null;
    while (now < end) {
      const plan = planDue({ ...due, slowDueAt }, new Date(now), chance());
      if (plan.refresh !== 'nothing') {
        const minute = Math.floor(now / 60_000);
        perMinute[minute] = (perMinute[minute] ?? 0) + 1;
      }
      slowDueAt = plan.slowDueAt;
      now = plan.nextDueAt.getTime();
    }
    nextDue[link] = now;
  }
  return { nextDue, perMinute };
}

/**
 * The busiest minute compared to the mean, starting with the minute in which every link was
 * refreshed once.
 */
export function busiest(
  perMinute: Uint32Array,
  fromMinute: number,
): { mean: number; most: number; ratio: number } {
  const minutes = perMinute.subarray(fromMinute);
  let sum = 0;
  let most = 0;
  for (const count of minutes) {
    sum += count;
    most = Math.max(most, count);
  }
  const mean = sum / minutes.length;
  return { mean, most, ratio: most / mean };
}
