import type { Environment, Restriction } from '../../../domain/api/environment.js';
import type { Scope } from '../../../domain/api/scopes.js';
import { makeId } from '../../../domain/api/ids.js';
import type { Context } from '../../base/context.js';
import type { Tx } from '../../base/database/tx.js';
import { asNullableJson } from '../../base/database/json-column.js';
import type { ApiClient } from '../../generated/client.js';
import { changeClient } from './change-client.js';
import { limitsOfPair, percentOfPair } from './pair-limits.js';

const DEFAULT_LIVE_LIMIT = 10;

/** The limits of a key pair; null = none. */
export interface PairLimits {
  scopes: readonly Scope[] | null;
  restriction: Restriction | null;
  endsAt: Date | null;
  /** Its part of the app's limits; null = the default. */
  sharePercent: number | null;
}

export interface NewKeyPair extends PairLimits {
  appId: string;
  environment: Environment;
  clientId: string;
  secretHash: string;
  label: string | null;
  /** Missing = that of the oldest pair. */
  liveLimit?: number | undefined;
}

/** A key pair as operators see it. */
export interface KeyPairRecord {
  clientId: string;
  environment: Environment;
  label: string | null;
  /** The scopes that its tokens can have. */
  scopes: readonly Scope[];
  restriction: Restriction | null;
  /** Its part of the app's limits. */
  sharePercent: number;
  liveLimit: number;
  createdAt: Date;
  endsAt: Date | null;
  disabledAt: Date | null;
  /** The last use of any of its secrets, to the minute. */
  lastUsedAt: Date | null;
}

export type PairOutcome =
  | { kind: 'done'; pair: KeyPairRecord }
  | { kind: 'unknown' }
  /** Links that the app does not have in this environment. */
  | { kind: 'unknown_links'; links: readonly string[] };

const WITH_LAST_USE = {
  secrets: { where: { lastUsedAt: { not: null } }, orderBy: { lastUsedAt: 'desc' }, take: 1 },
} as const;

/** The key pairs of an app: two of them are issued with it, others may be limited. Source: native-api 3.1. */
export class KeyPairRepository {
  constructor(private readonly ctx: Context) {}

  /** The oldest first. */
  async list(appId: string): Promise<KeyPairRecord[]> {
    const rows = await this.ctx.database.prisma.apiClient.findMany({
      where: { appId },
      include: WITH_LAST_USE,
      orderBy: [{ createdAt: 'asc' }, { clientId: 'asc' }],
    });
    return rows.map(toRecord);
  }

  /** `unknown`: there is no such app. */
  async create({ secretHash, scopes, restriction, ...pair }: NewKeyPair): Promise<PairOutcome> {
    const { appId, environment } = pair;
    return this.ctx.database.transaction(async (tx): Promise<PairOutcome> => {
      if ((await tx.application.count({ where: { appId } })) === 0) return { kind: 'unknown' };
      const links = await unknownLinks(tx, pair, restriction);
      if (links.length > 0) return { kind: 'unknown_links', links };
      const oldest = await tx.apiClient.findFirst({
        where: { appId, environment },
        orderBy: { createdAt: 'asc' },
        select: { liveLimit: true },
      });
      const createdAt = this.ctx.clock();
      const secretId = makeId('clientSecret', this.ctx.random);
      const row = await tx.apiClient.create({
        data: {
          ...pair,
          scopes: asNullableJson(scopes),
          restriction: asNullableJson(restriction),
          liveLimit: pair.liveLimit ?? oldest?.liveLimit ?? DEFAULT_LIVE_LIMIT,
          createdAt,
          secrets: { create: { secretId, secretHash, createdAt } },
        },
        include: WITH_LAST_USE,
      });
      return { kind: 'done', pair: toRecord(row) };
    });
  }

  /**
   * Replaces the given limits; undefined ones stay. When it returns, every process applies them, to
   * earlier tokens as well.
   */
  async restrict(
    clientId: string,
    { scopes, restriction, endsAt, sharePercent }: Partial<PairLimits>,
  ): Promise<PairOutcome> {
    return changeClient(this.ctx, clientId, async (tx): Promise<PairOutcome> => {
      const known = await tx.apiClient.findUnique({ where: { clientId } });
      if (known === null) return { kind: 'unknown' };
      const links = await unknownLinks(tx, known, restriction ?? null);
      if (links.length > 0) return { kind: 'unknown_links', links };
      const row = await tx.apiClient.update({
        where: { clientId },
        data: {
          ...(scopes === undefined ? {} : { scopes: asNullableJson(scopes) }),
          ...(restriction === undefined ? {} : { restriction: asNullableJson(restriction) }),
          ...(endsAt === undefined ? {} : { endsAt }),
          ...(sharePercent === undefined ? {} : { sharePercent }),
        },
        include: WITH_LAST_USE,
      });
      return { kind: 'done', pair: toRecord(row) };
    });
  }
}

async function unknownLinks(
  tx: Tx,
  { appId, environment }: { appId: string; environment: string },
  restriction: Restriction | null,
): Promise<string[]> {
  if (restriction === null || !('links' in restriction)) return [];
  const { links } = restriction;
  const known = await tx.link.findMany({
    where: { appId, environment, linkId: { in: [...links] }, deletedAt: null },
    select: { linkId: true },
  });
  return links.filter((id) => !known.some(({ linkId }) => linkId === id));
}

function toRecord({
  secrets: [lastUsed],
  scopes,
  restriction: stored,
  environment,
  ...row
}: ApiClient & { secrets: { lastUsedAt: Date | null }[] }): KeyPairRecord {
  const restriction = stored as Restriction | null;
  const columns = {
    client_id: row.clientId,
    pair_scopes: scopes as string[] | null,
    restriction,
    share_percent: row.sharePercent,
  };
  return {
    clientId: row.clientId,
    environment: environment as Environment,
    label: row.label,
    scopes: limitsOfPair(columns).scopes,
    restriction,
    sharePercent: percentOfPair(columns),
    liveLimit: row.liveLimit,
    createdAt: row.createdAt,
    endsAt: row.endsAt,
    disabledAt: row.disabledAt,
    lastUsedAt: lastUsed?.lastUsedAt ?? null,
  };
}
