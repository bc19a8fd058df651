import type { Environment, Tenant } from '../../../domain/api/environment.js';
import { permitsUser } from '../../../domain/api/restriction.js';
import { makeId } from '../../../domain/api/ids.js';
import { makeCredential, makeSetupSecret } from '../../../domain/simplefin/setup-token.js';
import { judgeClaim, statusOf, type TokenTimes } from '../../../domain/simplefin/token-life.js';
import type { Context } from '../../base/context.js';
import { storeCustomerUser } from '../../tenants/applications/store-customer-user.js';
import { bytesColumn, sha256 } from '../../base/database/bytes.js';
import { loadSql } from '../../base/database/load-sql.js';
import type { Tx } from '../../base/database/tx.js';
import type { Prisma } from '../../generated/client.js';
import { takeRoom } from '../../tenants/usage/app-use.js';

/** Tokens of one user that have not ended. */
export const MAX_TOKENS_OF_USER = 25;

export interface SimplefinTokenRecord extends TokenTimes {
  tokenId: string;
  name: string;
  /** The key pair that created it; null = the operator. */
  clientId: string | null;
}

/** Who creates a token. */
export interface TokenMaker extends Tenant {
  /** Null = the operator. */
  clientId: string | null;
}

export type TokenCreation =
  | { kind: 'created'; token: SimplefinTokenRecord; secret: string }
  /** Of the user. */
  | { kind: 'too_many' }
  /** The key pair was disabled while the call ran. */
  | { kind: 'disabled' };

/** Tokens as operators choose them. */
export interface TokenFilter {
  appId: string;
  environment: Environment;
  userId?: string | undefined;
  clientId?: string | undefined;
  /** Creation: from this time on, and before that one. */
  after?: Date | undefined;
  before?: Date | undefined;
}

/** An app that created many tokens. */
export interface BusyApp {
  appId: string;
  environment: Environment;
  tokens: number;
}

/** The user whose accounts a credential reads. */
export interface SimplefinAccess extends Tenant {
  tokenId: string;
  userId: string;
}

interface AccessRow {
  token_id: string;
  created_at: Date;
  claimed_at: Date | null;
  last_used_at: Date | null;
  voided_at: Date | null;
  user_id: string;
  app_id: string;
  environment: Environment;
  maker_ends_at: Date | null;
}

const RECORD = {
  tokenId: true,
  name: true,
  clientId: true,
  client: { select: { endsAt: true } },
  createdAt: true,
  claimedAt: true,
  lastUsedAt: true,
  voidedAt: true,
} as const;

/** The apps that `busyApps` returns: at most this many, with at least this many tokens, of the newest. */
const BUSY = { apps: 10, tokens: 20, newest: 10_000 };

/**
 * Setup tokens of users and the credentials for which finance apps claim them. Both are stored only
 * as SHA-256, and every use reads its row, so that deleting the row ends it. Source: decision 0060.
 */
export class SimplefinTokenRepository {
  constructor(private readonly ctx: Context) {}

  /**
   * Creates the user too if there is none: a finance app may be connected before the first bank.
   * Tokens that ended are removed.
   * @throws UserNotPermitted, BoundReached
   */
  async create(maker: TokenMaker, userId: string, name: string): Promise<TokenCreation> {
    const { ctx } = this;
    const { clientId } = maker;
    const secret = makeSetupSecret(ctx.random);
    return ctx.database.transaction(async (tx) => {
      if (clientId !== null && !(await holdEnabled(tx, clientId))) return { kind: 'disabled' };
      // Locks the row of the user until the commit.
      const customerUserPk = await storeCustomerUser(ctx, tx, maker, {
        id: userId,
        email: null,
        phone: null,
      });
      const now = ctx.clock();
      const rows = await tx.simplefinToken.findMany({ where: { customerUserPk }, select: RECORD });
      const known = rows.map(toRecord);
      const ended = known.filter((token) => statusOf(token, now) === 'ended');
      await tx.simplefinToken.deleteMany({
        where: { tokenId: { in: ended.map(({ tokenId }) => tokenId) } },
      });
      if (known.length - ended.length >= MAX_TOKENS_OF_USER) return { kind: 'too_many' };
      takeRoom(ctx, tx, maker, { simplefin_tokens: 1 });
      const row = await tx.simplefinToken.create({
        data: {
          tokenId: makeId('simplefinToken', ctx.random),
          customerUserPk,
          clientId,
          name,
          setupHash: bytesColumn(sha256(secret)),
          createdAt: now,
        },
        select: RECORD,
      });
      return { kind: 'created', token: toRecord(row), secret };
    });
  }

