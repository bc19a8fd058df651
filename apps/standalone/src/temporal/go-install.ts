// cspell:ignore gcflags gogc gotmpdir
import { rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { toolEnvironment } from '../../../platform/src/config/process-environment.js';
import { type ProgramResult, runProgram } from '../supervision/run-program.js';

const BUILD_WITHIN_MS = 60 * 60_000;
const GIB = 1024 ** 3;

export async function hasGo(callerEnv: NodeJS.ProcessEnv): Promise<boolean> {
  const env = toolEnvironment(callerEnv);
  return (await runProgram('go', ['version'], { within: 20_000, env })).ok;
}

/**
 * An estimate of the time of a build on idle processors: a minute for the steps that only one of them
 * works on, and the rest shared by all. Rounded up, since the rest of the project is compiled beside it.
 * @param minutes of processor time
 */
export function buildTime(minutes: number, processors = availableParallelism()): string {
  const estimate = Math.ceil(1 + minutes / processors);
  return `about ${estimate} minutes on ${processors} processor${processors === 1 ? '' : 's'}`;
}

/**
 * How much the memory of the compiler grows between collections, in percent. With the rare ones, two
 * compilers had 1.8 GB at once, of which that of SQLite had 1.5 GB.
 */
export function garbageCollection(
  memory = process.availableMemory(),
  processors = availableParallelism(),
): string {
  return memory >= (1.5 + processors / 4) * GIB ? '800' : '100';
}

/**
 * Builds programs by their names and versions.
 * @param folder for the programs and for temporary files; removed when this process exits meanwhile
 */
export async function goInstall(
  programs: readonly string[],
  { folder, env }: { folder: string; env: NodeJS.ProcessEnv },
): Promise<ProgramResult> {
  // The programs have no debug information, so none is made. With fewer collections, this takes a quarter off the time.
  const flags = ['-trimpath', '-ldflags', '-s -w', '-gcflags=all=-dwarf=false'];
  const building = runProgram('go', ['install', ...flags, ...programs], {
    within: BUILD_WITHIN_MS,
    env: {
      ...toolEnvironment(env),
      GOBIN: folder,
      GOTMPDIR: folder,
      CGO_ENABLED: '0',
      GOGC: garbageCollection(),
    },
    asGroup: true,
  });
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  process.once('exit', remove);
  try {
    return await building;
  } finally {
    process.off('exit', remove);
  }
}
