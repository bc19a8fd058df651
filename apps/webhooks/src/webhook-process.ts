import { setTimeout as pause } from 'node:timers/promises';
import { Gauge, Registry } from 'prom-client';
import type { Context } from '../../../prisma/context.js';
import { ChannelListener } from '../../../prisma/database/channel-listener.js';
import { SigningKeys } from '../../../prisma/keys/signing-key.repository.js';
import { MasterKeyRepository } from '../../../prisma/master-keys/master-key.repository.js';
import type { WebhookSettings } from '../../platform/src/config/settings.js';
import { identityCheck, watchIdentity } from '../../platform/src/database/watch-identity.js';
import type { PollLoop } from '../../platform/src/process/poll-loop.js';
import type { Logger } from '../../platform/src/logging/logger.js';
import {
  startOperatorServer,
  type OperatorServer,
} from '../../platform/src/process/operator-server.js';
import { collectProcessMetrics } from '../../platform/src/process/process-metrics.js';
import { createSender, type Sender } from './create-sender.js';

const STOP_GRACE_MS = 8_000;
const RETRY_MS = 1_000;

/** Everything the webhooks process runs. */
export class WebhookProcess {
  private readonly registry = new Registry();
  private readonly stopping = new AbortController();
  private readonly sender: Sender;
  private readonly listener: ChannelListener;
  private operator: OperatorServer | undefined;
  private watch: PollLoop | undefined;

  constructor(
    private readonly settings: WebhookSettings,
    private readonly logger: Logger,
    private readonly ctx: Context,
  ) {
    collectProcessMetrics(this.registry);
    const sender = createSender({ ctx, settings, logger, chance: Math.random });
    this.sender = sender;
    this.listener = new ChannelListener({
      pool: ctx.database.pool,
      on: { webhook_delivery: () => sender.relay.wake() },
      onError: (err) => logger.warn({ err }, 'database.listening_failed'),
    });
    new Gauge({
      name: 'tributary_webhook_retries_late',
      help: 'Failed deliveries whose retry workflow has not been started although their next attempt is due',
      registers: [this.registry],
      async collect() {
        this.set(await sender.countLate());
      },
    });
  }

  /** @param fail ends the process: the keys it remembers are those of another database */
  async start(fail: (error: unknown) => void): Promise<void> {
    const { settings, logger, ctx } = this;
    this.operator = await startOperatorServer({
      host: settings.metricsHost,
      port: settings.webhooksMetricsPort,
      registry: this.registry,
      checks: [
        { part: 'database', critical: true, check: () => ctx.database.ping() },
        identityCheck(ctx.database),
      ],
    });
    logger.info({ port: this.operator.port }, 'webhooks.started');
    await this.ensureKeys();
    if (this.stopping.signal.aborted) return;
    this.watch = watchIdentity({ database: ctx.database, logger, onForeign: fail });
    this.listener.start();
    this.sender.relay.start();
    this.sender.retries.start();
  }

  /** Claims nothing more, and lets the attempts in flight finish. */
  async stop(): Promise<void> {
    this.stopping.abort();
    this.listener.stop();
    await this.watch?.stop();
    await Promise.all([this.sender.relay.stop(STOP_GRACE_MS), this.sender.retries.stop()]);
    await this.sender.close();
    await this.operator?.close();
    await this.ctx.database.close();
  }

  private async ensureKeys(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      try {
        await new MasterKeyRepository(this.ctx).check();
        await new SigningKeys(this.ctx).ensure();
        return;
      } catch (err) {
        this.logger.warn({ err }, 'database.waiting');
        await pause(RETRY_MS, undefined, { signal }).catch(() => undefined);
      }
    }
  }
}