  /** Oldest first; empty for an unknown user. */
  async list(tenant: Tenant, userId: string): Promise<SimplefinTokenRecord[]> {
    if (!permitsUser(tenant, userId)) return [];
    const { appId, environment } = tenant;
    const rows = await this.ctx.database.prisma.simplefinToken.findMany({
      where: { customerUser: { appId, environment, userId } },
      select: RECORD,
      orderBy: [{ createdAt: 'asc' }, { tokenId: 'asc' }],
    });
    return rows.map(toRecord);
  }

  /** Oldest first, at most `limit`: tokens of any user of an app. */
  async find(
    filter: TokenFilter,
    limit: number,
  ): Promise<(SimplefinTokenRecord & { userId: string })[]> {
    const rows = await this.ctx.database.prisma.simplefinToken.findMany({
      where: chosenBy(filter),
      select: { ...RECORD, customerUser: { select: { userId: true } } },
      orderBy: [{ createdAt: 'asc' }, { tokenId: 'asc' }],
      take: limit,
    });
    return rows.map(({ customerUser, ...row }) => ({ ...toRecord(row), ...customerUser }));
  }

  /** Ends them and their credentials. @returns their number */
  async revokeAll(filter: TokenFilter): Promise<number> {
    const { count } = await this.ctx.database.prisma.simplefinToken.deleteMany({
      where: chosenBy(filter),
    });
    return count;
  }

  /** Ends those that a key pair created. @returns their number */
  async revokeOfClient(clientId: string): Promise<number> {
    const { count } = await this.ctx.database.prisma.simplefinToken.deleteMany({
      where: { clientId },
    });
    return count;
  }

  /** The number of tokens of a key pair that work, or may still be claimed. */
  async countOfClient(clientId: string): Promise<number> {
    const rows = await this.ctx.database.prisma.simplefinToken.findMany({
      where: { clientId },
      select: RECORD,
    });
    const now = this.ctx.clock();
    return rows.filter((row) => statusOf(toRecord(row), now) !== 'ended').length;
  }

  /** Ends the setup token and its credential. @returns false when the user has no such token */
  async revoke(tenant: Tenant, userId: string, tokenId: string): Promise<boolean> {
    if (!permitsUser(tenant, userId)) return false;
    const { appId, environment } = tenant;
    const { count } = await this.ctx.database.prisma.simplefinToken.deleteMany({
      where: { tokenId, customerUser: { appId, environment, userId } },
    });
    return count > 0;
  }

  /** The same for an operator, who revokes tokens of any app. */
  async revokeById(tokenId: string): Promise<boolean> {
    const { count } = await this.ctx.database.prisma.simplefinToken.deleteMany({
      where: { tokenId },
    });
    return count > 0;
  }

  /** The apps that created the most of the tokens of the last hour, the busiest first. */
  async busyApps(): Promise<BusyApp[]> {
    const { rows } = await this.ctx.database.pool.query<BusyApp>({
      name: 'busy-apps',
      text: loadSql('busy-apps'),
      values: [
        new Date(this.ctx.clock().getTime() - 3_600_000),
        BUSY.newest,
        BUSY.tokens,
        BUSY.apps,
      ],
    });
    return rows;
  }

