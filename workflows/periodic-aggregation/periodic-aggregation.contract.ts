import { LINKS_QUEUE } from '../task-queues.js';
import { pinned, type WorkflowContract } from '../workflow.contract.js';

export const PERIODIC_AGGREGATION_WORKFLOW = 'periodicAggregation';
export const PERIODIC_AGGREGATION_CONTRACT = {
  type: PERIODIC_AGGREGATION_WORKFLOW,
  versioning: pinned('one tick, which ends within seconds'),
} as const satisfies WorkflowContract;

export interface PeriodicAggregationInput {
  shard: number;
  shards: number;
  /** Links per database transaction. */
  batch: number;
  /** The maximum number of rounds per tick; the next tick continues. */
  maxRounds: number;
}

export interface PeriodicAggregationResult {
  /** The number of links that were due. */
  claimed: number;
  /** The number of claimed links whose refresh was started. */
  asked: number;
}

/**
 * The id of the Schedule and of the workflow it starts; the server appends the time to the latter.
 */
export function periodicAggregationId(shard: number): string {
  return `periodic-aggregation/${shard}`;
}

/** The action of a shard's Schedule. */
export function periodicAggregationAction(input: PeriodicAggregationInput) {
  return {
    type: 'startWorkflow' as const,
    workflowType: PERIODIC_AGGREGATION_WORKFLOW,
    workflowId: periodicAggregationId(input.shard),
    taskQueue: LINKS_QUEUE,
    args: [input] as [PeriodicAggregationInput],
    staticSummary: `Scheduled refreshes, shard ${input.shard} of ${input.shards}`,
    staticDetails:
      'Collects the links whose scheduled refresh is due, plans the next one and starts this one.',
  };
}
