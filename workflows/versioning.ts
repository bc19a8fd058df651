import type { VersioningBehavior } from '@temporalio/common';
import { setWorkflowOptions } from '@temporalio/workflow';

interface Versioning {
  behavior: VersioningBehavior;
  reason: string;
}

/**
 * The build that continues a running workflow, if WORKER_VERSIONING is on. PINNED: the build that
 * started it, until it finishes. AUTO_UPGRADE: the current build, whose code therefore needs
 * `patched`.
 */
export const WORKFLOW_VERSIONING = {
  linkSession: pinned('a user is in the middle of it, and it ends within hours'),
  reauthentication: pinned('a user is in the middle of it, and it ends within hours'),
  productRefresh: pinned('it ends within hours, and the next refresh is of the current build'),
  sandboxControl: pinned('one command, which ends within minutes'),
  periodicAggregation: pinned('one tick, which ends within seconds'),
  catalogSync: pinned('one activity, which ends within a day'),
  webhookDelivery: upgraded('its attempts are planned over days'),
  providerWebhook: upgraded('it waits up to a week for a disabled configuration'),
  signingKeyRotation: upgraded('it waits for weeks until a key has left the published set'),
  linkDeletion: upgraded('it tries for a day, and again whenever a permission is left behind'),
  permissionEnd: upgraded('it tries until the bank responds'),
  userErasure: upgraded('it waits for banks, deliveries and sessions as long as they take'),
} as const satisfies Readonly<Record<string, Versioning>>;

type WorkflowType = keyof typeof WORKFLOW_VERSIONING;

/** A global that the worker sets before the bundle if WORKER_VERSIONING is on. */
export const VERSIONING_FLAG = '__tributary_worker_versioning__';

/**
 * Sets the versioning behavior of every workflow; one without a row does not compile. The server
 * rejects every task of an unversioned worker whose workflow has a behavior.
 */
export function setVersioning(
  workflows: Readonly<Record<WorkflowType, (input: never) => Promise<unknown>>>,
): void {
  if (!(VERSIONING_FLAG in globalThis)) return;
  for (const [type, { behavior }] of Object.entries(WORKFLOW_VERSIONING))
    setWorkflowOptions({ versioningBehavior: behavior }, workflows[type as WorkflowType]);
}

function pinned(reason: string): Versioning {
  return { behavior: 'PINNED', reason };
}

function upgraded(reason: string): Versioning {
  return { behavior: 'AUTO_UPGRADE', reason };
}
