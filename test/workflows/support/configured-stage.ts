import { randomBytes } from 'node:crypto';
import type { Type } from '@nestjs/common';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { startApi, type RunningApi } from '../../../apps/api/src/server/start-api.js';
import { settingsByAdapter } from '../../../apps/operator/src/commands/providers/adapter-settings.js';
import { decodeHistory } from '../../../apps/operator/src/decode-history.js';
import { createLogger } from '../../../apps/platform/src/logging/logger.js';
import { readSettings } from '../../../apps/platform/src/config/settings.js';
import { EncryptingPayloadCodec } from '../../../apps/platform/src/temporal/payload-codec.js';
import { loadSql } from '../../../prisma/base/database/load-sql.js';
import { InstitutionRepository } from '../../../prisma/sources/institutions/institution.repository.js';
import { storeCredential } from '../../../prisma/sources/permissions/provider-credential.js';
import type { AdapterManifest } from '../../../providers/adapter-manifest.js';
import { loadAdapters } from '../../../providers/adapters.js';
import { SANDBOX_PROVIDER } from '../../../domain/link/provider-name.js';
import { createProviders } from '../../../providers/registry.js';
import { AppBackEnd } from '../../support/actors/link-journey.js';
import { runCommand } from '../../support/actors/operator.js';
import { eventually } from '../../support/assertions/eventually.js';
import {
  openStorage,
  storeLink,
  type Storage,
  type StoredLink,
} from '../../support/fixtures/stored-link.js';
import { TrialSource } from '../../support/fixtures/trial-adapter.js';
import type { StandaloneApp } from '../../support/services/standalone.js';
import { TestTemporal } from '../../support/services/test-temporal.js';
import { testTemporalAddress } from '../../support/services/embedded-services.js';
import { KeysRefused, startWorkerInProcess, type RunningWorker } from './compiled-worker.js';

/** The parts of a service besides its adapter of a source in memory. */
interface Extensions {
  manifests?: readonly AdapterManifest[];
  /** The modules of the API; by default those of this version. */
  resources?: readonly Type[];
}

/**
 * A service with real workers. Its only adapter is that of a source in memory, unless it has
 * others.
 */
export class ConfiguredStage {
  readonly source = new TrialSource(KeysRefused);
  readonly workers: RunningWorker[] = [];
  private readonly apis: RunningApi[] = [];
  private readonly logs: (() => string)[] = [];
  private printed = '';

  private constructor(
    readonly storage: Storage,
    private readonly temporal: TestTemporal,
    private readonly masterKey: Buffer,
    private readonly extensions: Extensions,
  ) {}

  static async open(extensions: Extensions = {}): Promise<ConfiguredStage> {
    const masterKey = randomBytes(32);
    return new ConfiguredStage(
      await openStorage(undefined, masterKey),
      await TestTemporal.open(),
      masterKey,
      extensions,
    );
  }

  async close(): Promise<void> {
    for (const api of this.apis.splice(0)) await api.close();
    for (const worker of this.workers.splice(0)) await worker.stop();
    await this.temporal.close();
    await this.storage.close();
  }

  /** Behaves like a process of its own in an installation without a sandbox bank. */
  async startWorker(): Promise<RunningWorker> {
    const env = { ...this.environment(), FETCH_RETRY_FOR_SANDBOX: '1s', FAULTY_AFTER: '1' };
    const worker = await startWorkerInProcess(env, [
      this.source.adapter,
      ...(await loadAdapters(this.extensions.manifests ?? [])),
    ]);
    this.logs.push(worker.log);
    this.workers.push(worker);
    const running = eventually(() => {
      expect(worker.log()).toContain('temporal.workers_running');
    });
    await Promise.race([running, worker.ended.then(() => running)]);
    return worker;
  }

