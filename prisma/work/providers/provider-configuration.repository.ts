import type { Environment } from '../../../domain/api/environment.js';
import type { Context } from '../../base/context.js';
import { asJson, asNullableJson } from '../../base/database/json-column.js';
import { notify } from '../../base/database/notifications.js';
import type { Tx } from '../../base/database/tx.js';
import type { Prisma } from '../../generated/client.js';
import { AT_ONCE } from './configuration-check.repository.js';
import { openSecrets, sealSecrets } from './configuration-secrets.js';
import {
  CONFIGURATION_NAME,
  RESERVED_NAMES,
  toRecord,
  type ConfigurationRecord,
  type PublishedKeys,
  type StoredConfiguration,
} from './provider-configuration.js';
import { removeConfiguration, type Removal } from './remove-configuration.js';

export interface NewConfiguration {
  name: string;
  adapter: string;
  environment: Environment;
  settings: Readonly<Record<string, unknown>>;
  secrets: Readonly<Record<string, string>>;
  publicKeys: PublishedKeys | null;
  maxLinks: number | null;
}

/** Undefined fields stay unchanged. */
export interface ConfigurationChanges {
  settings?: Readonly<Record<string, unknown>> | undefined;
  secrets?: Readonly<Record<string, string>> | undefined;
  publicKeys?: PublishedKeys | null | undefined;
  maxLinks?: number | null | undefined;
}

/** Members of a JWK that only its owner may know (RFC 7518, section 6). */
const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];

/**
 * The operator's keys for sources of bank data. Every change increments `revision` and notifies the
 * workers; they also poll, since a notification may be lost.
 */
export class ProviderConfigurationRepository {
  constructor(private readonly ctx: Context) {}

  /** @throws a unique violation when the name is in use */
  async add({ name, secrets, ...added }: NewConfiguration): Promise<void> {
    if (!CONFIGURATION_NAME.test(name) || RESERVED_NAMES.includes(name))
      throw new RangeError(`"${name}" cannot name a configuration`);
    await this.ctx.database.transaction(async (tx) => {
      await tx.providerConfiguration.create({
        data: {
          ...added,
          name,
          settings: asJson(added.settings),
          publicKeys: keySet(added.publicKeys),
          sealedSecrets: await sealSecrets(this.ctx, tx, name, secrets),
          checkDueAt: AT_ONCE,
          createdAt: this.ctx.clock(),
        },
      });
      notify(tx, 'provider_configuration', name);
    });
  }

  /** By name. */
  async list(): Promise<ConfigurationRecord[]> {
    const rows = await this.ctx.database.prisma.providerConfiguration.findMany({
      orderBy: { name: 'asc' },
    });
    return rows.map(toRecord);
  }

  /** Whether a configuration has this name or adapter. */
  async isTaken(name: string): Promise<boolean> {
    const count = await this.ctx.database.prisma.providerConfiguration.count({
      where: { OR: [{ name }, { adapter: name }] },
    });
    return count > 0;
  }

  /** Null if it is unknown. */
  async find(name: string): Promise<StoredConfiguration | null> {
    const { prisma } = this.ctx.database;
    const row = await prisma.providerConfiguration.findUnique({ where: { name } });
    if (row === null) return null;
    return { ...toRecord(row), openSecrets: () => openSecrets(this.ctx, prisma, row) };
  }

  /**
   * Changes settings or secrets, if no one has changed them since `revision` was read. New ones may
   * work where the old ones were refused, so they are checked immediately. False = they were
   * changed.
   */
  async change(
    name: string,
    revision: number,
    { settings, secrets, publicKeys, maxLinks }: ConfigurationChanges,
  ): Promise<boolean> {
    return this.update({ name, revision }, async (tx) => ({
      ...(settings === undefined ? {} : { settings: asJson(settings) }),
      ...(secrets === undefined
        ? {}
        : { sealedSecrets: await sealSecrets(this.ctx, tx, name, secrets) }),
      ...(publicKeys === undefined ? {} : { publicKeys: keySet(publicKeys) }),
      ...(maxLinks === undefined ? {} : { maxLinks }),
      broken: false,
      checkDueAt: AT_ONCE,
    }));
  }

  /** False if it is unknown. */
  async setEnabled(name: string, enabled: boolean): Promise<boolean> {
    return this.update({ name }, () =>
      Promise.resolve({ enabled, ...(enabled ? { checkDueAt: AT_ONCE } : {}) }),
    );
  }

  /** Removes it with its keys, unless links need them. */
  async remove(name: string): Promise<Removal> {
    return this.ctx.database.transaction(async (tx) => removeConfiguration(this.ctx, tx, name));
  }

  /**
   * The number of links that each configuration serves: those with a permission granted through it.
   */
  async countLinks(): Promise<ReadonlyMap<string, number>> {
    const rows = await this.ctx.database.prisma.providerCredential.groupBy({
      by: ['provider'],
      _count: true,
    });
    return new Map(rows.map(({ provider, _count }) => [provider, _count]));
  }

  private async update(
    where: { name: string; revision?: number },
    dataOf: (tx: Tx) => Promise<Prisma.ProviderConfigurationUpdateManyMutationInput>,
  ): Promise<boolean> {
    return this.ctx.database.transaction(async (tx) => {
      // Locked first: a removal in the meantime would leave a data key without its row.
      const { count } = await tx.providerConfiguration.updateMany({
        where,
        data: { revision: { increment: 1 } },
      });
      if (count === 0) return false;
      await tx.providerConfiguration.updateMany({
        where: { name: where.name },
        data: await dataOf(tx),
      });
      notify(tx, 'provider_configuration', where.name);
      return true;
    });
  }
}

function keySet(keys: PublishedKeys | null) {
  if (keys?.some((key) => PRIVATE_MEMBERS.some((member) => member in key)))
    throw new RangeError('a key to publish contains private members');
  return asNullableJson(keys === null ? null : { keys });
}
