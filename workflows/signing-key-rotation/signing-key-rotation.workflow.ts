import { proxyLocalActivities, sleep, workflowInfo } from '@temporalio/workflow';
import type { KeyActivities } from '../../activities/keys/key-activities.js';
import { DATABASE } from '../activity-options.js';
import { CurrentDetails } from '../details/current-details.js';
import { rotationOf, type SigningKeyRotationResult } from './signing-key-rotation.contract.js';

const { publishNextKey, eraseRetiredKeys } = proxyLocalActivities<KeyActivities>(DATABASE);

/**
 * One rotation of the signing key, from the publication of the new key to the removal of the
 * previous one. webhooks 5.
 */
export async function signingKeyRotation(): Promise<SigningKeyRotationResult> {
  const startedAt = Date.now();
  const next = await publishNextKey({ rotation: rotationOf(workflowInfo().workflowId) });
  if (next === null) return { kid: null };
  const { kid, activeInMs, settledInMs } = next;
  const details = new CurrentDetails();
  const after = (ms: number) => Math.max(1, startedAt + ms - Date.now());
  details.waitFor('the new signing key to sign', { until: startedAt + activeInMs });
  await sleep(after(activeInMs), { summary: `until ${kid} signs` });
  details.waitFor('the previous signing key to leave the published set', {
    until: startedAt + settledInMs,
  });
  await sleep(after(settledInMs), { summary: 'until the previous key has left the set' });
  await eraseRetiredKeys();
  details.done();
  return { kid };
}
