import { Sweeper, type SweepTask } from '../../../apps/worker/src/sweeper/sweeper.js';
import { overdueTasks } from '../../../apps/worker/src/sweeper/sweep-tasks.js';
import { createLogger } from '../../../apps/platform/src/logging/logger.js';
import { eventually } from '../../support/assertions/eventually.js';

const logger = createLogger({ name: 'test', level: 'silent', format: 'json' });
const NOW = new Date('2026-03-02T10:00:00Z');

describe('Sweeper', () => {
  it('runs every task each interval, also after another task has failed', async () => {
    const swept: string[] = [];
    const task = (name: string, sweep: SweepTask['sweep']): SweepTask => ({ name, sweep });
    let failures = 0;
    const sweeper = new Sweeper({
      tasks: [
        task('broken', async () => {
          failures += 1;
          throw new Error('the database is away');
        }),
        task('rows', async () => 3),
      ],
      intervalMs: 5,
      clock: () => NOW,
      logger,
      onSwept: (name, rows) => swept.push(`${name} ${rows}`),
    });
    sweeper.start();
    await eventually(() => {
      expect(swept.length).toBeGreaterThan(2);
    });
    await sweeper.stop();
    const [rounds, failed] = [swept.length, failures];
    expect(new Set(swept)).toEqual(new Set(['rows 3']));
    expect(failed).toBe(rounds);
  });

  it('waits for the current round when it stops', async () => {
    let finish: () => void = () => undefined;
    let ended = false;
    const sweeper = new Sweeper({
      tasks: [
        {
          name: 'slow',
          sweep: async () => {
            await new Promise<void>((resolve) => {
              finish = resolve;
            });
            ended = true;
            return 0;
          },
        },
      ],
      intervalMs: 5,
      clock: () => NOW,
      logger,
    });
    sweeper.start();
    const stopped = sweeper.stop();
    finish();
    await stopped;
    expect(ended).toBe(true);
  });
});

describe('overdueTasks', () => {
  it('ignores rows that are not late enough', async () => {
    const asked: unknown[] = [];
    const tasks = overdueTasks({
      times: { sweepOverdue: async (before, limit) => asked.push(before.toISOString(), limit) },
      steps: { sweep: async (before, limit) => asked.push(before.toISOString(), limit) },
      refresh: {
        requeueOverdue: async (now, olderThanMs) => asked.push(now.toISOString(), olderThanMs),
      },
      permissions: {
        requeueOverdue: async (before, limit) => asked.push(before.toISOString(), limit),
      },
      revocations: {
        sweep: async (now, { olderThanMs, idleMs, limit }) =>
          asked.push(now.toISOString(), olderThanMs, idleMs, limit),
      },
      deliveries: {
        requeueOverdue: async (now, olderThanMs) => asked.push(now.toISOString(), olderThanMs),
      },
      providerWebhooks: {
        requeueOverdue: async (before, limit) => asked.push(before.toISOString(), limit),
      },
      tokens: { removeExpired: async (before, limit) => asked.push(before.toISOString(), limit) },
      overdueMs: 60_000,
    });
    for (const { sweep } of tasks) await sweep(NOW);
    expect(tasks.map(({ name }) => name)).toEqual([
      'sessions',
      'steps',
      'refreshes',
      'permissions',
      'revocations',
      'deliveries',
      'provider_webhooks_to_read',
      'access_tokens',
    ]);
    expect(asked).toEqual([
      '2026-03-02T09:59:00.000Z',
      200,
      '2026-03-02T09:59:00.000Z',
      200,
      '2026-03-02T10:00:00.000Z',
      60_000,
      '2026-03-02T09:59:00.000Z',
      200,
      '2026-03-02T10:00:00.000Z',
      60_000,
      7_200_000,
      200,
      '2026-03-02T10:00:00.000Z',
      60_000,
      '2026-03-02T09:59:00.000Z',
      200,
      '2026-03-01T10:00:00.000Z',
      5_000,
    ]);
  });
});
