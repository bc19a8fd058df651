import { spawn } from 'node:child_process';
import { toolEnvironment } from '../../../platform/src/config/process-environment.js';

export interface ProgramResult {
  ok: boolean;
  output: string;
}

export interface ProgramOptions {
  within: number;
  env?: NodeJS.ProcessEnv;
  /** Ends the processes that the program has started with it. */
  asGroup?: boolean;
}

/** Runs a program to its end, or ends it when it takes too long or this process exits. Never throws. */
export const runProgram = (
  program: string,
  args: readonly string[],
  { within, env = toolEnvironment(process.env), asGroup = false }: ProgramOptions,
): Promise<ProgramResult> =>
  new Promise((resolve) => {
    const child = spawn(program, args, {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: asGroup,
    });
    let output = '';
    const collect = (chunk: Buffer) => {
      output = (output + chunk.toString('utf8')).slice(-4_000);
    };
    const endChild = () => {
      if (asGroup) killGroup(child.pid);
      else child.kill('SIGKILL');
    };
    const timer = setTimeout(() => {
      output += `\nnot finished after ${within / 1000} s`;
      endChild();
    }, within);
    process.once('exit', endChild);
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.once('error', (error) => {
      output += error.message;
    });
    child.once('close', (code) => {
      clearTimeout(timer);
      process.off('exit', endChild);
      resolve({ ok: code === 0, output: output.trim() });
    });
  });

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    // It has ended by itself.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
