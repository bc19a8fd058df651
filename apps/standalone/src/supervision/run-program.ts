import { spawn } from 'node:child_process';
import { toolEnvironment } from '../../../platform/src/config/process-environment.js';

export interface ProgramResult {
  ok: boolean;
  output: string;
}

/** Runs a program to its end, or kills it when it takes too long. Never throws. */
export const runProgram = (
  program: string,
  args: readonly string[],
  { within, env = toolEnvironment(process.env) }: { within: number; env?: NodeJS.ProcessEnv },
): Promise<ProgramResult> =>
  new Promise((resolve) => {
    const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const collect = (chunk: Buffer) => {
      output = (output + chunk.toString('utf8')).slice(-4_000);
    };
    const endChild = () => {
      child.kill('SIGKILL');
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
