import { proxyActivities } from '@temporalio/workflow';
import type { SandboxActivities } from '../../activities/sandbox/sandbox-activities.js';
import type { WorldActivities } from '../../activities/sandbox/world-activities.js';
import { INTERACTIVE, LONG } from '../activity-options.js';
import { SANDBOX_QUEUE, WORLDS_QUEUE } from '../task-queues.js';
import { linkWithoutPerson } from './link-without-person.js';
import type { SandboxControlInput, SandboxControlResult } from './sandbox-control.contract.js';

/** One attempt: what changes something at a pretend source is not done twice. */
const { performSandboxRequest } = proxyActivities<SandboxActivities>({
  ...INTERACTIVE,
  taskQueue: SANDBOX_QUEUE,
});
/** These go on where they were, as often as they are begun again. */
const { advanceWorld } = proxyActivities<WorldActivities>({ ...LONG, taskQueue: WORLDS_QUEUE });
const { forgetWorld } = proxyActivities<SandboxActivities>({ ...LONG, taskQueue: SANDBOX_QUEUE });

/** Carries out one call of /sandbox/… that must reach a pretend source. Source: link-lifecycle 14. */
export async function sandboxControl({
  requestId,
  action,
}: SandboxControlInput): Promise<SandboxControlResult> {
  switch (action.kind) {
    case 'request':
      await performSandboxRequest(requestId);
      return { done: true };
    case 'link':
      return { done: await linkWithoutPerson(action) };
    case 'advance':
      await advanceWorld({ appId: action.appId, worldId: action.worldId });
      return { done: true };
    case 'forget_world':
      await forgetWorld(action.sourceRef);
      return { done: true };
  }
}
