import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** Ticks of the kernel's clock in a second; fixed on Linux. */
export const TICKS_PER_SECOND = 100;
const READY_WITHIN_MS = 300_000;

// By default a signal ends this process without 'exit', and its children would keep running and
// disturb the next bench.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

export interface MeasuredProcess {
  url: string;
  /**
   * Processor time spent so far, user and system, in milliseconds; null when /proc does not report
   * it.
   */
  cpuMs(): number | null;
  stop(): Promise<void>;
}

/**
 * Starts a Node program that prints a line of JSON with its `url` when it listens, or that returns
 * 200 at `readyAt`. Its output goes to a file, like a log in production, so that no processor time
 * is spent on reading it.
 */
export async function startMeasured(
  args: readonly string[],
  env: Record<string, string>,
  readyAt?: string,
): Promise<MeasuredProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-bench-'));
  const log = join(folder, 'log');
  const descriptor = openSync(log, 'w');
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...args], {
    stdio: ['ignore', descriptor, 'inherit'],
    env: { ...process.env, ...env },
  });
  closeSync(descriptor);
  process.once('exit', () => {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });
  const deadline = Date.now() + READY_WITHIN_MS;
  for (;;) {
    const url = readyAt === undefined ? urlIn(readFileSync(log, 'utf8')) : await answersAt(readyAt);
    if (url !== undefined) {
      return {
        url,
        cpuMs: () => processorTimeMs(child.pid),
        stop: async () => {
          if (child.exitCode === null && child.signalCode === null) {
            child.kill('SIGTERM');
            await once(child, 'close');
          }
          rmSync(folder, { recursive: true, force: true });
        },
      };
    }
    if (child.exitCode !== null || Date.now() > deadline)
      throw new Error(`${args.at(-1)} did not start:\n${readFileSync(log, 'utf8')}`);
    await pause(20);
  }
}

function urlIn(log: string): string | undefined {
  const line = log
    .split('\n')
    .find((text) => text.startsWith('{') && text.endsWith('}') && text.includes('"url"'));
  return line === undefined ? undefined : (JSON.parse(line) as { url: string }).url;
}

async function answersAt(url: string): Promise<string | undefined> {
  const response = await fetch(url).catch(() => undefined);
  await response?.body?.cancel();
  return response?.ok === true ? new URL(url).origin : undefined;
}

/**
 * User and system time in milliseconds; null when /proc does not report it or the process is gone.
 */
export function processorTimeMs(pid: number | undefined): number | null {
  try {
    // proc(5): after the name in parentheses, utime and stime are fields 14 and 15 of the line.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_SECOND;
  } catch {
    return null;
  }
}

/** Gets JSON from a measured process or a counterpart. */
export async function ask<Answer>(server: MeasuredProcess, path: string): Promise<Answer> {
  const response = await fetch(`${server.url}${path}`);
  if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
  return (await response.json()) as Answer;
}
