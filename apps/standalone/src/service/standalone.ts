import { rmSync } from 'node:fs';
import type { Logger } from '../../../platform/src/logging/logger.js';
import { readSettings } from '../../../platform/src/config/settings.js';
import { writeAtomically } from '../data-folder/atomic-file.js';
import { DataFolder } from '../data-folder/data-folder.js';
import { lockInstance } from '../data-folder/instance-lock.js';
import { ProcessRecord, type PartName } from '../data-folder/process-record.js';
import { readOrMakeSecrets, type StoredSecrets } from '../data-folder/stored-secrets.js';
import { searchTemporal } from './early-search.js';
import { ensureApps } from './ensure-apps.js';
import { clientVariables } from './client-variables.js';
import type { StandaloneDescription } from './description.js';
import { localAddress } from './local-address.js';
import { PostgresCluster, POSTGRES_DATABASE } from '../postgres/postgres-cluster.js';
import { migrateDatabase } from './migrate-database.js';
import type { PortPolicy } from '../ports.js';
import type { Progress } from '../progress.js';
import { answersReady, startServicePart } from './service-part.js';
import {
  databaseUrlOfBank,
  withCodecToken,
  withPorts,
  withPresets,
  withSecrets,
  type StandaloneSettings,
} from './standalone-settings.js';
import { readOrMakeLocalToken } from '../../../platform/src/codec/local-token.js';
import { StartFailure } from '../start-failure.js';
import { QuietStart } from '../supervision/quiet-start.js';
import {
  SupervisedProcess,
  type SupervisedProcessOptions,
} from '../supervision/supervised-process.js';
import { TemporalServer } from '../temporal/temporal-server.js';

/** The terminal as it is; the terminal, with warnings alone until everything is ready; log files in the data folder. */
export type PartOutput = 'inherit' | 'quiet' | 'files';

export interface StandaloneOptions {
  env: NodeJS.ProcessEnv;
  ports: PortPolicy;
  progress: Progress;
  logger: Logger;
  /** The output of the service's processes. */
  output: PartOutput;
}

/** The time limit of each part, counted from the start of the stop; all end within 15 s. */
const STOP_BY_MS: readonly (readonly [PartName, number])[] = [
  ['console', 3_000],
  ['api', 5_000],
  ['worker', 11_000],
  ['webhooks', 11_500],
  ['sandbox_bank', 12_000],
  ['temporal', 13_000],
  ['postgres', 14_500],
];
const SERVICES = {
  api: 'api',
  worker: 'worker',
  webhooks: 'webhooks',
  sandbox_bank: 'sandbox-bank',
  console: 'console',
} as const;
const READY_WITHIN_MS = { server: 120_000, service: 240_000 };

/** The whole service on one machine. */
export class Standalone {
  private readonly parts = new Map<PartName, SupervisedProcess>();
  private readonly folder: DataFolder;
  private readonly record: ProcessRecord;
  private releaseLock: (() => void) | undefined;
  private readonly quiet = new QuietStart();
  private description: Omit<StandaloneDescription, 'processes'> | undefined;
  private stopped: Promise<void> | undefined;

  constructor(private readonly options: StandaloneOptions) {
    this.folder = new DataFolder(readSettings(withPresets(options.env), 'standalone').dataDir);
    this.record = new ProcessRecord(this.folder.processes);
  }

