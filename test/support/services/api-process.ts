import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { checkLogLines } from '../assertions/check-log-lines.mjs';

const ENTRY = fileURLToPath(new URL('../../../dist/apps/api/src/main.js', import.meta.url));
const PROBE = new URL('event-loop-probe.mjs', import.meta.url).href;

/** The API in its own process, with a probe of its event loop. */
export interface ApiProcess {
  url: string;
  /** The longest block of its event loop since the last call, in milliseconds. */
  longestBlock(): Promise<number>;
  close(): Promise<void>;
}

/** @param onFork called with the id of the process before it has loaded anything */
export async function startApiProcess(
  env: Record<string, string>,
  onFork: (pid: number) => void = () => undefined,
): Promise<ApiProcess> {
  const child = fork(ENTRY, {
    execArgv: ['--import', PROBE],
    env: { PATH: process.env['PATH'], LOG_FORMAT: 'json', ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  if (child.pid !== undefined) onFork(child.pid);
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')));
  const url = await listeningUrl(child);
  return {
    url,
    longestBlock: async () => {
      child.send('longest');
      const [{ longestMs }] = (await once(child, 'message')) as [{ longestMs: number }];
      return longestMs;
    },
    close: async () => {
      process.off('exit', kill);
      if (child.exitCode !== null || child.signalCode !== null)
        throw new Error(`the API ended before, with ${child.signalCode ?? child.exitCode}`);
      child.kill('SIGTERM');
      await once(child, 'close');
      checkLogLines(output, 'the API');
    },
  };
}

async function listeningUrl(child: ChildProcess): Promise<string> {
  const { stdout, stderr } = child;
  if (stdout === null || stderr === null) throw new Error('the output of the API is not piped');
  let output = '';
  stderr.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  for await (const line of createInterface({ input: stdout })) {
    output += `${line}\n`;
    const [, url] = /"url":"([^"]+)".*"api\.listening"/.exec(line) ?? [];
    if (url === undefined) continue;
    stdout.resume();
    return url;
  }
  throw new Error(`the API ended before it listened:\n${output}`);
}
