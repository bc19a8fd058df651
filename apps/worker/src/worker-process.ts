import { setTimeout as pause } from 'node:timers/promises';
import {
  Inject,
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { ChannelListener } from '../../../prisma/database/channel-listener.js';
import type { Context } from '../../../prisma/context.js';
import { CursorKeys } from '../../../prisma/keys/cursor-key.repository.js';
import { SigningKeys } from '../../../prisma/keys/signing-key.repository.js';
import { AccessTokenRepository } from '../../../prisma/applications/access-token.repository.js';
import { environmentOfLink } from '../../../prisma/links/link-environment.js';
import { MasterKeyRepository } from '../../../prisma/master-keys/master-key.repository.js';
import { OutboxRepository } from '../../../prisma/outbox/outbox.repository.js';
import { OverdueStepRepository } from '../../../prisma/linking/overdue-step.repository.js';
import { refreshSubject } from '../../../prisma/refresh/refresh-subject.js';
import type { Adapter } from '../../../providers/adapter.js';
import { SANDBOX_PROVIDER } from '../../../providers/registry.js';
import { LINKS_QUEUE, SANDBOX_LINKS_QUEUE } from '../../../workflows/task-queues.js';
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
import {
  workerDataConverter,
  type TemporalClient,
} from '../../platform/src/temporal/temporal-client.js';
import { temporalPlace } from '../../platform/src/temporal/temporal-place.js';
import { TEMPORAL_CLIENT } from '../../platform/src/temporal/temporal.module.js';
import { OutboxRelay } from './outbox/outbox-relay.js';
import { createCommandPerformer } from './outbox/perform-command.js';
import { AggregationSchedules } from './schedules/aggregation-schedules.js';
import { CatalogueSchedules } from './schedules/catalogue-schedules.js';
import { RotationSchedule } from './schedules/rotation-schedule.js';
import { overdueTasks, retentionTasks } from './sweeper/sweep-tasks.js';
import { Sweeper } from './sweeper/sweeper.js';
import { createWorkerMetrics, type WorkerMetrics } from './metrics/worker-metrics.js';
import { workflowBundle as builtBundle } from './temporal/bundle-workflows.js';
import { bundleOfWorkers, deploymentOptions, workerVersion } from './temporal/worker-version.js';
import { guardActivities } from './temporal/guard-activities.js';
import { StalledRuns } from './temporal/stalled-runs.js';
import { TemporalWorkers } from './temporal/temporal-workers.js';
import { traceActivities } from './temporal/trace-activities.js';
import { createConfigurationParts } from './configurations/configuration-parts.js';
import { createQueues, createWorkerParts, type WorkerParts } from './parts/worker-parts.js';
import { workerChecks } from './worker-checks.js';

/** link-lifecycle 7.3: back-off of a failing fetch begins here. */
const FIRST_FETCH_RETRY_MS = 5_000;
/** link-lifecycle 9: back-off of ending a permission at a bank. */
const REVOCATION_RETRY_MS = { firstRetryMs: 5_000, longestRetryMs: 3_600_000 };
/** A user's record waits until banks have ended the permissions; most do at once. */
const ERASURE_WAIT_MS = { firstWaitMs: 1_000, longestWaitMs: 3_600_000 };
/** Wait after an attempt of a delivery that ended without reporting when the next is due. */
const DELIVERY_RETRY_MS = 5_000;
/** The kinds of sources that configurations may name. */
export const KNOWN_ADAPTERS = Symbol('known adapters');
const WORKFLOW_QUEUES = [LINKS_QUEUE, SANDBOX_LINKS_QUEUE];
const RETRY_PREPARATION_MS = 1_000;

/** Everything the worker process runs: started once PostgreSQL responds, stopped before the pools close. */
@Injectable()
export class WorkerProcess implements BeforeApplicationShutdown, OnApplicationShutdown {
  private readonly metrics: WorkerMetrics;
  private readonly stopping = new AbortController();
  private readonly parts: WorkerParts;
  private readonly stalledRuns: StalledRuns;
  private readonly outbox: OutboxRelay;
  private readonly listener: ChannelListener;
  private readonly sweeper: Sweeper;
  private readonly masterKeys: MasterKeyRepository;
  private readonly schedules: readonly { ensure(): Promise<number> }[];
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
    this.parts = parts;
    this.stalledRuns = new StalledRuns({
      client: temporal.client,
      stalledAfterMs: settings.stalledAfter,
      clock: ctx.clock,
      workingSince: () => this.workers?.runningSince ?? null,
      logger,
      onEnded: this.metrics.onRunEnded,
    });
    this.outbox = new OutboxRelay({
      outbox: new OutboxRepository(ctx),
      perform: createCommandPerformer({
        client: temporal.client,
        deliveries: parts.webhooks.deliveries,
        environmentOf: (linkId) => environmentOfLink(ctx, linkId),
        subjectOf: (linkId) => refreshSubject(ctx, linkId),
        refresh: {
          fetchRetryForMs: settings.fetchRetryFor,
          fetchRetryForSandboxMs: settings.fetchRetryForSandbox,
          firstRetryMs: FIRST_FETCH_RETRY_MS,
        },
        deletion: REVOCATION_RETRY_MS,
        erasure: ERASURE_WAIT_MS,
        publishKey: (rotation) => parts.keys.publishRequested(rotation),
        delivery: { attemptTimeoutMs: settings.webhookTimeout, retryMs: DELIVERY_RETRY_MS },
        stalledRuns: this.stalledRuns,
      }),
      logger,
      clock: ctx.clock,
    });
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
    this.schedules = [
      new AggregationSchedules({
        client: temporal.client,
        tickMs: settings.aggregationTick,
        shards: settings.aggregationShards,
      }),
      new CatalogueSchedules({
        client: temporal.client,
        names: () => parts.catalogue.catalogue.configurations(),
      }),
      new RotationSchedule({
        client: temporal.client,
        everyMs: settings.signingKeyRotation,
      }),
    ];
    this.sweeper = new Sweeper({
      tasks: [
        { name: 'schedules', sweep: () => this.ensureSchedules() },
        { name: 'stalled_runs', sweep: (now) => this.stalledRuns.sweep(now) },
        ...overdueTasks({
          times: parts.linking.times,
          steps: new OverdueStepRepository(ctx),
          refresh: parts.refresh.refresh,
          permissions: parts.deletion.permissions,
          revocations: parts.deletion.revocations,
          deliveries: parts.webhooks.deliveries,
          providerWebhooks: parts.providerWebhooks.webhooks,
          tokens: new AccessTokenRepository(ctx),
          overdueMs: settings.overdueAfter,
        }),
        ...retentionTasks({
          ctx,
          settings,
          logger,
          erasures: parts.deletion.erasures,
          rotations: parts.keys.rotations,
          sandboxRequests: parts.sandbox.requests,
          quotas: parts.banks.quotas,
          providerWebhooks: parts.providerWebhooks.webhooks,
        }),
      ],
      intervalMs: settings.sweepInterval,
      clock: ctx.clock,
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
      prepare: () => this.prepareDatabase(),
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

    const dataConverter = workerDataConverter(settings.masterKeys);
    const bundle = await builtBundle();
    const version = workerVersion(bundle);
    const isVersioned = settings.workerVersioning;
    const workflowBundle = bundleOfWorkers(bundle, { isVersioned });
    logger.info({ build_id: version.buildId, versioned: isVersioned }, 'worker.build');
    const { fixed, ofProvider } = createQueues(this.parts, settings, logger);
    const queues = fixed.map((queue) =>
      WORKFLOW_QUEUES.includes(queue.taskQueue) ? { ...queue, workflowBundle } : queue,
    );
    this.workers = new TemporalWorkers({
      ...temporalPlace(settings),
      queues,
      shared: {
        dataConverter,
        interceptors: { activity: [guardActivities, traceActivities, this.metrics.activities] },
        workerDeploymentOptions: deploymentOptions(version, { isVersioned }),
        patchActivationCallback: () => settings.workflowPatches,
      },
      logger,
      clock: ctx.clock,
      beforePolling: async (stopping) => {
        await untilReady(temporal, stopping);
        void this.agreeOnSchedules();
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
    // Keys and states that it remembers are those of the other database: the next process reads them again.
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

  private async ensureSchedules(): Promise<number> {
    let made = 0;
    for (const schedule of this.schedules) made += await schedule.ensure();
    return made;
  }

  /** As soon as Temporal is ready; the sweeper restores schedules that are lost later. */
  private async agreeOnSchedules(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      try {
        await this.ensureSchedules();
        return;
      } catch (err) {
        this.logger.warn({ err }, 'schedules.waiting');
        await pause(RETRY_PREPARATION_MS, undefined, { signal: this.stopping.signal }).catch(
          () => undefined,
        );
      }
    }
  }

  /** Linking needs keys and the catalogue of institutions. */
  private async prepareDatabase(): Promise<void> {
    await Promise.all([new SigningKeys(this.ctx).ensure(), new CursorKeys(this.ctx).ensure()]);
    const { institutions, providers } = this.parts.banks;
    for (const provider of providers.all())
      if (provider.listInstitutions === undefined)
        await institutions.syncCatalogue(provider.name, provider.institutions());
    // Institutions of an earlier start are no longer offered.
    if (this.settings.sandboxBankUrl === undefined)
      await institutions.syncCatalogue(SANDBOX_PROVIDER, []);
  }
}
