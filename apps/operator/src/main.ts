import '../../platform/src/process/supported-node.js';
import { relative } from 'node:path';
import { runCli } from './run-cli.js';

// The reader of a pipe may have all it wants; the command still completes.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

const isRunByNpm = process.env['npm_lifecycle_event'] === 'operator';
process.exitCode = await runCli({
  program: isRunByNpm ? undefined : `node ${relative('.', process.argv[1] ?? '')}`,
  args: process.argv.slice(2),
  env: process.env,
  stdout: process.stdout,
  stderr: process.stderr,
  // Standard output belongs to the result. In a terminal the operator already sees the command.
  log: async (fields, message) => {
    if (process.stderr.isTTY) return;
    const { createProcessLogger } = await import('../../platform/src/process/process-logger.js');
    createProcessLogger({
      name: 'operator',
      level: 'info',
      format: 'json',
      destination: process.stderr,
    }).info(fields, message);
  },
});
