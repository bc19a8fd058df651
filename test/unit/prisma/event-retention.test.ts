import type { Context } from '../../../prisma/base/context.js';
import { removeOldEvents } from '../../../prisma/announcements/webhook-log/event-retention.js';

const BATCH = 500;
/**
 * Twice the events that 10,000,000 links with four refreshes a day create in a minute, 3 webhooks
 * each.
 */
const EVENTS_OF_A_ROUND = 170_000;

/** A log with this many old events, whose statements each take some time. */
function logOf(events: number, statementMs: number) {
  let left = events;
  let now = 0;
  let statements = 0;
  const query = () => {
    const rowCount = Math.min(left, BATCH);
    left -= rowCount;
    now += statementMs;
    statements += 1;
    return Promise.resolve({ rowCount });
  };
  const ctx = { database: { pool: { query } } } as unknown as Pick<Context, 'database'>;
  const remove = () => removeOldEvents(ctx, new Date(), () => now);
  return { remove, statements: () => statements };
}

describe('The retention of webhook events', () => {
  it('removes twice the events of 10,000,000 links in a minute, in one round', async () => {
    const log = logOf(EVENTS_OF_A_ROUND, 10);
    expect(await log.remove()).toBe(EVENTS_OF_A_ROUND);
    expect(log.statements()).toBe(EVENTS_OF_A_ROUND / BATCH + 1);
  });

  it('ends a round after five seconds, so that a worker can stop', async () => {
    const log = logOf(EVENTS_OF_A_ROUND, 1_000);
    expect(await log.remove()).toBe(5 * BATCH);
    expect(await log.remove()).toBe(5 * BATCH);
  });
});
