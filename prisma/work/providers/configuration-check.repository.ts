import type { Context } from '../../base/context.js';
import { asJson } from '../../base/database/json-column.js';
import { notify } from '../../base/database/notifications.js';
import type { CheckReport, ConfigurationRecord } from './provider-configuration.js';

/** Due before everything else, regardless of the caller's clock. */
export const AT_ONCE = new Date(0);

const MINUTE_MS = 60_000;
/** After this time, another worker repeats a check that has not finished. */
const CLAIMED_MS = 2 * MINUTE_MS;
const AGAIN_MS = 24 * 60 * MINUTE_MS;
const BROKEN_AGAIN_MS = 15 * MINUTE_MS;

export interface FinishedCheck {
  report: CheckReport & { unreachable?: readonly string[] };
  credentialsEndAt: Date | null;
  /** The configuration could not be opened, so its source cannot be called. */
  unusable?: boolean;
}

/** The shape of providers/settings-facts.ts. */
export interface InstitutionFactsOfSettings {
  unpinned: string[];
  cannotRevoke: string[];
}

/**
 * The due times and results of configuration checks. The time is a column, so that a check which an
 * operator requests reaches the workers without another path to them.
 */
export class ConfigurationCheckRepository {
  constructor(private readonly ctx: Context) {}

  /** Requests an immediate check, even of a disabled configuration. False if it is unknown. */
  async request(name: string): Promise<boolean> {
    return this.ctx.database.transaction(async (tx) => {
      const { count } = await tx.providerConfiguration.updateMany({
        where: { name },
        data: { checkDueAt: AT_ONCE },
      });
      if (count > 0) notify(tx, 'provider_configuration', name);
      return count > 0;
    });
  }

  /** Names of configurations whose check is due; each is claimed by one worker. */
  async claimDue(limit: number): Promise<string[]> {
    const now = this.ctx.clock();
    const claimedUntil = new Date(now.getTime() + CLAIMED_MS);
    const rows = await this.ctx.database.prisma.$queryRaw<{ name: string }[]>`
      UPDATE provider_configurations SET check_due_at = ${claimedUntil}
       WHERE name IN (SELECT name FROM provider_configurations
                       WHERE check_due_at <= ${now} AND (enabled OR check_due_at = ${AT_ONCE})
                       ORDER BY check_due_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)
      RETURNING name`;
    return rows.map(({ name }) => name);
  }

  /**
   * Stores public settings that a check read from the source. The change comes from that check
   * itself, so it does not request another.
   * @returns the new revision; null = the configuration was changed or removed in the meantime
   */
  async pin(
    name: string,
    revision: number,
    settings: ConfigurationRecord['settings'],
  ): Promise<number | null> {
    return this.ctx.database.transaction(async (tx) => {
      const { count } = await tx.providerConfiguration.updateMany({
        where: { name, revision },
        data: { settings: asJson(settings), revision: { increment: 1 } },
      });
      if (count > 0) notify(tx, 'provider_configuration', name);
      return count > 0 ? revision + 1 : null;
    });
  }

  /** Stores the facts that the settings of one revision define for its institutions. */
  async keepFacts(
    name: string,
    revision: number,
    facts: InstitutionFactsOfSettings,
  ): Promise<void> {
    await this.ctx.database.prisma.providerConfiguration.updateMany({
      where: { name, revision },
      data: facts,
    });
  }

  /**
   * Records a check of one revision; a newer one has its own check. Refused keys break the
   * configuration, a success repairs it, and any other result, such as a source that is down, is
   * not evidence about the keys.
   */
  async record(
    name: string,
    revision: number,
    { report, credentialsEndAt, unusable = false }: FinishedCheck,
  ): Promise<void> {
    const now = this.ctx.clock();
    const { ok, keysRefused, lines, unreachable = [] } = report;
    await this.ctx.database.transaction(async (tx) => {
      const row = await tx.providerConfiguration.findUnique({ where: { name } });
      if (row === null) return;
      const broken = keysRefused || unusable || (row.broken && !ok);
      const { count } = await tx.providerConfiguration.updateMany({
        where: { name, revision },
        data: {
          broken,
          checkedAt: now,
          checkReport: asJson({ ok, keysRefused, lines }),
          credentialsEndAt,
          unreachable: [...unreachable],
          checkDueAt: new Date(
            now.getTime() + (broken || unreachable.length > 0 ? BROKEN_AGAIN_MS : AGAIN_MS),
          ),
        },
      });
      if (count > 0) notify(tx, 'provider_configuration', name);
    });
  }

  /**
   * A call showed that the source refuses the keys. False if they were replaced since, or that is
   * already known.
   */
  async markBroken(name: string, revision: number): Promise<boolean> {
    const dueAt = new Date(this.ctx.clock().getTime() + BROKEN_AGAIN_MS);
    return this.ctx.database.transaction(async (tx) => {
      const { count } = await tx.providerConfiguration.updateMany({
        where: { name, revision, broken: false },
        data: { broken: true, checkDueAt: dueAt },
      });
      if (count > 0) notify(tx, 'provider_configuration', name);
      return count > 0;
    });
  }
}