  async metricsOf({ logged }: RunningWorker): Promise<string> {
    const port = Number(logged('worker.started')[0]?.['port']);
    return (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  }

  /** Calls an API of the same installation, as an app in Sandbox does. */
  async startApi(): Promise<AppBackEnd> {
    const api = await startApi({
      settings: { ...readSettings(this.environment(), 'api'), apiPort: 0, metricsPort: 0 },
      logger: createLogger({ name: 'api', level: 'silent', format: 'json' }),
      resources: this.extensions.resources,
    });
    this.apis.push(api);
    const created = await runCommand(
      ['apps', 'create', '--name', 'An app', '--json'],
      this.environment(),
    );
    return new AppBackEnd(api.url, (JSON.parse(created.stdout) as StandaloneApp).sandbox);
  }

  /** Stores the institutions of sandbox banks, as a worker does that serves them. */
  async offerSandboxBanks(): Promise<void> {
    const [sandbox] = createProviders({
      sandboxBankUrl: 'http://127.0.0.1:1',
      sandboxBankSecret: 'x',
    });
    await new InstitutionRepository(this.storage.ctx).syncCatalog(
      SANDBOX_PROVIDER,
      sandbox?.institutions() ?? [],
    );
  }

  /** The number of institutions of sandbox banks that are offered. */
  async sandboxBanks(): Promise<number> {
    const { rows } = await this.storage.ctx.database.pool.query(loadSql('catalog-known'), [
      SANDBOX_PROVIDER,
    ]);
    return rows.filter((row: { is_listed: boolean }) => row.is_listed).length;
  }

  /** Runs `providers …` as an operator does. */
  providers(args: readonly string[], secret = '') {
    return this.operate(['providers', ...args], secret);
  }

  /** Runs any command as an operator does. */
  async operate(args: readonly string[], secret = '') {
    const ended = await runCommand(args, this.environment(), {
      adapters: {
        trial: this.source.adapter.settings,
        ...settingsByAdapter(this.extensions.manifests ?? []),
      },
      secretInput: { read: () => Promise.resolve(secret), prompt: () => Promise.resolve(secret) },
    });
    this.printed += ended.stdout + ended.stderr;
    return ended;
  }

  /** A connected link of the configuration, whose accounts were never fetched. */
  async addLink(provider: string): Promise<StoredLink> {
    const { ctx } = this.storage;
    await ctx.database.prisma.institutionRoute.upsert({
      where: { institutionId_provider: { institutionId: 'test-bank', provider } },
      create: {
        institutionId: 'test-bank',
        provider,
        remoteId: `${provider}-bank`,
        login: 'form',
        products: ['accounts'],
      },
      update: {},
    });
    const link = await storeLink(this.storage, { provider, products: ['accounts'], webhook: null });
    await ctx.database.transaction((tx) =>
      storeCredential(ctx, tx, link, {
        provider,
        reference: `permission-of-${link.linkId}`,
        credential: Buffer.from('canary-credential-of-a-user'),
      }),
    );
    return link;
  }

  /** Simulates MASTER_KEYS without the key under which its secrets were sealed. */
  async loseMasterKeyOf(provider: string): Promise<void> {
    await this.storage.ctx.database.prisma.dataKey.update({
      where: { owner: `provider/${provider}` },
      data: { masterKeyId: 'lost' },
    });
  }

  async refresh({ pk }: StoredLink): Promise<void> {
    const { ctx, refresh } = this.storage;
    await ctx.database.transaction((tx) =>
      refresh.requestProducts(tx, pk, ['accounts'], 'on_demand'),
    );
  }

  /** The state of the link and of its accounts, and the number of consecutive failed runs. */
  async standing({ pk }: StoredLink) {
    const { state, errorCode, faultyRuns, products, refreshRun, finishedRun } =
      await this.storage.ctx.database.prisma.link.findUniqueOrThrow({
        where: { pk },
        include: { products: true },
      });
    return {
      link: errorCode ?? state,
      accounts: products[0]?.state ?? null,
      cause: products[0]?.errorCause ?? null,
      faultyRuns,
      isRunning: finishedRun < refreshRun,
    };
  }

  /** Everything that people can read: logs, what commands printed, histories and metrics. */
  async everythingReadable(): Promise<string> {
    const texts = [this.printed, ...this.logs.map((log) => log())];
    for (const worker of this.workers) texts.push(await this.metricsOf(worker));
    const codec = new EncryptingPayloadCodec([{ id: 'test', key: this.masterKey }]);
    for await (const { workflowId } of this.temporal.client.workflow.list()) {
      const history = await this.temporal.client.workflow.getHandle(workflowId).fetchHistory();
      const of = { namespace: this.temporal.namespace, workflowId };
      texts.push(historyToJSON(decodeHistory(history, codec, of)));
    }
    return texts.join('\n');
  }

  private environment(): Record<string, string> {
    return {
      DATABASE_URL: this.storage.url,
      TEMPORAL_ADDRESS: testTemporalAddress(),
      TEMPORAL_NAMESPACE: this.temporal.namespace,
      MASTER_KEYS: `test:${this.masterKey.toString('base64')}`,
    };
  }
}
