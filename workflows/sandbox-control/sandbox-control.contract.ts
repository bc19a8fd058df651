import { knownAttributes, SEARCH_ATTRIBUTES } from '../search-attributes.js';
import { SANDBOX_LINKS_QUEUE } from '../task-queues.js';
import { pinned, type WorkflowCommand, type WorkflowContract } from '../workflow.contract.js';

export const SANDBOX_CONTROL_WORKFLOW = 'sandboxControl';
/** The command; all its arguments beyond these are in rows. */
export type SandboxAction =
  /** Runs the command in the request's row. */
  | { kind: 'request' }
  /** Creates a link without a user. */
  | { kind: 'link'; sessionId: string; institutionId: string; loginWithinMs: number }
  /** Advances a world to the target in its row. */
  | { kind: 'advance'; appId: string; worldId: string }
  | { kind: 'forget_world'; sourceRef: string };

export interface SandboxControlInput {
  requestId: string;
  action: SandboxAction;
}

export interface SandboxControlResult {
  done: boolean;
}

export function sandboxControlWorkflowId(requestId: string): string {
  return `sandbox-control/${requestId}`;
}

/** For `client.workflow.start(SANDBOX_CONTROL_WORKFLOW, …)`. */
export function sandboxControlStartOptions(input: SandboxControlInput) {
  const { requestId, action } = input;
  return {
    workflowId: sandboxControlWorkflowId(requestId),
    taskQueue: SANDBOX_LINKS_QUEUE,
    args: [input] as [SandboxControlInput],
    workflowIdReusePolicy: 'ALLOW_DUPLICATE' as const,
    workflowIdConflictPolicy: 'USE_EXISTING' as const,
    typedSearchAttributes: knownAttributes([
      { key: SEARCH_ATTRIBUTES.environment, value: 'sandbox' },
      action.kind === 'advance' ? { key: SEARCH_ATTRIBUTES.appId, value: action.appId } : null,
      action.kind === 'link'
        ? { key: SEARCH_ATTRIBUTES.linkSessionId, value: action.sessionId }
        : null,
      action.kind === 'link'
        ? { key: SEARCH_ATTRIBUTES.institutionId, value: action.institutionId }
        : null,
    ]),
    staticSummary: `Sandbox: ${action.kind}`,
    staticDetails:
      'Runs one command of /sandbox/… at a sandbox provider. The command and its result are in PostgreSQL.',
  };
}

const forgetWorld: WorkflowCommand<{ sourceRef: string }> = {
  action: ({ sourceRef }) => ({
    name: 'start',
    options: sandboxControlStartOptions({
      requestId: sourceRef,
      action: { kind: 'forget_world', sourceRef },
    }),
  }),
};

export const SANDBOX_CONTROL_CONTRACT = {
  type: SANDBOX_CONTROL_WORKFLOW,
  versioning: pinned('one command, which ends within minutes'),
  commands: { forgetWorld },
} as const satisfies WorkflowContract;
