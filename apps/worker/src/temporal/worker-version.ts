import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { WorkerDeploymentVersion } from '@temporalio/common';
import type { WorkerDeploymentOptions, WorkflowBundleOption } from '@temporalio/worker';
import { VERSIONING_FLAG } from '../../../../workflows/versioning.js';
import { buildInfo } from '../../../platform/src/build/build-info.js';
import { DEPLOYMENT_NAME } from '../../../platform/src/temporal/worker-deployment.js';

const SOURCE_MAP = /^\/\/# sourceMappingURL=.*$/m;
const HASH_DIGITS = 12;

/**
 * What Temporal names the build of a worker: `0.1.0-1f2e3d4c5b6a`, the version of the package and a
 * hash of the workflow bundle. The same sources give the same id on every machine.
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
 * Every worker shows its version. With `isVersioned` Temporal gives it only the work of its version,
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

/** The bundle for workers of `deploymentOptions({ isVersioned: true })`. */
export function versionedBundle(bundle: WorkflowBundleOption): WorkflowBundleOption {
  return { code: `globalThis.${VERSIONING_FLAG} = true; ${codeOf(bundle)}` };
}

const codeOf = (bundle: WorkflowBundleOption) =>
  'code' in bundle ? bundle.code : readFileSync(bundle.codePath, 'utf8');
