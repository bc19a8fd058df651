import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { WorkerDeploymentVersion } from '@temporalio/common';
import type { WorkerDeploymentOptions, WorkflowBundleOption } from '@temporalio/worker';
import { VERSIONING_FLAG } from '../../../../workflows/versioning.js';
import { buildInfo } from '../../../platform/src/build/build-info.js';
import { AUTHENTIC_FAILURES_FLAG } from '../../../platform/src/temporal/refused-input.js';
import { DEPLOYMENT_NAME } from '../../../platform/src/temporal/worker-deployment.js';

const SOURCE_MAP = /^\/\/# sourceMappingURL=.*$/m;
const HASH_DIGITS = 12;

/**
 * The build id of a worker in Temporal: `0.1.0-1f2e3d4c5b6a`, the version of the package and a
 * hash of the workflow bundle. The same sources have the same id on every machine.
 */
export function workerVersion(bundle: WorkflowBundleOption): WorkerDeploymentVersion {
  return {
    deploymentName: DEPLOYMENT_NAME,
    buildId: `${buildInfo().version}-${bundleHash(codeOf(bundle))}`,
  };
}

/** The source map names the folder of the build. */
export function bundleHash(code: string): string {
  const text = code.replace(SOURCE_MAP, '');
  return createHash('sha256').update(text).digest('hex').slice(0, HASH_DIGITS);
}

/**
 * Every worker shows its version. With `isVersioned` Temporal assigns it only the work of its version,
 * and none before an operator makes that version the current one.
 */
export function deploymentOptions(
  version: WorkerDeploymentVersion,
  { isVersioned }: { isVersioned: boolean },
): WorkerDeploymentOptions {
  return isVersioned
    ? { version, useWorkerVersioning: true, defaultVersioningBehavior: 'AUTO_UPGRADE' }
    : { version, useWorkerVersioning: false };
}

/**
 * The bundle that workers run, unlike replays of recorded histories: failures must be authentic, and with
 * `isVersioned`, for workers of `deploymentOptions({ isVersioned: true })`, workflows have their behavior.
 */
export function bundleOfWorkers(
  bundle: WorkflowBundleOption,
  { isVersioned }: { isVersioned: boolean },
): WorkflowBundleOption {
  const flags = isVersioned
    ? [AUTHENTIC_FAILURES_FLAG, VERSIONING_FLAG]
    : [AUTHENTIC_FAILURES_FLAG];
  return { code: `${flags.map(setFlag).join('')}${codeOf(bundle)}` };
}

/** For workers without a codec, as in tests. */
export function versionedBundle(bundle: WorkflowBundleOption): WorkflowBundleOption {
  return { code: `${setFlag(VERSIONING_FLAG)}${codeOf(bundle)}` };
}

const setFlag = (name: string) => `globalThis.${name} = true; `;

const codeOf = (bundle: WorkflowBundleOption) =>
  'code' in bundle ? bundle.code : readFileSync(bundle.codePath, 'utf8');
