import {
  AttemptOver,
  SessionOver,
  StaleRefreshRun,
  TransitionRefused,
} from '../../../domain/errors/change-refused.js';
import { ApplicationFailure, CancelledFailure } from '@temporalio/activity';
import { failureOf, translateFailures } from '../../../activities/failures.js';
import { FAILURE_MEANINGS } from '../../../domain/errors/failure-mapping.js';
import { PROVIDER_CAUSES, ProviderFailure } from '../../../domain/errors/provider-failure.js';
import { quietEnvironment } from '../../support/fixtures/quiet-environment.js';

const CANARY = 'canary: remote words, https://bank.example/?token=secret';

describe('failureOf', () => {
  it.each(PROVIDER_CAUSES)('translates %s once, by the table of meanings', (cause) => {
    const failure = failureOf(new ProviderFailure(cause, CANARY)) as ApplicationFailure;
    expect(failure.type).toBe(cause);
    expect(failure.nonRetryable).toBe(!FAILURE_MEANINGS[cause].retryable);
    expect(failure.message).toBe(FAILURE_MEANINGS[cause].text);
    expect(failure.cause).toBeUndefined();
    expect(
      JSON.stringify({ ...failure, message: failure.message, stack: failure.stack }),
    ).not.toContain('canary');
  });

  it('reports the time that the provider requested to wait', () => {
    expect(
      (failureOf(new ProviderFailure('rate_limited', CANARY, 42)) as ApplicationFailure).details,
    ).toEqual([{ retryAfterMs: 42_000 }]);
    expect(
      (failureOf(new ProviderFailure('rate_limited', CANARY)) as ApplicationFailure).details ?? [],
    ).toEqual([]);
  });

  it.each([
    new TransitionRefused(CANARY, 'reset', CANARY),
    new SessionOver(CANARY),
    new AttemptOver(CANARY),
    new StaleRefreshRun(CANARY, CANARY),
  ])('allows no retry after $name, and keeps none of its data', (error) => {
    const failure = failureOf(error) as ApplicationFailure;
    expect(failure).toMatchObject({ type: error.name, nonRetryable: true });
    expect(failure.message).not.toContain(CANARY);
  });

  it('hides unexpected errors and does not change cancellations', () => {
    const failure = failureOf(new Error(CANARY)) as ApplicationFailure;
    expect(failure).toMatchObject({ type: 'internal', message: FAILURE_MEANINGS.internal.text });
    expect(failure.nonRetryable).toBeFalsy();
    const canceled = new CancelledFailure('cancelled');
    expect(failureOf(canceled)).toBe(canceled);
  });
});

describe('translateFailures', () => {
  const reported: unknown[] = [];
  const translation = {
    report: (_: string, error: unknown) => reported.push(error),
    isTemporary: (error: unknown) => (error as Error).message === 'database away',
  };
  const failing = (message: string) =>
    translateFailures({ work: async () => Promise.reject(new Error(message)) }, translation).work;
  const failureAt = async (attempt: number, message: string): Promise<ApplicationFailure> =>
    quietEnvironment({ attempt })
      .run(failing(message))
      .then(
        () => {
          throw new Error('it did not fail');
        },
        (error: unknown) => error as ApplicationFailure,
      );

  it('retries forever while the database is unreachable, and unexpected errors three times', async () => {
    expect(await failureAt(50, 'database away')).toMatchObject({
      type: 'internal',
      nonRetryable: false,
      details: [{ ourDatabase: true }],
    });
    expect((await failureAt(2, 'a mistake')).nonRetryable).toBeFalsy();
    expect((await failureAt(3, 'a mistake')).nonRetryable).toBe(true);
  });

  it('reports the original error only to the log', async () => {
    reported.length = 0;
    const failure = await failureAt(1, CANARY);
    expect(reported).toMatchObject([{ message: CANARY }]);
    expect(String(failure.stack)).not.toContain('canary');
  });
});
