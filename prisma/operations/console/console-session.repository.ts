import { timingSafeEqual } from 'node:crypto';
import { bytesColumn, sha256 } from '../../base/database/bytes.js';
import { asJson } from '../../base/database/json-column.js';
import type { Context } from '../../base/context.js';
import type { ConsoleGrant } from './console-grant.js';

const HALF_BYTES = 32;
/** Counted from the sign-in; use does not extend it. */
export const SESSION_TTL_MS = 12 * 3_600_000;
/** Sessions that are over are removed at a sign-in. */
const REMOVED_AT_ONCE = 100;
const MAX_LISTED = 1_000;

export interface ConsoleSessionRecord {
  sessionId: string;
  actor: string;
  grants: readonly ConsoleGrant[];
  signedInAt: Date;
  endsAt: Date;
}

/**
 * The two halves of a session's secret. Every port of a host receives its cookies, so the page sends the other
 * half as a header.
 */
export interface SessionHalves {
  cookie: string;
  header: string;
}

/** Sign-ins to the console. Both halves are stored as SHA-256 only. */
export class ConsoleSessionRepository {
  constructor(private readonly ctx: Context) {}

  async create(
    actor: string,
    grants: readonly ConsoleGrant[],
  ): Promise<SessionHalves & { session: ConsoleSessionRecord }> {
    const cookie = this.half();
    const header = this.half();
    const signedInAt = this.ctx.clock();
    const session = {
      sessionId: this.ctx.uuid(),
      actor,
      grants,
      signedInAt,
      endsAt: new Date(signedInAt.getTime() + SESSION_TTL_MS),
    };
    const { prisma, pool } = this.ctx.database;
    await pool.query(
      `DELETE FROM console_sessions WHERE session_id IN (
         SELECT session_id FROM console_sessions WHERE ends_at < $1 ORDER BY ends_at LIMIT $2 FOR UPDATE SKIP LOCKED)`,
      [signedInAt, REMOVED_AT_ONCE],
    );
    await prisma.consoleSession.create({
      data: {
        ...session,
        grants: asJson(grants),
        cookieHash: bytesColumn(sha256(cookie)),
        headerHash: bytesColumn(sha256(header)),
      },
    });
    return { cookie, header, session };
  }

  /** Null = unknown, over, or one half is wrong. */
  async find({ cookie, header }: SessionHalves): Promise<ConsoleSessionRecord | null> {
    const row = await this.ctx.database.prisma.consoleSession.findUnique({
      where: { cookieHash: bytesColumn(sha256(cookie)) },
    });
    if (row === null || row.endsAt <= this.ctx.clock()) return null;
    if (!timingSafeEqual(row.headerHash, sha256(header))) return null;
    return toRecord(row);
  }

  /** The newest first. */
  async list(): Promise<ConsoleSessionRecord[]> {
    const rows = await this.ctx.database.prisma.consoleSession.findMany({
      where: { endsAt: { gt: this.ctx.clock() } },
      orderBy: { endsAt: 'desc' },
      take: MAX_LISTED,
    });
    return rows.map(toRecord);
  }

  /** @returns the number of sessions that ended */
  async end(which: { sessionId: string } | { actor: string }): Promise<number> {
    const { count } = await this.ctx.database.prisma.consoleSession.deleteMany({ where: which });
    return count;
  }

  private half(): string {
    return Buffer.from(this.ctx.random(HALF_BYTES)).toString('base64url');
  }
}

function toRecord(row: {
  sessionId: string;
  actor: string;
  grants: unknown;
  signedInAt: Date;
  endsAt: Date;
}): ConsoleSessionRecord {
  const { sessionId, actor, signedInAt, endsAt } = row;
  // Only `create` writes this column.
  return { sessionId, actor, grants: row.grants as ConsoleGrant[], signedInAt, endsAt };
}
