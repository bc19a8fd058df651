import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, type WorkflowBundleWithSourceMap } from '@temporalio/worker';

/** All workflows as one script, made once and shared by every worker of the process. */
export async function bundleWorkflows(options: { failureConverterPath?: string } = {}): Promise<WorkflowBundleWithSourceMap> {
  const quiet = { trace() {}, debug() {}, info() {}, warn() {}, error() {}, log() {} };
  return bundleWorkflowCode({ workflowsPath: workflowsPath(), logger: quiet, ...options });
}

/** Compiled in a build, as it was written in tests. */
function workflowsPath(): string {
  const compiled = fileURLToPath(new URL('../../../../workflows/index.js', import.meta.url));
  return existsSync(compiled) ? compiled : compiled.replace(/\.js$/, '.ts');
}
