import '../../platform/src/process/supported-node.js';
import { runCli } from './run-cli.js';

// The reader of a pipe may have all it wants; the command still completes.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

process.exitCode = await runCli({
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
