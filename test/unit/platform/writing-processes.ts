import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { createLogger } from '../../../apps/platform/src/logging/logger.js';

// Two processes that log as fast as they can to the same standard output, as the parts of a standalone service do.
const LINES = 2_000;
const PAUSE_EVERY = 200;
const [, , writer] = process.argv;

async function write(): Promise<void> {
  const logger = createLogger({ name: 'worker', level: 'info', format: 'json' });
  for (let index = 0; index < LINES; index += 1) {
    logger.info(
      { event_id: `${writer}-${index}`, reason: 'x'.repeat(index % 500) },
      'process.wrote',
    );
    if (index % PAUSE_EVERY === 0) await new Promise(setImmediate);
  }
}

if (writer === undefined)
  for (const name of ['one', 'two'])
    spawn(process.execPath, [...process.execArgv, fileURLToPath(import.meta.url), name], {
      stdio: 'inherit',
    });
else await write();
