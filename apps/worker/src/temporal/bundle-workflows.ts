import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  bundleWorkflowCode,
  type WorkflowBundleOption,
  type WorkflowBundleWithSourceMap,
} from '@temporalio/worker';

const ROOT = new URL('../../../../', import.meta.url);
const inTree = (path: string) => fileURLToPath(new URL(path, ROOT));

/** The bundle of all workflows from the build, for compiled code and for its sources; without a build they are bundled now. */
export async function workflowBundle(): Promise<WorkflowBundleOption> {
  const codePath = [inTree('workflow-bundle.js'), inTree('dist/workflow-bundle.js')].find(
    existsSync,
  );
  return codePath === undefined ? bundleWorkflows() : { codePath };
}

/**
 * Workflows as one script, with the failure converter and the guard that they run under: those of
 * this version, or the exports of another file.
 */
export async function bundleWorkflows(
  workflowsPath = moduleAt('workflows/index'),
): Promise<WorkflowBundleWithSourceMap> {
  const quiet = { trace() {}, debug() {}, info() {}, warn() {}, error() {}, log() {} };
  return bundleWorkflowCode({
    workflowsPath,
    failureConverterPath: moduleAt('apps/platform/src/temporal/failure-converter'),
    workflowInterceptorModules: [
      moduleAt('apps/worker/src/temporal/input-guard'),
      moduleAt('workflows/trace/trace-interceptors'),
    ],
    logger: quiet,
  });
}

/** Compiled in a build, the source file in tests. */
function moduleAt(path: string): string {
  const compiled = inTree(`${path}.js`);
  return existsSync(compiled) ? compiled : inTree(`${path}.ts`);
}
