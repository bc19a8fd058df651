import '../../platform/src/process/supported-node.js';
import { loadProcess } from '../../platform/src/process/load-process.js';
import { runProcess } from '../../platform/src/process/run-process.js';
import { openService } from '../../operator/src/service.js';
import { startConsole } from './start-console.js';

await runProcess({
  name: 'console',
  load: (env) => loadProcess('console', env),
  start: async ({ settings, logger, onStop }) => {
    const service = openService(process.env);
    onStop(() => service.close());
    const { close } = await startConsole({ settings, service, logger });
    onStop(close);
  },
});
