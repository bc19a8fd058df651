import { LINKS_QUEUE } from '../task-queues.js';
import { upgraded, type WorkflowCommand, type WorkflowContract } from '../workflow.contract.js';

export const USER_ERASURE_WORKFLOW = 'userErasure';
export interface UserErasureInput {
  /** Random; reveals nothing about the user. */
  erasureId: string;
  /** The first delay while a bank, a delivery or a session is not ready; later ones double. */
  firstWaitMs: number;
  longestWaitMs: number;
}

export function userErasureWorkflowId(erasureId: string): string {
  return `user-erasure/${erasureId}`;
}

/** For `client.workflow.start(USER_ERASURE_WORKFLOW, …)`. */
export function userErasureStartOptions(input: UserErasureInput) {
  return {
    workflowId: userErasureWorkflowId(input.erasureId),
    taskQueue: LINKS_QUEUE,
    args: [input] as [UserErasureInput],
    workflowIdReusePolicy: 'ALLOW_DUPLICATE' as const,
    workflowIdConflictPolicy: 'USE_EXISTING' as const,
    staticSummary: 'Erasure of a customer user',
    staticDetails:
      'Ends the sessions and links of one customer user and erases everything stored about them, a few rows at a time. Records wait until their permissions have ended at the bank.',
  };
}

interface ErasureFacts {
  erasure: Omit<UserErasureInput, 'erasureId'>;
}

const startUserErasure: WorkflowCommand<{ erasureId: string }, ErasureFacts> = {
  action: ({ erasureId }, { erasure }) => ({
    name: 'start',
    options: userErasureStartOptions({ erasureId, ...erasure }),
  }),
};

export const USER_ERASURE_CONTRACT = {
  type: USER_ERASURE_WORKFLOW,
  versioning: upgraded('it waits for banks, deliveries and sessions as long as they take'),
  commands: { startUserErasure },
} as const satisfies WorkflowContract;
