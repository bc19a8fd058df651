import type { PermissionToEnd } from '../../activities/sandbox/permission-activities.js';
import type { Environment } from '../../domain/api/environment.js';
import { SEARCH_ATTRIBUTES } from '../search-attributes.js';
import { linksQueue } from '../task-queues.js';
import { upgraded, type WorkflowCommand, type WorkflowContract } from '../workflow.contract.js';

export const PERMISSION_END_WORKFLOW = 'permissionEnd';
export type PermissionEndInput = PermissionToEnd;

/**
 * Each request has its own workflow, so that a later one, after a relink, is not mistaken for an
 * earlier one.
 */
export function permissionEndWorkflowId({ linkId, dueAt }: PermissionEndInput): string {
  return `permission-end/${linkId}/${Date.parse(dueAt)}`;
}

/**
 * For `client.workflow.start(PERMISSION_END_WORKFLOW, …)`. A running workflow is left alone; a lost
 * one starts again from the row.
 */
export function permissionEndStartOptions({
  environment,
  ...input
}: PermissionEndInput & { environment?: Environment | undefined }) {
  return {
    workflowId: permissionEndWorkflowId(input),
    taskQueue: linksQueue(environment),
    args: [input] as [PermissionEndInput],
    workflowIdReusePolicy: 'ALLOW_DUPLICATE' as const,
    workflowIdConflictPolicy: 'USE_EXISTING' as const,
    typedSearchAttributes: [
      { key: SEARCH_ATTRIBUTES.linkId, value: input.linkId },
      { key: SEARCH_ATTRIBUTES.provider, value: input.provider },
    ],
    staticSummary: `End of the permission of ${input.linkId}`,
    staticDetails:
      'Makes the sandbox bank of a reset link refuse its permission, retrying until the bank confirms. Canceling leaves the bank as it is.',
  };
}

interface PermissionFacts {
  environmentOf(linkId: string): Promise<Environment | undefined>;
}

const endPermission: WorkflowCommand<PermissionEndInput, PermissionFacts> = {
  async action({ linkId, provider, dueAt }, { environmentOf }) {
    const start = { linkId, provider, dueAt, environment: await environmentOf(linkId) };
    return { name: 'start', options: permissionEndStartOptions(start) };
  },
  runOf: permissionEndWorkflowId,
};

export const PERMISSION_END_CONTRACT = {
  type: PERMISSION_END_WORKFLOW,
  versioning: upgraded('it tries until the bank responds'),
  commands: { endPermission },
} as const satisfies WorkflowContract;
