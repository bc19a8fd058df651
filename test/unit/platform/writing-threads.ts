import { isMainThread, threadId, Worker } from 'node:worker_threads';
import { createLogger, flushLog } from '../../../apps/platform/src/logging/logger.js';

// Two threads that log as fast as they can, to the standard output of their process.
const LINES = 2_000;
const A_WHILE = 200;

async function write(): Promise<void> {
  const logger = createLogger({ name: 'worker', level: 'info', format: 'json' });
  for (let index = 0; index < LINES; index += 1) {
    logger.info(
      { event_id: `${threadId}-${index}`, reason: 'x'.repeat(index % 500) },
      'thread.wrote',
    );
    if (index % A_WHILE === 0) await new Promise(setImmediate);
  }
  await flushLog(logger);
}

if (isMainThread)
  for (let thread = 0; thread < 2; thread += 1) new Worker(new URL(import.meta.url));
else await write();
