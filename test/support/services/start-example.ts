import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface RunningExample {
  url: string;
  /** Its output so far. */
  printed(): string;
  stop(): Promise<void>;
}

/**
 * Runs the command of an example's README.
 * @returns once it has printed its address, which is the group of `printsUrl`
 */
export async function startExample(
  server: string,
  printsUrl: RegExp,
  env: Record<string, string>,
  args: readonly string[] = [],
): Promise<RunningExample> {
  const example = spawn(process.execPath, [server, ...args], {
    env: { ...process.env, NODE_OPTIONS: '', PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const kill = () => {
    example.kill();
  };
  process.on('exit', kill);
  example.once('exit', () => process.off('exit', kill));
  const stop = async () => {
    if (example.exitCode !== null) return;
    const ended = once(example, 'exit');
    example.kill();
    await ended;
  };
  let printed = '';
  const url = await new Promise<string>((resolve, reject) => {
    // Read to its end: an example that prints more must find its output open.
    example.stdout.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
      const found = printsUrl.exec(printed)?.[1];
      if (found !== undefined) resolve(found);
    });
    example.once('exit', () =>
      reject(new Error(`The example ended without an address: ${printed}`)),
    );
  });
  return { url, printed: () => printed, stop };
}
