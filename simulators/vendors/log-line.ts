import { existsSync, readFileSync } from 'node:fs';

type Level = 'info' | 'error' | 'fatal';

const NOTED = new URL('../../../build.json', import.meta.url);
/** The record that `tools/build.mjs` writes beside the compiled code. */
const build: object = existsSync(NOTED)
  ? (JSON.parse(readFileSync(NOTED, 'utf8')) as object)
  : { version: '0.0.0', build: 'source' };

/** Writes one line in the format of the service: to standard output, errors to standard error. */
export function logLine(level: Level, msg: string, fields: object = {}): void {
  const time = new Date().toISOString();
  const line = { level, time, service: 'vendor_simulators', ...build, pid: process.pid };
  const stream = level === 'info' ? process.stdout : process.stderr;
  stream.write(`${JSON.stringify({ ...line, ...fields, msg })}\n`);
}

/** For a person at a terminal as its text, otherwise as a line. */
export function logStartFailure(error: unknown): void {
  const reason = error instanceof Error ? error.message : String(error);
  if (process.stderr.isTTY) process.stderr.write(`${reason}\n`);
  else logLine('fatal', 'vendor_simulators.start_failed', { reason });
}