  /**
   * Claims a setup token, once.
   * @param arrivedAt the time at which the request arrived
   * @returns null when it is refused
   */
  async claim(
    secret: string,
    arrivedAt: Date,
  ): Promise<{ tokenId: string; credential: string } | null> {
    const { database, clock, random } = this.ctx;
    const setupHash = bytesColumn(sha256(secret));
    const row = await database.prisma.simplefinToken.findUnique({
      where: { setupHash },
      select: RECORD,
    });
    if (row === null) return null;
    const token = toRecord(row);
    const now = clock();
    const { tokenId } = token;
    const verdict = judgeClaim(token, arrivedAt, now);
    if (verdict === 'void')
      await database.prisma.simplefinToken.updateMany({
        where: { tokenId, lastUsedAt: null },
        data: { voidedAt: now },
      });
    if (verdict !== 'claim') return null;
    const credential = makeCredential(random);
    const { count } = await database.prisma.simplefinToken.updateMany({
      where: { tokenId, claimedAt: null },
      data: { claimedAt: now, credentialHash: bytesColumn(sha256(credential)) },
    });
    return count === 0 ? null : { tokenId, credential };
  }

  /** The response of a claim was not sent: its credential ends, and the setup token can be claimed again. */
  async undoClaim({ tokenId, credential }: { tokenId: string; credential: string }): Promise<void> {
    await this.ctx.database.prisma.simplefinToken.updateMany({
      where: { tokenId, credentialHash: bytesColumn(sha256(credential)), lastUsedAt: null },
      data: { claimedAt: null, credentialHash: null },
    });
  }

  /**
   * Reads the row at every use, so that a revoked credential ends with the commit; records the use at
   * most once a minute.
   * @returns null for a credential that gives no access
   */
  async use(credential: string): Promise<SimplefinAccess | null> {
    const { database, clock } = this.ctx;
    const {
      rows: [row],
    } = await database.pool.query<AccessRow>({
      name: 'find-simplefin-access',
      text: loadSql('find-simplefin-access'),
      values: [sha256(credential)],
    });
    if (row === undefined) return null;
    const now = clock();
    const status = statusOf(timesOf(row), now);
    if (status !== 'active' && status !== 'claimed') return null;
    const minute = new Date(Math.floor(now.getTime() / 60_000) * 60_000);
    if (row.last_used_at === null || row.last_used_at < minute) {
      // A claim may be voided, and a token revoked, at the same time.
      const { count } = await database.prisma.simplefinToken.updateMany({
        where: { tokenId: row.token_id, voidedAt: null },
        data: { lastUsedAt: minute },
      });
      if (count === 0) return null;
    }
    const { token_id: tokenId, user_id: userId, app_id: appId, environment } = row;
    return { tokenId, userId, appId, environment };
  }
}

/** True while the key pair is enabled, which it stays until the transaction ends. */
async function holdEnabled(tx: Tx, clientId: string): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM api_clients WHERE client_id = ${clientId} AND disabled_at IS NULL FOR SHARE`;
  return rows.length > 0;
}

function chosenBy({
  appId,
  environment,
  userId,
  clientId,
  after,
  before,
}: TokenFilter): Prisma.SimplefinTokenWhereInput {
  return {
    customerUser: { appId, environment, ...(userId === undefined ? {} : { userId }) },
    ...(clientId === undefined ? {} : { clientId }),
    createdAt: {
      ...(after === undefined ? {} : { gte: after }),
      ...(before === undefined ? {} : { lt: before }),
    },
  };
}

function toRecord({
  client,
  ...row
}: Omit<SimplefinTokenRecord, 'makerEndsAt'> & {
  client: { endsAt: Date | null } | null;
}): SimplefinTokenRecord {
  return { ...row, makerEndsAt: client?.endsAt ?? null };
}

const timesOf = (row: AccessRow): TokenTimes => ({
  makerEndsAt: row.maker_ends_at,
  createdAt: row.created_at,
  claimedAt: row.claimed_at,
  lastUsedAt: row.last_used_at,
  voidedAt: row.voided_at,
});
