import { proxyActivities } from '@temporalio/workflow';
import type { SandboxActivities } from '../../activities/sandbox/sandbox-activities.js';
import type { WorldActivities } from '../../activities/sandbox/world-activities.js';
import { INTERACTIVE, RESUMABLE } from '../activity-options.js';
import { CurrentDetails } from '../details/current-details.js';
import { SANDBOX_QUEUE, WORLDS_QUEUE } from '../task-queues.js';
import { linkWithoutUser } from './link-without-user.js';
import type {
  SandboxAction,
  SandboxControlInput,
  SandboxControlResult,
} from './sandbox-control.contract.js';

/** One attempt: a change must not be made twice at a sandbox provider. */
const { performSandboxRequest } = proxyActivities<SandboxActivities>({
  ...INTERACTIVE,
  taskQueue: SANDBOX_QUEUE,
});
/** These continue where they stopped, regardless of the number of restarts. */
const { advanceWorld } = proxyActivities<WorldActivities>({
  ...RESUMABLE,
  taskQueue: WORLDS_QUEUE,
});
const { forgetWorld } = proxyActivities<SandboxActivities>({
  ...RESUMABLE,
  taskQueue: SANDBOX_QUEUE,
});

/** Runs one call of /sandbox/… that must reach a sandbox provider. Source: link-lifecycle 14. */
export async function sandboxControl({
  requestId,
  action,
}: SandboxControlInput): Promise<SandboxControlResult> {
  showWait(action);
  switch (action.kind) {
    case 'request':
      await performSandboxRequest(requestId);
      return { done: true };
    case 'link':
      return { done: await linkWithoutUser(action) };
    case 'advance':
      await advanceWorld({ appId: action.appId, worldId: action.worldId });
      return { done: true };
    case 'forget_world':
      await forgetWorld(action.sourceRef);
      return { done: true };
  }
}

const WAIT_OF: Readonly<Record<SandboxAction['kind'], string>> = {
  request: 'the sandbox provider to run the command',
  link: 'the sandbox bank to accept a login without a user',
  advance: 'the world to reach its target time',
  forget_world: 'the sandbox provider to forget the world',
};

function showWait(action: SandboxAction): void {
  const institution = action.kind === 'link' ? action.institutionId : null;
  new CurrentDetails().at({ institution }).waitFor(WAIT_OF[action.kind]);
}
