import { runCli, type Shell } from '../../../apps/operator/src/run-cli.js';

export interface EndedCommand {
  status: number;
  stdout: string;
  stderr: string;
}

/** Runs an operator command as a separate process would, in a tenth of the time. */
export async function runCommand(
  args: readonly string[],
  env: Record<string, string>,
  shell: Pick<Shell, 'secretInput' | 'adapters' | 'log'> = {},
): Promise<EndedCommand> {
  const ended = { status: 0, stdout: '', stderr: '' };
  ended.status = await runCli({
    ...shell,
    args,
    env,
    stdout: { write: (text) => (ended.stdout += text) },
    stderr: { write: (text) => (ended.stderr += text) },
  });
  return ended;
}

/**
 * Runs an operator command against the standalone service of a data folder, and parses its
 * `--json` output.
 */
export async function operate<T>(dataDir: string, ...args: string[]): Promise<T> {
  const { status, stdout, stderr } = await runCommand([...args, '--json'], { DATA_DIR: dataDir });
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`);
  return JSON.parse(stdout) as T;
}
