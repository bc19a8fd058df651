import '../../platform/src/process/supported-node.js';
import { loadProcess } from '../../platform/src/process/load-process.js';
import { runProcess } from '../../platform/src/process/run-process.js';
import { openService } from '../../operator/src/service.js';
import { startConsole } from './start-console.js';

/** A screen makes several reads at once; people wait for each other beyond that. */
const MAX_CONNECTIONS = 6;

await runProcess({
  name: 'console',
  load: (env) => loadProcess('console', env),
  start: async ({ settings, logger, onStop }) => {
    const service = openService(process.env, {
      name: 'tributary-console',
      maxConnections: MAX_CONNECTIONS,
    });
    onStop(() => service.close());
    const { close } = await startConsole({ settings, service, logger });
    onStop(close);
  },
});
