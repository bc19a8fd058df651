import { execFileSync, spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { programEnvironment } from '../../../platform/src/config/process-environment.js';

export interface Account {
  uid: number;
  gid: number;
}

export interface LaunchOptions {
  args: readonly string[];
  /**
   * Sent by the system when our own process exits without stopping it, where the system supports
   * that.
   */
  deathSignal: NodeJS.Signals;
  /** Run as this account instead of the current one. */
  account?: Account;
  /** Files and folders that the account must be able to reach. */
  reaches?: readonly string[];
  stdio: SpawnOptions['stdio'];
}

/**
 * Starts a third-party program: in a process group of its own, so that Ctrl-C in the terminal
 * reaches only us and the parts stop in order; and tied to our lifetime.
 */
export function launch(
  program: string,
  { args, deathSignal, account, reaches = [], stdio }: LaunchOptions,
): ChildProcess {
  const env = programEnvironment(process.env);
  const options: SpawnOptions = { stdio, env, detached: true, cwd: '/' };
  if (!hasSetpriv()) return spawn(program, args, { ...options, ...account });
  const changes = ['--pdeathsig', deathSignal.slice('SIG'.length)];
  if (account !== undefined) {
    changes.push('--reuid', String(account.uid), '--regid', String(account.gid), '--clear-groups');
    // Root's home is closed to others, and so may be everything below it.
    if (![program, ...reaches].every(isOpenToOthers)) {
      changes.push(
        '--inh-caps=+dac_override',
        '--ambient-caps=+dac_override',
        '--securebits',
        '+no_setuid_fixup',
      );
    }
  }
  return spawn('setpriv', [...changes, program, ...args], options);
}

let setpriv: boolean | undefined;

/** Part of util-linux; the one of busybox lacks these options. */
function hasSetpriv(): boolean {
  if (setpriv === undefined) {
    try {
      setpriv =
        process.platform === 'linux' &&
        execFileSync('setpriv', ['--help'], {
          encoding: 'utf8',
          stdio: ['ignore', 'pipe', 'ignore'],
        }).includes('--pdeathsig');
    } catch {
      setpriv = false;
    }
  }
  return setpriv;
}

const OTHERS_MAY_ENTER = 0o001;

function isOpenToOthers(path: string): boolean {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if (existsSync(folder) && (statSync(folder).mode & OTHERS_MAY_ENTER) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}
