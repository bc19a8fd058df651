import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { toolEnvironment } from '../../../platform/src/config/process-environment.js';
import type { Progress } from '../progress.js';
import type { TemporalCandidate } from './temporal-cache.js';
import { runProgram } from '../supervision/run-program.js';
import { TEMPORAL_CLI_VERSION } from './server-settings.js';
import { TEMPORAL_PROGRAM } from './temporal-cache.js';

const BUILD_WITHIN_MS = 20 * 60_000;

/** The last version that Go can install by name alone; takes about two minutes on two cores. */
export async function buildTemporal(
  cache: string,
  callerEnv: NodeJS.ProcessEnv,
  progress: Progress,
): Promise<TemporalCandidate> {
  const env = toolEnvironment(callerEnv);
  if (!(await runProgram('go', ['version'], { within: 20_000, env })).ok)
    return { because: 'Go is not installed' };
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'build-'));
  try {
    const { output } = await progress.during(
      `Building the Temporal server ${TEMPORAL_CLI_VERSION} with Go, once for this computer; about two minutes`,
      runProgram(
        'go',
        [
          'install',
          '-trimpath',
          '-ldflags',
          '-s -w',
          `github.com/temporalio/cli/cmd/temporal@${TEMPORAL_CLI_VERSION}`,
        ],
        { within: BUILD_WITHIN_MS, env: { ...env, GOBIN: folder, CGO_ENABLED: '0' } },
      ),
    );
    const built = join(folder, TEMPORAL_PROGRAM);
    if (!existsSync(built))
      return { because: `the build failed: ${output.split('\n').at(-1) ?? ''}` };
    const path = join(cache, TEMPORAL_PROGRAM);
    renameSync(built, path);
    return { path };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