  /** Starts everything and writes `standalone.json`. Leaves nothing running when it fails. @throws StartFailure, SettingsError */
  async start(): Promise<StandaloneDescription> {
    try {
      const description = await this.startAll();
      this.quiet.ready();
      return description;
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  /** Stops all parts in order, within 15 s. */
  stop(): Promise<void> {
    this.stopped ??= this.stopAll();
    return this.stopped;
  }

  /** Runs when our own process exits. */
  kill(): void {
    for (const part of this.parts.values()) part.kill();
  }

  private async startAll(): Promise<StandaloneDescription> {
    const { env, ports, progress } = this.options;
    this.releaseLock = await lockInstance(this.folder.path, this.folder.lock);
    const leftovers = await this.record.endLeftovers();
    if (leftovers > 0) progress.done(`Ended ${leftovers} processes an earlier run had left behind`);

    const secrets = readOrMakeSecrets(this.folder.secrets);
    const ownEnv = withCodecToken(withSecrets(withPresets(env), secrets), this.folder.codecToken);
    const partEnv = await withPorts(ownEnv, ports);
    const settings = readSettings(partEnv, 'standalone');

    const [databaseUrl, temporalAddress] = await Promise.all([
      settings.databaseUrl ?? this.startPostgres(settings, secrets),
      settings.temporalAddress ?? this.startTemporal(settings),
    ]);
    const serviceEnv = {
      ...partEnv,
      DATABASE_URL: databaseUrl,
      SANDBOX_BANK_DATABASE_URL:
        settings.sandboxBankDatabaseUrl ?? databaseUrlOfBank(databaseUrl, secrets),
      TEMPORAL_ADDRESS: temporalAddress,
    };
    progress.done(
      await progress.during('Bringing the database up to date', migrateDatabase(serviceEnv)),
    );
    const { masterKeys } = readSettings(serviceEnv, 'operator');
    await ensureApps(secrets.apps, { databaseUrl, masterKeys });
    await progress.during(
      `Starting api, worker, webhooks${settings.console ? ', console' : ''} and sandbox bank`,
      this.startServices(settings, serviceEnv),
    );
    return this.describe(settings, { databaseUrl, temporalAddress, apps: secrets.apps });
  }

  private async startPostgres(
    settings: StandaloneSettings,
    secrets: StoredSecrets,
  ): Promise<string> {
    const { progress } = this.options;
    const log = this.folder.openLog('postgres');
    const cluster = new PostgresCluster({
      folder: this.folder.postgres,
      port: settings.embeddedPostgresPort,
      password: secrets.postgres_password,
      durable: true,
      log: log.file,
    });
    if (await progress.during('Starting PostgreSQL', cluster.initialize()))
      progress.done(`Made a database in ${this.folder.postgres}`);
    await this.supervise('postgres', {
      name: 'PostgreSQL',
      start: await cluster.start(),
      isReady: () => cluster.isReady(),
      readyWithin: READY_WITHIN_MS.server,
      stopSignal: 'SIGINT',
      lastWords: log.lastWords,
    });
    await cluster.ensureDatabase(POSTGRES_DATABASE);
    return cluster.urlOf(POSTGRES_DATABASE);
  }

  private async startTemporal(settings: StandaloneSettings): Promise<string> {
    const { env, progress } = this.options;
    const program = await searchTemporal({ cliPath: settings.temporalCliPath, env, progress });
    const log = this.folder.openLog('temporal');
    const server = new TemporalServer({
      program,
      port: settings.embeddedTemporalPort,
      uiPort: settings.embeddedTemporalUiPort,
      ...(settings.codecPort === undefined
        ? {}
        : { codecEndpoint: codecEndpoint(settings.codecPort, settings.codecTokenFile) }),
      namespace: settings.temporalNamespace,
      databaseFile: this.folder.temporalDatabase,
      log: log.file,
    });
    await this.supervise('temporal', {
      name: 'Temporal',
      start: () => server.start(),
      isReady: () => server.isReady(),
      readyWithin: READY_WITHIN_MS.server,
      stopSignal: 'SIGTERM',
      lastWords: log.lastWords,
    });
    await server.ensureSearchAttributes();
    return server.address;
  }

  private async startServices(settings: StandaloneSettings, env: NodeJS.ProcessEnv): Promise<void> {
    await Promise.all([
      this.startService(
        'sandbox_bank',
        'The sandbox bank',
        env,
        `${localAddress(settings.sandboxBankHost, settings.sandboxBankPort)}/health/ready`,
      ),
      this.startService(
        'api',
        'The API',
        env,
        `${localAddress(settings.apiHost, settings.apiPort)}/health/ready`,
      ),
      this.startService(
        'worker',
        'The worker',
        env,
        `http://127.0.0.1:${settings.workerMetricsPort}/health/ready`,
      ),
      this.startService(
        'webhooks',
        'The webhooks process',
        env,
        `http://127.0.0.1:${settings.webhooksMetricsPort}/health/ready`,
      ),
      ...(settings.console
        ? [
            this.startService(
              'console',
              'The console',
              env,
              `${localAddress(settings.consoleHost, settings.consolePort)}/health/ready`,
            ),
          ]
        : []),
    ]);
  }

  private async startService(
    part: keyof typeof SERVICES,
    name: string,
    env: NodeJS.ProcessEnv,
    readyUrl: string,
  ): Promise<void> {
    const { output } = this.options;
    const log = output === 'files' ? this.folder.openLog(part) : undefined;
    const started = { process: SERVICES[part], env };
    await this.supervise(part, {
      name,
      start: () => {
        if (output !== 'quiet')
          return startServicePart({ ...started, output: log?.file ?? 'inherit' });
        const child = startServicePart({ ...started, output: 'pipe' });
        this.quiet.passOn(child);
        return child;
      },
      isReady: () => answersReady(readyUrl),
      readyWithin: READY_WITHIN_MS.service,
      stopSignal: 'SIGTERM',
      ...(log === undefined ? {} : { lastWords: log.lastWords }),
    });
  }

  private async supervise(part: PartName, options: SupervisedProcessOptions): Promise<void> {
    const { logger } = this.options;
    if (this.stopped !== undefined)
      throw new StartFailure(`${options.name} was not started, because the service stops.`);
    const supervised = new SupervisedProcess({
      ...options,
      onStart: (pid) => {
        this.record.set(part, pid);
        this.writeDescription();
        logger[this.description === undefined ? 'debug' : 'info'](
          { part, part_pid: pid },
          'standalone.part_started',
        );
      },
      onCrash: ({ code, signal, restartInMs }) =>
        logger.warn(
          { part, exit_code: code, signal, restart_in_ms: restartInMs },
          'standalone.part_ended',
        ),
    });
    this.parts.set(part, supervised);
    await supervised.start();
  }

  private describe(
    settings: StandaloneSettings,
    given: { databaseUrl: string; temporalAddress: string; apps: StoredSecrets['apps'] },
  ): StandaloneDescription {
    this.description = {
      base_url: settings.baseUrl,
      connect_base_url: settings.connectBaseUrl,
      sandbox_bank_url: localAddress(settings.sandboxBankHost, settings.sandboxBankPort),
      sandbox_bank_control_url: `http://127.0.0.1:${settings.sandboxBankControlPort}`,
      console_url: settings.console ? settings.consoleBaseUrl : null,
      temporal_address: given.temporalAddress,
      temporal_namespace: settings.temporalNamespace,
      temporal_ui_url: this.parts.has('temporal')
        ? `http://127.0.0.1:${settings.embeddedTemporalUiPort}`
        : null,
      database_url: given.databaseUrl,
      metrics_url: `http://127.0.0.1:${settings.metricsPort}/metrics`,
      webhooks_metrics_url: `http://127.0.0.1:${settings.webhooksMetricsPort}/metrics`,
      worker_metrics_url: `http://127.0.0.1:${settings.workerMetricsPort}/metrics`,
      apps: given.apps,
    };
    this.writeDescription();
    for (const environment of PAIRS)
      writeAtomically(
        this.folder.variables(environment),
        clientVariables(this.description, environment),
        0o600,
      );
    return this.withProcesses(this.description);
  }

  /** Written again after every restart of a part, with its new process id. */
  private writeDescription(): void {
    if (this.description === undefined || this.stopped !== undefined) return;
    writeAtomically(
      this.folder.description,
      `${JSON.stringify(this.withProcesses(this.description), null, 2)}\n`,
      0o600,
    );
  }

  private withProcesses(
    description: Omit<StandaloneDescription, 'processes'>,
  ): StandaloneDescription {
    return {
      ...description,
      processes: {
        supervisor: process.pid,
        api: null,
        worker: null,
        webhooks: null,
        sandbox_bank: null,
        console: null,
        temporal: null,
        postgres: null,
        ...this.record.pids,
      },
    };
  }

  private async stopAll(): Promise<void> {
    // Without the lock the folder is another instance's.
    if (this.releaseLock === undefined) return;
    const started = Date.now();
    for (const path of [
      this.folder.description,
      ...PAIRS.map((pair) => this.folder.variables(pair)),
    ])
      rmSync(path, { force: true });
    for (const [name, stopBy] of STOP_BY_MS) {
      await this.parts.get(name)?.stop(started + stopBy - Date.now());
    }
    this.record.clear();
    this.releaseLock();
  }
}

const PAIRS = ['sandbox', 'live'] as const;

/** The UI has no sign-in, and so no header to send: its address of the codec server holds the token. */
function codecEndpoint(port: number, tokenFile: string | undefined): string {
  const address = `http://127.0.0.1:${port}`;
  return tokenFile === undefined ? address : `${address}/${readOrMakeLocalToken(tokenFile)}`;
}
