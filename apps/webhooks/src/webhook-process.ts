import { Registry } from 'prom-client';
import type { Context } from '../../../prisma/base/context.js';
import { ChannelListener } from '../../../prisma/base/database/channel-listener.js';
import { SigningKeys } from '../../../prisma/base/keys/signing-key.repository.js';
import type { WebhookSettings } from '../../platform/src/config/settings.js';
import { databaseChecks } from '../../platform/src/database/database-checks.js';
import { logListeningFailures } from '../../platform/src/database/listening-failures.js';
import { watchIdentity } from '../../platform/src/database/watch-identity.js';
import type { PollLoop } from '../../platform/src/process/poll-loop.js';
import type { Logger } from '../../platform/src/logging/logger.js';
import { startOperatorServer } from '../../platform/src/process/operator-server.js';
import type { SmallServer } from '../../platform/src/process/small-server.js';
import { createReadings } from '../../platform/src/metrics/cached-reading.js';
import { createGauge } from '../../platform/src/metrics/create-metric.js';
import { collectPoolMetrics } from '../../platform/src/metrics/pool-metrics.js';
import { collectProcessMetrics } from '../../platform/src/metrics/process-metrics.js';
import { createWebhookMetrics } from './sending/webhook-metrics.js';
import { prepareWhenReady } from '../../platform/src/process/prepare-when-ready.js';
import { watchChecks } from '../../platform/src/process/watch-checks.js';
import { createSender, type Sender } from './create-sender.js';

const STOP_GRACE_MS = 8_000;

/** All parts of the webhooks process. */
export class WebhookProcess {
  private readonly registry = new Registry();
  private readonly stopping = new AbortController();
  private readonly sender: Sender;
  private readonly listener: ChannelListener;
  private operator: SmallServer | undefined;
  private watch: PollLoop | undefined;

  constructor(
    private readonly settings: WebhookSettings,
    private readonly logger: Logger,
    private readonly ctx: Context,
  ) {
    collectProcessMetrics(this.registry);
    collectPoolMetrics(this.registry, ctx.database);
    const sender = createSender({
      ctx,
      settings,
      logger,
      chance: Math.random,
      observe: createWebhookMetrics(this.registry),
    });
    this.sender = sender;
    this.listener = new ChannelListener({
      pool: ctx.database.pool,
      on: { webhook_delivery: () => sender.relay.wake() },
      onError: logListeningFailures(logger),
    });
    const late = createReadings(this.registry)('webhook_retries', () => sender.countLate());
    createGauge(this.registry, 'tributary_webhook_retries_late', async function () {
      const count = await late();
      this.remove();
      if (count !== null) this.set(count);
    });
  }

  /** @param fail ends the process: its cached keys are those of another database */
  async start(fail: (error: unknown) => void): Promise<void> {
    const { settings, logger, ctx, stopping } = this;
    const checks = watchChecks(databaseChecks(ctx), { logger });
    this.operator = await startOperatorServer({
      host: settings.metricsHost,
      port: settings.webhooksMetricsPort,
      registry: this.registry,
      checks,
    });
    logger.info({ port: this.operator.port }, 'webhooks.started');
    const isPrepared = await prepareWhenReady({
      checks,
      prepare: () => new SigningKeys(ctx).ensure(),
      onError: (err) => logger.warn({ err }, 'database.waiting'),
      stopping: stopping.signal,
    });
    if (!isPrepared) return;
    this.watch = watchIdentity({ database: ctx.database, logger, onForeign: fail });
    this.listener.start();
    this.sender.relay.start();
    this.sender.retries.start();
  }

  /** Stops claiming, and lets the attempts in flight finish. */
  async stop(): Promise<void> {
    this.stopping.abort();
    this.listener.stop();
    await this.watch?.stop();
    await Promise.all([this.sender.relay.stop(STOP_GRACE_MS), this.sender.retries.stop()]);
    await this.sender.close();
    await this.operator?.close();
    await this.ctx.database.close();
  }
}
