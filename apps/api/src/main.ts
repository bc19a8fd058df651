import '../../platform/src/process/supported-node.js';
import 'reflect-metadata';
import { loadProcess } from '../../platform/src/process/load-process.js';
import { runProcess } from '../../platform/src/process/run-process.js';
import { startApi } from './server/start-api.js';

await runProcess({
  name: 'api',
  load: (env) => loadProcess('api', env),
  stopDelayMs: ({ stopDelay }) => stopDelay,
  start: async ({ settings, logger, onStopRequested, onStop }) => {
    const running = await startApi({ settings, logger });
    onStopRequested(() => running.announceStop());
    onStop(() => running.close());
  },
});
