import type { Dispatched, DueLinkRepository } from '../../prisma/refresh/due-link.repository.js';

export interface AggregationActivityDeps {
  due: Pick<DueLinkRepository, 'dispatch'>;
  now: () => Date;
}

export interface DueLinksOfShard {
  shard: number;
  shards: number;
  /** Links in one database transaction. */
  batch: number;
}

export interface DispatchedRound extends Dispatched {
  /** There may be more that is due. */
  more: boolean;
}

/** A local activity has two seconds; what is begun then ends in time. */
const ROUND_MS = 1_000;

/** Collecting the links whose scheduled refresh is due. A lost answer costs nothing: what was claimed is on its way. */
export function createAggregationActivities({ due, now }: AggregationActivityDeps) {
  return {
    /** Batch by batch for a second at most: the batches are small, so that no statement holds locks for long. */
    async dispatchDueLinks({ shard, shards, batch }: DueLinksOfShard): Promise<DispatchedRound> {
      const round = { claimed: 0, asked: 0, more: true };
      const until = now().getTime() + ROUND_MS;
      while (round.more && now().getTime() < until) {
        const { claimed, asked } = await due.dispatch({ shard, shards, limit: batch, now: now() });
        round.claimed += claimed;
        round.asked += asked;
        round.more = claimed === batch;
      }
      return round;
    },
  };
}

export type AggregationActivities = ReturnType<typeof createAggregationActivities>;
