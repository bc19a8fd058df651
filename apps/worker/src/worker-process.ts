import {
  Inject,
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { ChannelListener } from '../../../prisma/base/database/channel-listener.js';
import type { Context } from '../../../prisma/base/context.js';
import { MasterKeyRepository } from '../../../prisma/base/master-keys/master-key.repository.js';
import type { Adapter } from '../../../providers/adapter.js';
import { SETTINGS } from '../../platform/src/config/settings.module.js';
import type { WorkerSettings } from '../../platform/src/config/settings.js';
import { DATABASE_CONTEXT } from '../../platform/src/database/database.module.js';
import { watchIdentity } from '../../platform/src/database/watch-identity.js';
import { logListeningFailures } from '../../platform/src/database/listening-failures.js';
import { reportMasterKeys } from '../../platform/src/database/report-master-keys.js';
import type { PollLoop } from '../../platform/src/process/poll-loop.js';
import { startOperatorServer } from '../../platform/src/process/operator-server.js';
import type { SmallServer } from '../../platform/src/process/small-server.js';
import type { Logger } from '../../platform/src/logging/logger.js';
import { LOGGER } from '../../platform/src/logging/logging.module.js';
import { prepareWhenReady, untilReady } from '../../platform/src/process/prepare-when-ready.js';
import type { TemporalClient } from '../../platform/src/temporal/temporal-client.js';
import { TEMPORAL_CLIENT } from '../../platform/src/temporal/temporal.module.js';
import { createOutbox } from './outbox/create-outbox.js';
import type { OutboxRelay } from './outbox/outbox-relay.js';
import { createSchedules } from './schedules/create-schedules.js';
import type { WorkerSchedules } from './schedules/worker-schedules.js';
import { createSweeper } from './sweeper/create-sweeper.js';
import type { Sweeper } from './sweeper/sweeper.js';
import { createWorkerMetrics, type WorkerMetrics } from './metrics/worker-metrics.js';
import { StalledRuns } from './temporal/stalled-runs.js';
import { createWorkers } from './temporal/create-workers.js';
import type { TemporalWorkers } from './temporal/temporal-workers.js';
import { createConfigurationParts } from './configurations/configuration-parts.js';
import { createQueues, createWorkerParts, type WorkerParts } from './parts/worker-parts.js';
import { prepareDatabase } from './prepare-database.js';
import { workerChecks } from './worker-checks.js';

/** The kinds of sources that configurations may name. */
export const KNOWN_ADAPTERS = Symbol('known adapters');

/** All parts of the worker process: started once PostgreSQL responds, stopped before the pools close. */
@Injectable()
export class WorkerProcess implements BeforeApplicationShutdown, OnApplicationShutdown {
  private readonly metrics: WorkerMetrics;
  private readonly stopping = new AbortController();
  private readonly parts: WorkerParts;
  private readonly outbox: OutboxRelay;
  private readonly listener: ChannelListener;
  private readonly sweeper: Sweeper;
  private readonly masterKeys: MasterKeyRepository;
  private readonly schedules: WorkerSchedules;
  private workers: TemporalWorkers | undefined;
  private configurations: ReturnType<typeof createConfigurationParts> | undefined;
  private operator: SmallServer | undefined;
  private keyReports: PollLoop | undefined;
  private watch: PollLoop | undefined;
  private isStarted = false;

  constructor(
    @Inject(SETTINGS) private readonly settings: WorkerSettings,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(DATABASE_CONTEXT) private readonly ctx: Context,
    @Inject(TEMPORAL_CLIENT) private readonly temporal: TemporalClient,
    @Inject(KNOWN_ADAPTERS) private readonly adapters: readonly Adapter[],
  ) {
    this.metrics = createWorkerMetrics(ctx);
    this.masterKeys = new MasterKeyRepository(ctx);
    const parts = createWorkerParts(ctx, settings, logger, this.metrics.observe);
    const { client } = temporal;
    this.parts = parts;
    const stalledRuns = new StalledRuns({
      client,
      stalledAfterMs: settings.stalledAfter,
      clock: ctx.clock,
      workingSince: () => this.workers?.runningSince ?? null,
      logger,
      onEnded: this.metrics.onRunEnded,
    });
    this.outbox = createOutbox({ ctx, client, settings, parts, stalledRuns, logger });
    this.listener = new ChannelListener({
      pool: ctx.database.pool,
      on: {
        outbox: () => this.outbox.wake(),
        provider_configuration: () => {
          this.configurations?.follower.wake();
          this.configurations?.checks.wake();
        },
      },
      onError: logListeningFailures(logger),
    });
    this.schedules = createSchedules(client, settings, parts, logger);
    this.sweeper = createSweeper({
      ctx,
      settings,
      parts,
      schedules: this.schedules,
      stalledRuns,
      logger,
      onSwept: this.metrics.onSwept,
    });
  }

  /** Runs until it is stopped; rejects when it cannot continue. */
  async run(): Promise<void> {
    const { settings, logger, ctx, temporal: client } = this;
    const { database, temporal } = workerChecks(settings, { ctx, temporal: client, logger });
    this.operator = await startOperatorServer({
      host: settings.metricsHost,
      port: settings.workerMetricsPort,
      registry: this.metrics.registry,
      checks: [
        ...database,
        ...temporal,
        {
          part: 'workers',
          critical: true,
          check: async () => {
            if (this.workers?.isRunning !== true) throw new Error('not running yet');
          },
        },
      ],
    });
    logger.info({ port: this.operator.port }, 'worker.started');
    const isPrepared = await prepareWhenReady({
      checks: database,
      prepare: () => prepareDatabase(ctx, settings, this.parts),
      onError: (err) => logger.warn({ err }, 'database.waiting'),
      stopping: this.stopping.signal,
    });
    if (!isPrepared) return;

    const foreign = new Promise<never>((_, reject) => {
      this.watch = watchIdentity({ database: ctx.database, logger, onForeign: reject });
    });
    foreign.catch(() => undefined);
    this.isStarted = true;
    this.listener.start();
    this.outbox.start();
    this.sweeper.start();
    this.keyReports = reportMasterKeys(this.masterKeys, logger);

    const { fixed, ofProvider } = createQueues(this.parts, settings, logger);
    this.workers = await createWorkers({
      ctx,
      settings,
      queues: fixed,
      activityMetrics: this.metrics.activities,
      logger,
      beforePolling: async (stopping) => {
        await untilReady(temporal, stopping);
        void this.schedules.ensureAtStart(this.stopping.signal);
      },
    });
    this.configurations = createConfigurationParts({
      ctx,
      adapters: this.adapters,
      onRead: this.metrics.onConfigurations,
      logger,
      providers: this.parts.banks.providers,
      workers: this.workers,
      ofProvider,
    });
    if (this.stopping.signal.aborted) return;
    this.configurations.follower.start();
    this.configurations.checks.start();
    // Its cached keys and states are those of the other database: the next process reads them again.
    await Promise.race([this.workers.run(), foreign]);
  }

  /** Starts nothing new and lets current work finish while the pools are still open. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    this.listener.stop();
    if (!this.isStarted) return;
    await Promise.all([
      this.sweeper.stop(),
      this.keyReports?.stop(),
      this.watch?.stop(),
      this.outbox.stop(),
      this.workers?.drain(),
      this.configurations?.follower.stop(),
      this.configurations?.checks.stop(),
    ]);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.workers?.close();
    await this.parts.banks.health.flush();
    await this.parts.webhooks.close();
    this.parts.banks.locks.close();
    await this.operator?.close();
  }
}
