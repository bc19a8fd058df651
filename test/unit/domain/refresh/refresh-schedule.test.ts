import {
  dueAfterFault,
  planDue,
  policyFor,
  type DueLink,
  type SchedulePolicy,
} from '../../../../domain/refresh/refresh-schedule.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = new Date('2026-03-02T10:00:00Z');
const POLICY: SchedulePolicy = { intervals: { fast: 6 * HOUR, slow: 7 * DAY }, jitter: 0.15 };
const later = (ms: number) => new Date(NOW.getTime() + ms);
const link = (over: Partial<DueLink> = {}): DueLink => ({
  slowDueAt: later(DAY),
  policy: POLICY,
  pausedUntil: null,
  ...over,
});
const hours = (moment: Date | null) => ((moment?.getTime() ?? Number.NaN) - NOW.getTime()) / HOUR;

describe('The schedule of a link (link-lifecycle 7.4)', () => {
  it.each([
    [0, 5.1],
    [0.5, 6],
    [1, 6.9],
  ])('makes it due again after 6 h ± 15 %%: chance %f → %f h', (chance, next) => {
    const plan = planDue(link(), NOW, chance);
    expect(plan.refresh).toBe('fast');
    expect(hours(plan.nextDueAt)).toBeCloseTo(next);
  });

  it('includes the slow products when they are due', () => {
    const plan = planDue(link({ slowDueAt: NOW }), NOW, 0.5);
    expect(plan).toEqual({ refresh: 'all', nextDueAt: later(6 * HOUR), slowDueAt: later(7 * DAY) });
  });

  it.each([
    [0, 0.9, 25.2],
    [1, 6.9, 7 * 24 * 1.15],
  ])(
    'spreads the first times of a new link over an interval: chance %f → %f h and %f h',
    (chance, fast, slow) => {
      const plan = planDue(link({ slowDueAt: null }), NOW, chance);
      expect(plan.refresh).toBe('nothing');
      expect(hours(plan.nextDueAt)).toBeCloseTo(fast);
      expect(hours(plan.slowDueAt)).toBeCloseTo(slow);
    },
  );

  it.each([
    ['a short pause, which it outlasts by a share of the interval', HOUR, 1 + 0.9 * 0.5],
    ['a long one, during which it is looked at again', 30 * DAY, 6],
  ])('skips the refresh during %s', (_title, pause, next) => {
    const plan = planDue(link({ pausedUntil: later(pause) }), NOW, 0.5);
    expect(plan).toMatchObject({ refresh: 'nothing', slowDueAt: later(DAY) });
    expect(hours(plan.nextDueAt)).toBeCloseTo(next);
  });

  it('resumes the refresh when the pause has ended', () => {
    expect(planDue(link({ pausedUntil: NOW }), NOW, 0.5).refresh).toBe('fast');
  });
});

describe('The back-off of a failed link', () => {
  it.each([
    [0, 12],
    [1, 12],
    [2, 24],
    [3, 24],
    [50, 24],
  ])('doubles the interval for every failed run, up to a day: %i → %i h', (failedRuns, wait) => {
    expect(hours(dueAfterFault(POLICY, failedRuns, NOW, 0.5))).toBeCloseTo(wait);
    expect(hours(dueAfterFault(POLICY, failedRuns, NOW, 1))).toBeLessThanOrEqual(24);
  });

  it('does not shorten an interval that is longer than a day', () => {
    expect(
      hours(dueAfterFault({ ...POLICY, intervals: { fast: 3 * DAY, slow: 7 * DAY } }, 4, NOW, 0.5)),
    ).toBe(72);
  });
});

describe('Refresh settings of operators', () => {
  const nothing = { pausedUntil: null, intervals: { fast: null, slow: null } };

  it('apply from the institution before the provider, separately for each interval', () => {
    const bank = { pausedUntil: null, intervals: { fast: HOUR, slow: null } };
    const provider = { pausedUntil: null, intervals: { fast: 2 * HOUR, slow: DAY } };
    expect(policyFor(POLICY, [bank, provider]).policy).toEqual({
      intervals: { fast: HOUR, slow: DAY },
      jitter: 0.15,
    });
    expect(policyFor(POLICY, [nothing, provider]).policy.intervals).toEqual({
      fast: 2 * HOUR,
      slow: DAY,
    });
    expect(policyFor(POLICY, [undefined, nothing])).toEqual({ policy: POLICY, pausedUntil: null });
  });

  it('pause for the longer of two pauses', () => {
    const [short, long] = [later(HOUR), later(DAY)].map((pausedUntil) => ({
      ...nothing,
      pausedUntil,
    }));
    expect(policyFor(POLICY, [short, long]).pausedUntil).toEqual(later(DAY));
  });
});
