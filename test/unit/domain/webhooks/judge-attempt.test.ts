import {
  judgeAttempt,
  parseRetryAfter,
  type AttemptOutcome,
} from '../../../../domain/webhooks/judge-attempt.js';

const s = 1000;
const m = 60 * s;
const h = 60 * m;
const attemptsAtMs = [0, 5 * s, 30 * s, 2 * m, 10 * m, 30 * m, h, 2 * h, 5 * h, 10 * h, 24 * h];
const first = new Date('2026-03-02T10:00:00.000Z');
const failure: AttemptOutcome = { httpStatus: 500, error: 'http_status', retryAfterSeconds: null };

/** Plays the whole schedule against a receiver that never responds correctly. */
function playSchedule(jitter: number): number[] {
  const times = [0];
  let shiftMs = 0;
  let now = first;
  for (let attempts = 1; ; attempts += 1) {
    const verdict = judgeAttempt(
      failure,
      { firstAttemptAt: first, attempts, shiftMs },
      { attemptsAtMs },
      now,
      jitter,
    );
    if (verdict.status !== 'pending') return times;
    ({ nextAttemptAt: now, shiftMs } = verdict);
    times.push(now.getTime() - first.getTime());
  }
}

describe('The outcome of an attempt (webhooks 8.1, 8.2)', () => {
  it.each([200, 201, 204, 299])('is a delivery for %d', (httpStatus) => {
    expect(
      judgeAttempt(
        { httpStatus, error: null, retryAfterSeconds: null },
        { firstAttemptAt: first, attempts: 1, shiftMs: 0 },
        { attemptsAtMs },
        first,
        0.5,
      ),
    ).toEqual({ status: 'delivered' });
  });

  it('disables the address for 410, whatever the attempt', () => {
    expect(
      judgeAttempt(
        { httpStatus: 410, error: 'http_status', retryAfterSeconds: null },
        { firstAttemptAt: first, attempts: 11, shiftMs: 0 },
        { attemptsAtMs },
        first,
        0.5,
      ),
    ).toEqual({ status: 'disabled' });
  });

  it.each([0, 0.25, 0.5, 0.999])(
    'follows the plan within 10 %% of each gap for eleven failures (jitter %d)',
    (jitter) => {
      const times = playSchedule(jitter);
      expect(times).toHaveLength(attemptsAtMs.length);
      for (const [index, planned] of attemptsAtMs.entries()) {
        const before = attemptsAtMs[index - 1] ?? 0;
        expect(Math.abs((times[index] ?? Number.NaN) - planned)).toBeLessThanOrEqual(
          (planned - before) * 0.1 + 1,
        );
      }
    },
  );

  it('meets a plan without jitter exactly', () => {
    expect(playSchedule(0.5)).toEqual(attemptsAtMs);
  });

  it.each([429, 503])(
    'waits at least as long as Retry-After of %d and moves the rest of the plan',
    (httpStatus) => {
      const verdict = judgeAttempt(
        { httpStatus, error: 'http_status', retryAfterSeconds: 120 },
        { firstAttemptAt: first, attempts: 1, shiftMs: 0 },
        { attemptsAtMs },
        first,
        0.5,
      );
      expect(verdict).toEqual({
        status: 'pending',
        nextAttemptAt: new Date(first.getTime() + 120 * s),
        shiftMs: 115 * s,
      });
      const after = judgeAttempt(
        failure,
        { firstAttemptAt: first, attempts: 2, shiftMs: 115 * s },
        { attemptsAtMs },
        new Date(first.getTime() + 120 * s),
        0.5,
      );
      expect(after).toEqual({
        status: 'pending',
        nextAttemptAt: new Date(first.getTime() + 145 * s),
        shiftMs: 115 * s,
      });
    },
  );

  it('follows the plan for a shorter Retry-After, and caps one beyond a day', () => {
    const verdict = (retryAfterSeconds: number) =>
      judgeAttempt(
        { httpStatus: 503, error: 'http_status', retryAfterSeconds },
        { firstAttemptAt: first, attempts: 1, shiftMs: 0 },
        { attemptsAtMs },
        first,
        0.5,
      );
    expect(verdict(1)).toEqual({
      status: 'pending',
      nextAttemptAt: new Date(first.getTime() + 5 * s),
      shiftMs: 0,
    });
    expect(verdict(10 ** 9)).toMatchObject({ nextAttemptAt: new Date(first.getTime() + 24 * h) });
  });

  it.each([400, 500, 302])('ignores Retry-After of %d', (httpStatus) => {
    const verdict = judgeAttempt(
      { httpStatus, error: 'http_status', retryAfterSeconds: 600 },
      { firstAttemptAt: first, attempts: 1, shiftMs: 0 },
      { attemptsAtMs },
      first,
      0.5,
    );
    expect(verdict).toMatchObject({ nextAttemptAt: new Date(first.getTime() + 5 * s) });
  });

  it('never plans an attempt in the past, even after a late one', () => {
    const late = new Date(first.getTime() + 3 * h);
    expect(
      judgeAttempt(
        failure,
        { firstAttemptAt: first, attempts: 2, shiftMs: 0 },
        { attemptsAtMs },
        late,
        0.5,
      ),
    ).toEqual({ status: 'pending', nextAttemptAt: late, shiftMs: 0 });
  });
});

describe('Retry-After', () => {
  it.each([
    ['120', 120],
    [' 0 ', 0],
    ['Mon, 02 Mar 2026 10:02:00 GMT', 120],
    ['Mon, 02 Mar 2026 09:00:00 GMT', 0],
    ['soon', null],
    ['', null],
    ['-5', null],
  ])('reads "%s" as %s', (header, seconds) => {
    expect(parseRetryAfter(header, first)).toBe(seconds);
  });

  it('is null when absent', () => {
    expect(parseRetryAfter(undefined, first)).toBeNull();
  });
});
