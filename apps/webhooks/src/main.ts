import '../../platform/src/process/supported-node.js';
import { openContext } from '../../platform/src/database/open-context.js';
import { loadProcess } from '../../platform/src/process/load-process.js';
import { runProcess } from '../../platform/src/process/run-process.js';
import { WebhookProcess } from './webhook-process.js';

await runProcess({
  name: 'webhooks',
  load: (env) => loadProcess('webhooks', env),
  start: async ({ settings, logger, onStop, fail }) => {
    const ctx = openContext({
      url: settings.databaseUrl,
      name: 'tributary-webhooks',
      maxConnections: settings.webhooksDatabaseConnections,
      masterKeys: settings.masterKeys,
      logger,
    });
    const webhooks = new WebhookProcess(settings, logger, ctx);
    onStop(() => webhooks.stop());
    await webhooks.start(fail);
  },
});
