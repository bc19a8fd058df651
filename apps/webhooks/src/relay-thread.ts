import { parentPort, workerData } from 'node:worker_threads';
import { ChannelListener } from '../../../prisma/database/channel-listener.js';
import { deliveryChannel } from '../../../prisma/events/webhook-slots.js';
import { readSettings } from '../../platform/src/config/settings.js';
import { openContext } from '../../platform/src/database/open-context.js';
import { createLogger, flushLog } from '../../platform/src/logging/logger.js';
import { RefusingEndpoints } from './refusing-endpoints.js';
import type { FromRelayThread, RelayThreadData, ToRelayThread } from './threaded-relay.js';
import { createWebhookParts } from './webhook-parts.js';

// A thread behind ThreadedRelay. What it needs it opens itself, by the settings of the process.

/** One listens; signing keys, and what is told of links of the Plaid layer, have the others. Claims and outcomes have the hot pool. */
const DATABASE_CONNECTIONS = 3;

const port = parentPort;
if (port === null) throw new Error('relay-thread.js is started by ThreadedRelay');
const tell = (message: FromRelayThread): void => port.postMessage(message);

const { halves } = workerData as RelayThreadData;
const settings = readSettings(process.env, 'worker');
const logger = createLogger({
  name: 'worker',
  level: settings.logLevel,
  format: settings.logFormat,
});
const ctx = openContext({
  url: settings.databaseUrl,
  name: 'tributary-webhooks',
  maxConnections: DATABASE_CONNECTIONS,
  masterKeys: settings.masterKeys,
  logger,
});
const parts = createWebhookParts({
  ctx,
  settings,
  logger,
  chance: Math.random,
  halves,
  refusing: new RefusingEndpoints((news) => tell({ kind: 'answered', news })),
});
const relay = parts.createRelay();
// Each for itself: an event does not wait until the main thread has time to pass the word on.
const listener = new ChannelListener({
  pool: ctx.database.pool,
  on: Object.fromEntries(
    halves.map((half) => [deliveryChannel(half), (endpoint: string) => relay.wake(endpoint)]),
  ),
  onError: (err) => logger.warn({ err }, 'database.listening_failed'),
});

async function stop(graceMs: number): Promise<void> {
  listener.stop();
  await relay.stop(graceMs);
  await parts.close();
  await ctx.database.close();
  await flushLog(logger);
  // Nothing more is to be heard: the thread ends.
  port?.close();
}

port.on('message', ({ graceMs }: ToRelayThread) => void stop(graceMs));
relay.start();
listener.start();
