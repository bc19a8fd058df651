import type { Dispatched, DueLinkRepository } from '../prisma/repositories/due-link.repository.js';

export interface AggregationActivityDeps {
  due: Pick<DueLinkRepository, 'dispatch'>;
  now: () => Date;
}

export interface DueLinksOfShard {
  shard: number;
  shards: number;
  limit: number;
}

/** Collecting the links whose scheduled refresh is due. A lost answer costs nothing: what was claimed is on its way. */
export function createAggregationActivities({ due, now }: AggregationActivityDeps) {
  return {
    async dispatchDueLinks({ shard, shards, limit }: DueLinksOfShard): Promise<Dispatched> {
      return due.dispatch({ shard, shards, limit, now: now() });
    },
  };
}

export type AggregationActivities = ReturnType<typeof createAggregationActivities>;
