import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * Runs a program to its end; `npm` is found in PATH.
 * @returns its output
 * @throws Error with the output, when its status is not 0
 */
export async function runProgram(
  file: string,
  args: readonly string[],
  { cwd, env = {} }: { cwd: string; env?: Record<string, string> },
): Promise<string> {
  const child = spawn(file, args, {
    cwd,
    env: { ...process.env, NODE_OPTIONS: '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const end = () => child.kill();
  process.once('exit', end);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString('utf8');
    });
  const [status] = (await once(child, 'close')) as [number | null];
  process.off('exit', end);
  if (status !== 0) throw new Error(`${file} ${args.join(' ')} ended with ${status}:\n${output}`);
  return output;
}
