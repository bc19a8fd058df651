import { openContext } from '../../platform/src/database/open-context.js';
import { loadProcess } from '../../platform/src/process/load-process.js';
import { runProcess } from '../../platform/src/process/run-process.js';
import { WebhookProcess } from './webhook-process.js';

/** One listens; the rest serve signing keys and webhooks of the Plaid layer. Claims and outcomes use the hot pool. */
const DATABASE_CONNECTIONS = 5;

await runProcess({
  name: 'webhooks',
  load: (env) => loadProcess('webhooks', env),
  start: async ({ settings, logger, onStop }) => {
    const ctx = openContext({
      url: settings.databaseUrl,
      name: 'tributary-webhooks',
      maxConnections: DATABASE_CONNECTIONS,
      masterKeys: settings.masterKeys,
      logger,
    });
    const webhooks = new WebhookProcess(settings, logger, ctx);
    onStop(() => webhooks.stop());
    await webhooks.start();
  },
});
