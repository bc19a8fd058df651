#!/usr/bin/env node
import { runCli } from './run-cli.js';

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    if (stop.signal.aborted) process.exit(130);
    stop.abort();
  });
// The reader of a pipe may have all it wants.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

const { stdin, stdout, stderr, env } = process;
const args = process.argv.slice(2);
process.exitCode = await runCli({ args, env, stdin, stdout, stderr, stop: stop.signal });
// A prompt may have left standard input open.
stdin.unref?.();
