import { LINKS_QUEUE } from '../task-queues.js';
import { upgraded, type WorkflowCommand, type WorkflowContract } from '../workflow.contract.js';

export const SIGNING_KEY_ROTATION_WORKFLOW = 'signingKeyRotation';
export interface SigningKeyRotationResult {
  /** The id of the new key; null = no rotation was due. */
  kid: string | null;
}

const PREFIX = 'signing-key-rotation/';

/**
 * The id of the Schedule and of the workflows it starts; the server appends the time to the latter.
 */
export const SIGNING_KEY_SCHEDULE = `${PREFIX}scheduled`;

export function signingKeyRotationWorkflowId(rotation: string): string {
  return PREFIX + rotation;
}

/** Identifies a rotation, regardless of how often it is started. */
export function rotationOf(workflowId: string): string {
  return workflowId.startsWith(PREFIX) ? workflowId.slice(PREFIX.length) : workflowId;
}

const DESCRIPTION = {
  staticSummary: 'Rotation of the signing key',
  staticDetails:
    'Publishes the next key, waits until it signs and until the previous key has left the published set, then erases the private part of that key. ' +
    'The rows decide which key signs when: canceling only ends the wait.',
};

/**
 * For `client.workflow.start(SIGNING_KEY_ROTATION_WORKFLOW, …)`: a rotation requested by an
 * operator, with its key already published. It has no arguments: rows and settings decide what is
 * due.
 */
export function signingKeyRotationStartOptions(rotation: string) {
  return {
    workflowId: signingKeyRotationWorkflowId(rotation),
    taskQueue: LINKS_QUEUE,
    args: [] as [],
    workflowIdReusePolicy: 'ALLOW_DUPLICATE' as const,
    workflowIdConflictPolicy: 'USE_EXISTING' as const,
    ...DESCRIPTION,
  };
}

/** The action of the Schedule. */
export function signingKeyRotationAction() {
  return {
    type: 'startWorkflow' as const,
    workflowType: SIGNING_KEY_ROTATION_WORKFLOW,
    workflowId: SIGNING_KEY_SCHEDULE,
    taskQueue: LINKS_QUEUE,
    args: [] as [],
    ...DESCRIPTION,
  };
}

interface RotationFacts {
  /** Publishes the key of a rotation that an operator requested. */
  publishKey(rotation: string): Promise<unknown>;
}

const rotateSigningKey: WorkflowCommand<{ rotation: string }, RotationFacts> = {
  async action({ rotation }, { publishKey }) {
    // Anyone who reaches Temporal can start the workflow: only this command proves an operator's request.
    await publishKey(rotation);
    return { name: 'start', options: signingKeyRotationStartOptions(rotation) };
  },
};

export const SIGNING_KEY_ROTATION_CONTRACT = {
  type: SIGNING_KEY_ROTATION_WORKFLOW,
  versioning: upgraded('it waits for weeks until a key has left the published set'),
  commands: { rotateSigningKey },
} as const satisfies WorkflowContract;
