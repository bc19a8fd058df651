import { defineSignal } from '@temporalio/workflow';
import type { Environment } from '../../domain/api/environment.js';
import { knownAttributes, SEARCH_ATTRIBUTES } from '../search-attributes.js';
import { linksQueue } from '../task-queues.js';
import { upgraded, type WorkflowCommand, type WorkflowContract } from '../workflow.contract.js';

export const LINK_DELETION_WORKFLOW = 'linkDeletion';
export interface LinkDeletionInput {
  linkId: string;
  /** Delay before the first retry of a revocation; later ones double. */
  firstRetryMs: number;
  longestRetryMs: number;
}

export interface LinkDeletionResult {
  revoked: number;
  /** The number of permissions that could not be revoked in time. */
  givenUp: number;
}

/**
 * There are new rows in `permission_revocations`, or the link was deleted. Always sent by
 * signal-with-start.
 */
export const deletionRequestedSignal = defineSignal('deletionRequested');

export function linkDeletionWorkflowId(linkId: string): string {
  return `link-deletion/${linkId}`;
}

/** For `client.workflow.signalWithStart(LINK_DELETION_WORKFLOW, …)`. */
export function linkDeletionStartOptions({
  environment,
  ...input
}: LinkDeletionInput & { environment?: Environment | undefined }) {
  return {
    workflowId: linkDeletionWorkflowId(input.linkId),
    taskQueue: linksQueue(environment),
    args: [input] as [LinkDeletionInput],
    signal: deletionRequestedSignal,
    signalArgs: [] as [],
    workflowIdReusePolicy: 'ALLOW_DUPLICATE' as const,
    typedSearchAttributes: knownAttributes([
      { key: SEARCH_ATTRIBUTES.linkId, value: input.linkId },
    ]),
    staticSummary: `Deletion of ${input.linkId}`,
    staticDetails:
      'Ends the refresh of a deleted link and revokes every permission that the link, or an attempt to link, left at a bank. ' +
      'A credential is erased when its permission is revoked, and after 24 hours at the latest.',
  };
}

interface DeletionFacts {
  environmentOf(linkId: string): Promise<Environment | undefined>;
  deletion: Omit<LinkDeletionInput, 'linkId'>;
}

const startLinkDeletion: WorkflowCommand<{ linkId: string }, DeletionFacts> = {
  async action({ linkId }, { environmentOf, deletion }) {
    const start = { linkId, environment: await environmentOf(linkId), ...deletion };
    return { name: 'signalWithStart', options: linkDeletionStartOptions(start) };
  },
  runOf: ({ linkId }) => linkDeletionWorkflowId(linkId),
};

export const LINK_DELETION_CONTRACT = {
  type: LINK_DELETION_WORKFLOW,
  versioning: upgraded('it tries for a day, and again whenever a permission is left behind'),
  commands: { startLinkDeletion },
} as const satisfies WorkflowContract;
