import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StandaloneDescription } from '../../../../apps/standalone/src/service/description.js';
import { until } from '../../../../apps/standalone/src/until.js';

const ENTRY = join(process.cwd(), 'dist/apps/standalone/src/main.js');

export interface StandaloneProcess {
  readonly child: ChildProcess;
  readonly dataDir: string;
  /** Everything it has written. */
  output(): string;
  /** The current `standalone.json`. */
  description(): StandaloneDescription;
  /** Waits until it is ready; fails with its output when it exits instead. */
  ready(): Promise<StandaloneDescription>;
  /** Waits until it exits by itself. */
  ended(): Promise<{ code: number | null; output: string }>;
  signal(signal: NodeJS.Signals): Promise<void>;
}

export interface StartOptions {
  dataDir: string;
  args?: readonly string[];
  env?: Record<string, string>;
}

const started = new Set<StandaloneProcess>();

/** Creates a data folder, which `removeStandalones` removes. */
export const makeDataDir = (): string => mkdtempSync(join(tmpdir(), 'tributary-data-'));

/** Runs `npm start` without npm: the same entry point, on free ports. */
export function startStandalone({
  dataDir,
  args = ['--auto-ports'],
  env = {},
}: StartOptions): StandaloneProcess {
  const child = spawn(process.execPath, [ENTRY, '--data-dir', dataDir, ...args], {
    env: { ...process.env, NODE_OPTIONS: '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close').then(([code]) => code as number | null);
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString('utf8');
  });
  child.stderr.on('data', (chunk: Buffer) => {
    output += chunk.toString('utf8');
  });
  const file = join(dataDir, 'standalone.json');
  const description = () => JSON.parse(readFileSync(file, 'utf8')) as StandaloneDescription;
  const standalone: StandaloneProcess = {
    child,
    dataDir,
    output: () => output,
    description,
    ready: async () => {
      await until(
        async () =>
          child.exitCode !== null ||
          (existsSync(file) && description().processes.supervisor === child.pid),
        { within: 240_000 },
      );
      if (child.exitCode !== null || !existsSync(file))
        throw new Error(`the service did not become ready:\n${output}`);
      return description();
    },
    ended: async () => ({ code: await ended, output }),
    signal: async (signal) => {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      await ended;
    },
  };
  started.add(standalone);
  return standalone;
}

/** Stops everything this test file started, and removes the folders. For `afterAll`. */
export async function removeStandalones(folders: readonly string[]): Promise<void> {
  await Promise.all([...started].map((standalone) => standalone.signal('SIGTERM')));
  started.clear();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}

export const isRunning = (pid: number | null | undefined): boolean => {
  if (pid === null || pid === undefined) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};
