import { createLogger } from '../../../apps/platform/src/logging/logger.js';
import { RetryStarter } from '../../../apps/webhooks/src/retry-starter.js';
import { eventually } from '../../support/assertions/eventually.js';

const logger = createLogger({ name: 'test', level: 'silent', format: 'json' });

describe('The starter of retry workflows', () => {
  /** Deliveries that wait, by endpoint, in the order in which they are due. */
  let waiting: string[] = [];
  let started: { endpoint: string; at: number }[] = [];
  let starter: RetryStarter;

  const startWith = (perSecond: { process: number; endpoint: number }): void => {
    started = [];
    starter = new RetryStarter({
      retries: {
        start: ({ limit, perEndpoint, recent = {} }) => {
          const counts: Record<string, number> = { ...recent };
          const taken: string[] = [];
          waiting = waiting.filter((endpoint) => {
            const count = counts[endpoint] ?? 0;
            if (taken.length === limit || count === perEndpoint) return true;
            counts[endpoint] = count + 1;
            taken.push(endpoint);
            return false;
          });
          const at = performance.now();
          started.push(...taken.map((endpoint) => ({ endpoint, at })));
          return Promise.resolve(taken);
        },
      },
      perSecond,
      logger,
      pollMs: 60_000,
    });
    starter.start();
  };
  afterEach(() => starter.stop());

  const maxInASecond = (starts: readonly { at: number }[]): number =>
    Math.max(
      ...starts.map(
        ({ at: from }) => starts.filter(({ at }) => at >= from && at < from + 1_000).length,
      ),
    );

  it('starts a workflow as soon as a delivery has failed', async () => {
    waiting = [];
    startWith({ process: 50, endpoint: 20 });
    waiting = ['one'];
    starter.wake();
    await eventually(() => expect(started).toHaveLength(1));
  });

  it('keeps both limits in any second, and starts the rest later', async () => {
    waiting = [
      ...Array.from({ length: 12 }, () => 'busy'),
      ...Array.from({ length: 4 }, () => 'other'),
      'third',
    ];
    startWith({ process: 8, endpoint: 5 });
    await eventually(() => expect(started).toHaveLength(17));
    expect(maxInASecond(started)).toBeLessThanOrEqual(8);
    expect(maxInASecond(started.filter(({ endpoint }) => endpoint === 'busy'))).toBeLessThanOrEqual(
      5,
    );
    // A delivery that is due later at another endpoint does not wait behind the busy one.
    expect(started.slice(0, 8).map(({ endpoint }) => endpoint)).toEqual([
      ...Array.from({ length: 5 }, () => 'busy'),
      ...Array.from({ length: 3 }, () => 'other'),
    ]);
  });

  it('continues after a failure of the database', async () => {
    let failures = 1;
    let rounds = 0;
    starter = new RetryStarter({
      retries: {
        start: () => {
          rounds += 1;
          return failures-- > 0 ? Promise.reject(new Error('away')) : Promise.resolve([]);
        },
      },
      perSecond: { process: 50, endpoint: 20 },
      logger,
      pollMs: 10,
    });
    starter.start();
    await eventually(() => expect(rounds).toBeGreaterThan(1));
  });
});
