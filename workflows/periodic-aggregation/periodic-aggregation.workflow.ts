import { proxyLocalActivities } from '@temporalio/workflow';
import type { AggregationActivities } from '../../activities/refresh/aggregation-activities.js';
import { DATABASE } from '../activity-options.js';
import { CurrentDetails } from '../details/current-details.js';
import type {
  PeriodicAggregationInput,
  PeriodicAggregationResult,
} from './periodic-aggregation.contract.js';

const { dispatchDueLinks } = proxyLocalActivities<AggregationActivities>(DATABASE);

/**
 * One tick of one shard: collects links whose scheduled refresh is due, round by round, until none
 * remain. The next tick collects the links that this tick leaves and those of a missed tick,
 * because due times are rows.
 */
export async function periodicAggregation({
  shard,
  shards,
  batch,
  maxRounds,
}: PeriodicAggregationInput): Promise<PeriodicAggregationResult> {
  const details = new CurrentDetails();
  const total = { claimed: 0, asked: 0 };
  for (let round = 0; round < maxRounds; round += 1) {
    details.waitFor(`the database to claim due links, round ${round + 1}`);
    const { claimed, asked, more } = await dispatchDueLinks({ shard, shards, batch });
    total.claimed += claimed;
    total.asked += asked;
    if (!more) break;
  }
  details.done();
  return total;
}
