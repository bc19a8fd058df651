import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Progress } from '../progress.js';
import { buildTime, goInstall, hasGo } from './go-install.js';
import { TEMPORAL_CLI_VERSION } from './server-settings.js';
import { TEMPORAL_PROGRAM, type TemporalCandidate } from './temporal-cache.js';

/** Of processor time. */
const BUILD_MINUTES = 7;

/** The last version that Go can install by name alone. */
export async function buildTemporal(
  cache: string,
  env: NodeJS.ProcessEnv,
  progress: Progress,
): Promise<TemporalCandidate> {
  if (!(await hasGo(env))) return { because: 'Go is not installed' };
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'build-'));
  try {
    const { output } = await progress.during(
      `Building the Temporal server ${TEMPORAL_CLI_VERSION} with Go, once for this computer; ${buildTime(BUILD_MINUTES)}`,
      goInstall([`github.com/temporalio/cli/cmd/temporal@${TEMPORAL_CLI_VERSION}`], {
        folder,
        env,
      }),
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
