import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface ServicePartOptions {
  /** Below dist. */
  entry: string;
  env: NodeJS.ProcessEnv;
  output: 'inherit' | number;
}

const DIST = new URL('../../../', import.meta.url);

/** Starts a process of the service itself. It ends when we do. */
export const startServicePart = ({ entry, env, output }: ServicePartOptions): ChildProcess =>
  spawn(process.execPath, ['--enable-source-maps', '--import', new URL('apps/standalone/src/exit-with-parent.js', DIST).href, fileURLToPath(new URL(entry, DIST))], {
    env,
    stdio: ['ignore', output, output, 'ipc'],
    // Ctrl-C in the terminal must reach only us: the parts stop in order.
    detached: true,
  });

/** Whether the part answers 200 at its readiness address. */
export async function answersReady(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}
