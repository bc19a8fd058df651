import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import { tsToDate } from '@temporalio/common/lib/time.js';
import { LINKS_QUEUE, SANDBOX_LINKS_QUEUE } from '../../../../workflows/task-queues.js';
import type { WorkflowType } from '../../../../workflows/workflow-list.contract.js';
import type { Logger } from '../../../platform/src/logging/logger.js';

export interface StalledRunsOptions {
  client: Client;
  /** Time that a run may spend without progress. Milliseconds. */
  stalledAfterMs: number;
  clock: () => Date;
  /** Time at which this process began to work; null: not yet. Tasks that waited for workers before are not stalled. */
  workingSince: () => Date | null;
  logger: Logger;
  onEnded?: (workflow: WorkflowType) => void;
}

export interface Run {
  workflowId: string;
  workflow: WorkflowType;
}

const RUNNING = 1;
const NOT_FOUND = 5;
const CALL_WITHIN_MS = 10_000;
const EVENTS_PER_PAGE = 100;
const RUNS_PER_PAGE = 200;
const MAX_PAGES = 5;
const OUR_QUEUES: readonly string[] = [LINKS_QUEUE, SANDBOX_LINKS_QUEUE];

/**
 * Workflows that no overdue row names: their work is due again with their Schedule, or the sweeper itself completes their
 * rows. There are few at a time, or they end within hours.
 */
const WITHOUT_OVERDUE_ROW = [
  'linkSession',
  'reauthentication',
  'periodicAggregation',
  'catalogSync',
  'signingKeyRotation',
  'sandboxControl',
  'userErasure',
] as const satisfies readonly WorkflowType[];

/**
 * Ends runs that make no progress, so that a new run continues from their rows: those whose oldest unfinished workflow
 * task is older than the limit, and those under an id of ours that can never run our code. A run that waits for a timer,
 * an activity, a user or a Signal has no unfinished task, however long it waits.
 */
export class StalledRuns {
  constructor(private readonly options: StalledRunsOptions) {}

  /** For a workflow whose row is overdue. @returns whether its run was ended */
  async endIfStalled({ workflowId, workflow }: Run): Promise<boolean> {
    const { client, logger, onEnded } = this.options;
    const run = await this.describe(workflowId);
    if (run === null) return false;
    const reason = await this.reasonToEnd(run, workflow);
    if (reason === null) return false;
    try {
      await client.workflow.getHandle(workflowId, run.runId).terminate(reason);
    } catch (error) {
      // It ended in the meantime, or another worker ended it.
      if (error instanceof WorkflowNotFoundError) return false;
      throw error;
    }
    logger.warn({ workflow_id: workflowId, workflow, reason }, 'workflow.run_ended');
    onEnded?.(workflow);
    return true;
  }

  /** For the sweeper: workflows that no overdue row names. @returns the number of runs ended */
  async sweep(now: Date): Promise<number> {
    const { client } = this.options;
    const within = <T>(call: () => Promise<T>): Promise<T> =>
      client.withDeadline(Date.now() + CALL_WITHIN_MS, call);
    let ended = 0;
    for (const run of await within(() => this.olderThan(this.limitAt(now))))
      ended += (await within(() => this.endIfStalled(run))) ? 1 : 0;
    return ended;
  }

  private async reasonToEnd(
    { runId, workflowId, workflow, taskQueue, hasTask }: DescribedRun,
    expected: WorkflowType,
  ): Promise<string | null> {
    if (workflow !== expected || !OUR_QUEUES.includes(taskQueue))
      return `The service did not start this run: it is a ${workflow} on the task queue ${taskQueue}.`;
    const { workingSince, clock } = this.options;
    const limit = this.limitAt(clock());
    const since = workingSince();
    if (!hasTask || since === null || since > limit) return null;
    return (await this.hasTaskOlderThan(limit, { workflowId, runId }))
      ? `No progress since ${limit.toISOString()}: its rows start it again.`
      : null;
  }

  private limitAt(now: Date): Date {
    return new Date(now.getTime() - this.options.stalledAfterMs);
  }

  /** Without the client's `describe`, which decodes the memo, and fails for one that a stranger wrote. */
  private async describe(workflowId: string): Promise<DescribedRun | null> {
    const { client } = this.options;
    const { namespace } = client.options;
    const found = await client.workflowService
      .describeWorkflowExecution({ namespace, execution: { workflowId } })
      .catch((error: unknown) => {
        if ((error as { code?: unknown }).code === NOT_FOUND) return null;
        throw error;
      });
    const info = found?.workflowExecutionInfo;
    if (!info || info.status !== RUNNING) return null;
    return {
      workflowId,
      runId: info.execution?.runId ?? '',
      workflow: info.type?.name ?? '',
      taskQueue: found.executionConfig?.taskQueue?.name ?? info.taskQueue ?? '',
      hasTask: Boolean(found.pendingWorkflowTask),
    };
  }

  /** Reads the history backward to the last task that a worker completed. Attempts of one task add no events. */
  private async hasTaskOlderThan(
    limit: Date,
    execution: { workflowId: string; runId: string },
  ): Promise<boolean> {
    const { client } = this.options;
    const { namespace } = client.options;
    let nextPageToken: Uint8Array | undefined;
    do {
      const page = await client.workflowService.getWorkflowExecutionHistoryReverse({
        namespace,
        execution,
        maximumPageSize: EVENTS_PER_PAGE,
        ...(nextPageToken === undefined ? {} : { nextPageToken }),
      });
      for (const event of page.history?.events ?? []) {
        if (event.workflowTaskCompletedEventAttributes) return false;
        if (event.workflowTaskScheduledEventAttributes && event.eventTime)
          if (tsToDate(event.eventTime) < limit) return true;
      }
      nextPageToken = page.nextPageToken?.length ? page.nextPageToken : undefined;
    } while (nextPageToken !== undefined);
    return false;
  }

  private async olderThan(limit: Date): Promise<Run[]> {
    const { client } = this.options;
    const { namespace } = client.options;
    const types = WITHOUT_OVERDUE_ROW.map((type) => `'${type}'`).join(', ');
    const query = `ExecutionStatus = 'Running' AND WorkflowType IN (${types}) AND StartTime < '${limit.toISOString()}'`;
    const runs: Run[] = [];
    let nextPageToken: Uint8Array | undefined;
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const found = await client.workflowService.listWorkflowExecutions({
        namespace,
        query,
        pageSize: RUNS_PER_PAGE,
        ...(nextPageToken === undefined ? {} : { nextPageToken }),
      });
      for (const { execution, type } of found.executions ?? [])
        if (execution?.workflowId && type?.name)
          runs.push({ workflowId: execution.workflowId, workflow: type.name as WorkflowType });
      nextPageToken = found.nextPageToken?.length ? found.nextPageToken : undefined;
      if (nextPageToken === undefined) break;
    }
    return runs;
  }
}

interface DescribedRun {
  workflowId: string;
  runId: string;
  workflow: string;
  taskQueue: string;
  hasTask: boolean;
}
