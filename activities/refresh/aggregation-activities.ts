import type {
  Dispatched,
  DueLinkRepository,
} from '../../prisma/work/refresh/due-link.repository.js';

export interface AggregationActivityDeps {
  due: Pick<DueLinkRepository, 'dispatch'>;
  now: () => Date;
}

export interface DueLinksOfShard {
  shard: number;
  shards: number;
  /** Links per database transaction. */
  batch: number;
}

export interface DispatchedRound extends Dispatched {
  /** More links may be due. */
  more: boolean;
}

/** A local activity has two seconds; work started within the first one finishes in time. */
const ROUND_MS = 1_000;

/**
 * Collects links whose scheduled refresh is due. Losing the result is harmless: claimed links are
 * already queued.
 */
export function createAggregationActivities({ due, now }: AggregationActivityDeps) {
  return {
    /** Works for one second at most, in small batches so that no statement holds locks for long. */
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
