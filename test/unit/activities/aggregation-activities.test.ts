import { createAggregationActivities } from '../../../activities/refresh/aggregation-activities.js';
import type { DueBatch } from '../../../prisma/work/refresh/due-link.repository.js';

/** A queue whose batches take time, on a clock of the test. */
function dispatching({ waiting, batchMs }: { waiting: number; batchMs: number }) {
  let time = Date.parse('2026-03-02T10:00:00Z');
  const calls: DueBatch[] = [];
  const { dispatchDueLinks } = createAggregationActivities({
    now: () => new Date(time),
    due: {
      dispatch: async (batch) => {
        calls.push(batch);
        time += batchMs;
        const claimed = Math.min(waiting, batch.limit);
        waiting -= claimed;
        return { claimed, asked: claimed };
      },
    },
  });
  return { calls, dispatch: () => dispatchDueLinks({ shard: 1, shards: 4, batch: 20 }) };
}

describe('dispatchDueLinks', () => {
  it('continues batch by batch until one is not full', async () => {
    const { calls, dispatch } = dispatching({ waiting: 50, batchMs: 10 });
    expect(await dispatch()).toEqual({ claimed: 50, asked: 50, more: false });
    expect(calls.map(({ shard, shards, limit }) => ({ shard, shards, limit }))).toEqual(
      Array.from({ length: 3 }, () => ({ shard: 1, shards: 4, limit: 20 })),
    );
  });

  it('checks once more when the last batch was full', async () => {
    const { calls, dispatch } = dispatching({ waiting: 40, batchMs: 10 });
    expect(await dispatch()).toEqual({ claimed: 40, asked: 40, more: false });
    expect(calls).toHaveLength(3);
  });

  it('stops after a second and reports that more may be due', async () => {
    const { calls, dispatch } = dispatching({ waiting: 10_000, batchMs: 300 });
    expect(await dispatch()).toEqual({ claimed: 80, asked: 80, more: true });
    expect(calls).toHaveLength(4);
  });
});
