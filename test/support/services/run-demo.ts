import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/**
 * Runs `npm run demo -- --once` and further arguments without npm. Its temporary data folder is
 * created in the given one.
 */
export async function runDemo(
  folder: string,
  env: Record<string, string> = {},
  args: readonly string[] = [],
): Promise<{ code: number | null; output: string }> {
  const child = spawn(
    process.execPath,
    [join(process.cwd(), 'dist/apps/standalone/src/demo.js'), '--once', ...args],
    {
      env: { ...process.env, NODE_OPTIONS: '', TMPDIR: folder, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString('utf8');
  });
  child.stderr.on('data', (chunk: Buffer) => {
    output += chunk.toString('utf8');
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}
