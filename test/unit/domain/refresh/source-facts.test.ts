import { dueAfterFault, planDue, policyFor } from '../../../../domain/refresh/refresh-schedule.js';
import { shortestIntervalMs } from '../../../../domain/refresh/source-facts.js';

const HOUR = 3_600_000;
const rule = { per: 'permission' as const, limit: 24, windowSeconds: 86_400, reserve: 0 };

describe('The shortest interval of a source', () => {
  it.each([
    ['none without a quota', [], null, 0],
    ['that of the source', [], 12 * HOUR, 12 * HOUR],
    ['the calls of a day, spread', [rule], null, HOUR],
    ['without those kept for apps', [{ ...rule, reserve: 12 }], null, 2 * HOUR],
    ['once a window where all is kept for apps', [{ ...rule, reserve: 24 }], null, 24 * HOUR],
    [
      'that of the tightest rule',
      [rule, { ...rule, per: 'account' as const, limit: 4 }],
      HOUR,
      6 * HOUR,
    ],
    [
      'none for a quota of the configuration',
      [{ ...rule, per: 'configuration' as const }],
      null,
      0,
    ],
  ])('is %s', (_what, quotas, refreshEveryMs, interval) => {
    expect(shortestIntervalMs(quotas, refreshEveryMs)).toBe(interval);
  });
});

describe('A schedule that a source stretches', () => {
  const general = { intervals: { fast: 2 * HOUR, slow: 3 * HOUR }, jitter: 0.15 };
  const now = new Date('2026-03-02T10:00:00Z');
  const { policy } = policyFor(general, [], 6 * HOUR);

  it('replaces only shorter intervals', () => {
    expect(policy.intervals).toEqual({ fast: 6 * HOUR, slow: 6 * HOUR });
    expect(policyFor(general, [], 2.5 * HOUR).policy.intervals.slow).toBe(3 * HOUR);
  });

  it.each([0, 0.25, 0.5, 0.75, 0.999])('never varies below it: chance %d', (chance) => {
    const due = { slowDueAt: now, policy, pausedUntil: null };
    const { nextDueAt, slowDueAt } = planDue(due, now, chance);
    for (const at of [nextDueAt, slowDueAt, dueAfterFault(policy, 1, now, chance)])
      expect(Number(at) - now.getTime()).toBeGreaterThanOrEqual(6 * HOUR);
    expect(Number(nextDueAt) - now.getTime()).toBeLessThanOrEqual(6 * 1.15 * HOUR);
  });

  it('spreads links that were due together', () => {
    const at = (chance: number) =>
      Number(planDue({ slowDueAt: now, policy, pausedUntil: null }, now, chance).nextDueAt);
    expect(new Set([0, 0.2, 0.4, 0.6, 0.8].map(at)).size).toBe(5);
  });
});
