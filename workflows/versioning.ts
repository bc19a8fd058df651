import { setWorkflowOptions } from '@temporalio/workflow';
import { WORKFLOWS, type WorkflowType } from './workflow-list.contract.js';

/** A global that the worker sets before the bundle if WORKER_VERSIONING is on. */
export const VERSIONING_FLAG = '__tributary_worker_versioning__';

/**
 * Sets the versioning behavior of every workflow; one without a contract in the list does not
 * compile. The server rejects every task of an unversioned worker whose workflow has a behavior.
 */
export function setVersioning(
  workflows: Readonly<Record<WorkflowType, (input: never) => Promise<unknown>>>,
): void {
  if (!(VERSIONING_FLAG in globalThis)) return;
  for (const { type, versioning } of WORKFLOWS)
    setWorkflowOptions({ versioningBehavior: versioning.behavior }, workflows[type]);
}
