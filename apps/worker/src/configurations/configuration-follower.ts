import type { ConfigurationCheckRepository } from '../../../../prisma/work/providers/configuration-check.repository.js';
import type { ConfigurationRecord } from '../../../../prisma/work/providers/provider-configuration.js';
import type { ProviderConfigurationRepository } from '../../../../prisma/work/providers/provider-configuration.repository.js';
import type { Adapter } from '../../../../providers/adapter.js';
import { guardKeys } from '../../../../providers/guard-keys.js';
import type { ChangingRegistry } from '../../../../providers/registry.js';
import { providerQueue } from '../../../../workflows/task-queues.js';
import type { Logger } from '../../../platform/src/logging/logger.js';
import { PollLoop } from '../../../platform/src/process/poll-loop.js';
import type { WorkerQueues } from '../parts/worker-parts.js';
import type { TemporalWorkers } from '../temporal/temporal-workers.js';
import { openStored } from './open-stored.js';
import { reportUnusable, unusableReason } from './unusable-configuration.js';

export interface ConfigurationFollowerOptions {
  configurations: Pick<ProviderConfigurationRepository, 'list' | 'find'>;
  checks: Pick<ConfigurationCheckRepository, 'record' | 'markBroken'>;
  adapters: readonly Adapter[];
  providers: ChangingRegistry;
  workers: Pick<TemporalWorkers, 'add' | 'remove'>;
  ofProvider: WorkerQueues['ofProvider'];
  logger: Logger;
  /** Called with the stored configurations after each reading. */
  onRead?: (stored: readonly ConfigurationRecord[]) => void;
  pollMs?: number;
}

/** A configuration that this process serves. */
interface Served {
  revision: number;
  broken: boolean;
  /** The last round that may have read `broken` before a refusal of the keys was stored. */
  staleUntil: number;
  draining: boolean;
}

const POLL_MS = 10_000;

/**
 * Keeps this process in step with the configurations: one task queue per enabled configuration, on
 * which calls use the provider of its newest revision.
 */
export class ConfigurationFollower {
  private readonly loop: PollLoop;
  private readonly served = new Map<string, Served>();
  /** The revision of each configuration that could not be opened: logged once. */
  private readonly unusable = new Map<string, number>();
  /** Counts the readings of the stored configurations. */
  private round = 0;

  constructor(private readonly options: ConfigurationFollowerOptions) {
    this.loop = new PollLoop({
      work: () => this.follow(),
      pollMs: options.pollMs ?? POLL_MS,
      onError: (err) => options.logger.warn({ err }, 'provider.following_failed'),
    });
  }

  start(): void {
    this.loop.start();
  }

  /** For the notification `provider_configuration`. */
  wake(): void {
    this.loop.wake();
  }

  /** Resolves when the current round has ended. The queues end with the workers of the process. */
  async stop(): Promise<void> {
    await this.loop.stop();
  }

  private async follow(): Promise<boolean> {
    this.round += 1;
    const stored = await this.options.configurations.list();
    this.options.onRead?.(stored);
    const enabled = stored.filter(({ enabled: isEnabled }) => isEnabled);
    const names = new Set(enabled.map(({ name }) => name));
    for (const name of this.served.keys()) if (!names.has(name)) this.drain(name);
    for (const name of this.unusable.keys()) if (!names.has(name)) this.unusable.delete(name);
    for (const configuration of enabled) await this.serve(configuration);
    return false;
  }

  private async serve({ name, revision, broken }: ConfigurationRecord): Promise<void> {
    const served = this.served.get(name);
    // Served again once the last call of its earlier service has ended.
    if (served?.draining === true) return;
    if (served !== undefined && this.round > served.staleUntil) served.broken = broken;
    if (served?.revision === revision || this.unusable.get(name) === revision) return;
    const next: Served = { revision, broken, staleUntil: 0, draining: false };
    if (!(await this.open(name, next))) return;
    this.unusable.delete(name);
    if (served === undefined)
      await this.options.workers.add(this.options.ofProvider(this.options.providers.get(name)));
    this.served.set(name, next);
    this.options.logger.info({ provider: name, revision: next.revision }, 'provider.served');
  }

  /** Later calls use the provider of this revision. False = it cannot be opened. */
  private async open(name: string, next: Served): Promise<boolean> {
    const { configurations, checks, adapters, providers, logger } = this.options;
    try {
      const stored = await configurations.find(name);
      if (stored === null) return false;
      next.revision = stored.revision;
      const provider = await openStored(adapters, stored);
      providers.put(
        guardKeys(provider, {
          isBroken: () => next.broken,
          onRefused: () => this.refused(name, next),
        }),
      );
      return true;
    } catch (error) {
      const reason = unusableReason(error);
      if (reason === null) throw error;
      logger.error({ provider: name, revision: next.revision, reason }, 'provider.unusable');
      this.unusable.set(name, next.revision);
      this.drain(name);
      await checks.record(name, next.revision, reportUnusable(reason));
      return false;
    }
  }

  private async refused(name: string, served: Served): Promise<void> {
    served.broken = true;
    served.staleUntil = Infinity;
    try {
      if (await this.options.checks.markBroken(name, served.revision))
        this.options.logger.error({ provider: name }, 'provider.keys_refused');
    } finally {
      served.staleUntil = this.round;
    }
  }

  private drain(name: string): void {
    const { workers, providers, logger } = this.options;
    const served = this.served.get(name);
    if (served === undefined || served.draining) return;
    served.draining = true;
    logger.info({ provider: name }, 'provider.draining');
    void workers
      .remove(providerQueue(name))
      .catch((err: unknown) => logger.warn({ provider: name, err }, 'provider.draining_failed'))
      .then(() => {
        this.served.delete(name);
        providers.remove(name);
        logger.info({ provider: name }, 'provider.drained');
        this.wake();
      });
  }
}
