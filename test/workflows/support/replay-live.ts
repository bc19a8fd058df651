import type { WorkflowHandle } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import { workflowBundle } from '../../../apps/worker/src/temporal/bundle-workflows.js';
import { failedTasks } from '../../support/services/test-temporal.js';

/**
 * Replays what the workflows of a test have done, in one worker. Returns where the code differs
 * from the histories that it has just written, and tasks that failed for such a difference.
 */
export async function differencesOf(handles: readonly WorkflowHandle[]): Promise<string[]> {
  const failed = (await Promise.all(handles.map(failedTasks))).flat();
  const histories = await Promise.all(
    handles.map(async (handle) => ({
      workflowId: handle.workflowId,
      history: await handle.fetchHistory(),
    })),
  );
  const replays = Worker.runReplayHistories({ workflowBundle: await workflowBundle() }, histories);
  for await (const { workflowId, error } of replays)
    if (error !== undefined) failed.push(`${workflowId}: ${error.message}`);
  return failed;
}
