import { KeysRefused, ProviderFailure } from '../../../../domain/errors/provider-failure.js';
import { isTemporaryDatabaseFailure } from '../../../../prisma/base/database/database-failures.js';
import type {
  ConfigurationCheckRepository,
  FinishedCheck,
} from '../../../../prisma/work/providers/configuration-check.repository.js';
import type { StoredConfiguration } from '../../../../prisma/work/providers/provider-configuration.js';
import type { ProviderConfigurationRepository } from '../../../../prisma/work/providers/provider-configuration.repository.js';
import type { LiabilityRateRepository } from '../../../../prisma/links/liabilities/liability-rate.repository.js';
import type { RouteRenewalRepository } from '../../../../prisma/sources/routing/route-renewal.repository.js';
import type { Adapter } from '../../../../providers/adapter.js';
import type { ConfigurationReport, ReportLine } from '../../../../providers/contract/provider.js';
import type { Logger } from '../../../platform/src/logging/logger.js';
import { PollLoop } from '../../../platform/src/process/poll-loop.js';
import { factsOfStored, openStored, pinStored } from './open-stored.js';
import { reportUnusable, unusableReason } from './unusable-configuration.js';

export interface ConfigurationChecksOptions {
  configurations: Pick<ProviderConfigurationRepository, 'find'>;
  checks: Pick<ConfigurationCheckRepository, 'claimDue' | 'pin' | 'keepFacts' | 'record'>;
  renewals: Pick<RouteRenewalRepository, 'unrenewable'>;
  rates: Pick<LiabilityRateRepository, 'institutionsWithSmallRates'>;
  adapters: readonly Adapter[];
  logger: Logger;
  pollMs?: number;
  /** A check that takes longer fails. */
  deadlineMs?: number;
}

const POLL_MS = 30_000;
const DEADLINE_MS = 30_000;
const BATCH = 5;
const UNRENEWABLE =
  'Ask the institution to give this client refresh tokens (scope offline_access with prompt=consent). Until then its users log in again whenever an access token expires.';

const FRACTIONAL =
  'Compare a rate with the one that the institution shows its customer. If it writes fractions (0.2499 for 24.99 %), set rates to fraction for it in institutions.';

/**
 * Checks the keys of configurations when that is due: once a day, every 15 minutes while one is
 * broken or its source does not respond, after every change, and on an operator's request. Not part of the sweeper, which a slow source
 * would hold up.
 */
export class ConfigurationChecks {
  private readonly loop: PollLoop;
  private readonly stopping = new AbortController();

  constructor(private readonly options: ConfigurationChecksOptions) {
    this.loop = new PollLoop({
      work: () => this.checkDue(),
      pollMs: options.pollMs ?? POLL_MS,
      onError: (err) => options.logger.warn({ err }, 'provider.checking_failed'),
    });
  }

  start(): void {
    this.loop.start();
  }

  /** For the notification `provider_configuration`. */
  wake(): void {
    this.loop.wake();
  }

  /** A check in progress is left to the next worker. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.loop.stop();
  }

  private async checkDue(): Promise<boolean> {
    const names = await this.options.checks.claimDue(BATCH);
    await Promise.all(names.map((name) => this.check(name)));
    return names.length === BATCH;
  }

  private async check(name: string): Promise<void> {
    const { configurations, checks, adapters, logger } = this.options;
    const startedAt = Date.now();
    const found = await configurations.find(name);
    if (found === null) return;
    let { revision } = found;
    const finished = await this.ask(async (signal) => {
      const stored = await this.pin(found, signal);
      ({ revision } = stored);
      await checks.keepFacts(name, revision, await factsOfStored(adapters, stored));
      return (await openStored(adapters, stored)).check(signal);
    });
    if (finished === null) return;
    const warnings = await this.warningsOf(name);
    const { report } = finished;
    await checks.record(name, revision, {
      ...finished,
      report: { ...report, lines: [...report.lines, ...warnings] },
    });
    const { ok, keysRefused } = finished.report;
    const outcome = ok ? 'ok' : keysRefused ? 'keys_refused' : 'not_ok';
    logger.info(
      { provider: name, outcome, duration_ms: Date.now() - startedAt },
      'provider.checked',
    );
  }

  /** A change in the meantime has a check of its own, which pins. */
  private async pin(found: StoredConfiguration, signal: AbortSignal): Promise<StoredConfiguration> {
    const stored = await pinStored(this.options.adapters, found, signal);
    if (stored === found) return found;
    const revision = await this.options.checks.pin(found.name, found.revision, stored.settings);
    if (revision === null) return found;
    this.options.logger.info({ provider: found.name, revision }, 'provider.pinned');
    return { ...stored, revision };
  }

  /** Warnings from earlier logins and stored debts, which no request to the source can replace. */
  private async warningsOf(name: string): Promise<ReportLine[]> {
    const { renewals, rates } = this.options;
    const unrenewable = await renewals.unrenewable(name);
    const fractional = await rates.institutionsWithSmallRates(name);
    return [
      ...unrenewable.map(({ name: institution, since }) => ({
        what: `${institution}: logins get a refresh token`,
        ok: true,
        detail: `none since ${since.toISOString().slice(0, 10)}`,
        remedy: UNRENEWABLE,
      })),
      ...fractional.map((institution) => ({
        what: `${institution}: rates of debts are percentages`,
        ok: true,
        detail: 'none is above 1',
        remedy: FRACTIONAL,
      })),
    ];
  }

  /** Null when this process stops in the meantime. */
  private async ask(
    check: (signal: AbortSignal) => Promise<ConfigurationReport>,
  ): Promise<FinishedCheck | null> {
    const signal = AbortSignal.any([
      this.stopping.signal,
      AbortSignal.timeout(this.options.deadlineMs ?? DEADLINE_MS),
    ]);
    try {
      const { credentialsEndAt, ...report } = await orAborted(check(signal), signal);
      return { report, credentialsEndAt };
    } catch (error) {
      if (this.stopping.signal.aborted) return null;
      const reason = unusableReason(error);
      if (reason !== null) return reportUnusable(reason);
      if (isTemporaryDatabaseFailure(error)) throw error;
      if (!signal.aborted) this.options.logger.warn({ err: error }, 'provider.check_failed');
      return reportFailure(error, signal.aborted);
    }
  }
}

/** An adapter that ignores its signal does not delay other checks. */
async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return Promise.race([
    work,
    new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    }),
  ]);
}

function reportFailure(error: unknown, tookTooLong: boolean): FinishedCheck {
  const detail = tookTooLong
    ? 'It did not end in time.'
    : error instanceof ProviderFailure
      ? error.message
      : 'It ended with an unexpected error, which is in the log of the worker.';
  return {
    report: {
      ok: false,
      keysRefused: error instanceof KeysRefused,
      lines: [
        {
          what: 'the source responds to the check',
          ok: false,
          detail,
          remedy: 'Try again later, and check that the worker reaches the source.',
        },
      ],
    },
    credentialsEndAt: null,
  };
}
