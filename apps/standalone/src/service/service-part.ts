import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { environmentOf } from '../../../platform/src/config/process-environment.js';

/** The programs of the service, below dist. */
export const ENTRIES = {
  api: 'apps/api/src/main.js',
  worker: 'apps/worker/src/main.js',
  webhooks: 'apps/webhooks/src/main.js',
  'sandbox-bank': 'simulators/sandbox-bank/main.js',
  console: 'apps/console-server/src/main.js',
} as const;
export type ServiceName = keyof typeof ENTRIES;

export interface ServicePartOptions {
  process: ServiceName;
  /** All settings; the process gets only its own. */
  env: NodeJS.ProcessEnv;
  /** A number is that of an open file. */
  output: 'inherit' | 'pipe' | number;
}

const DIST = new URL('../../../../', import.meta.url);

/** Starts a process of the service itself. It ends when the supervisor ends. */
export const startServicePart = ({
  process: name,
  env,
  output,
}: ServicePartOptions): ChildProcess =>
  spawn(
    process.execPath,
    [
      '--enable-source-maps',
      '--import',
      new URL('apps/standalone/src/supervision/exit-with-parent.js', DIST).href,
      fileURLToPath(new URL(ENTRIES[name], DIST)),
    ],
    {
      env: environmentOf(name, env),
      stdio: ['ignore', output, output, 'ipc'],
      // Ctrl-C in the terminal must reach only the supervisor: the parts stop in order.
      detached: true,
    },
  );

/** Returns whether the part responds with 200 at its readiness endpoint. */
export async function answersReady(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}
