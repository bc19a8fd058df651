import type { Step } from '../../../domain/session/connect-step.js';
import type { Tenant } from '../../../domain/api/environment.js';
import type { Product } from '../../../domain/link/products.js';
import {
  deadlinesAtOpening,
  idleDeadline,
  type SessionLifetimes,
} from '../../../domain/session/session-deadline.js';
import type { SessionExit } from '../../../domain/session/session-exit.js';
import { TOKEN_RANDOM_BYTES } from '../../../domain/api/token-format.js';
import type { Context } from '../../base/context.js';
import { bytesColumn, sha256 } from '../../base/database/bytes.js';
import { Prisma } from '../../generated/client.js';
import { noAfterEffect, type AfterEffect } from '../../base/database/after-effect.js';
import { createSession, type CreatedSession, type NewSession } from './create-session.js';
import { lockSession } from './lock-session.js';
import { SESSION, toSession, type FoundSession, type SessionRecord } from './session-record.js';
import { END_USER, openSecret, putSecret } from '../../base/sealing/session-secret.js';
import type { EndUser } from '../../../domain/session/end-user.js';
import { showStep } from './show-step.js';
import { asJson } from '../../base/database/json-column.js';
import { announceSessionEnd } from '../../announcements/events/announce-session-end.js';

/** The browser of a call for the hosted page: the secret of its cookie, and the id of the call. */
export interface Opener {
  secret: string;
  requestId: string;
}

/** The session of a connect_token. `current`: no newer window took the session over. */
export type ConnectTokenHolder = { session: SessionRecord; current: boolean };

/** Link sessions: their tokens, their time limits, and the current step. */
export class LinkSessionRepository {
  constructor(
    private readonly ctx: Context,
    private readonly lifetimes: SessionLifetimes,
  ) {}

  /** Creates a session and returns its link_session_token (create-session.ts). */
  create(
    tenant: Tenant,
    session: NewSession,
    andThen: AfterEffect<CreatedSession> = noAfterEffect,
  ): Promise<CreatedSession> {
    return createSession(this.ctx, { lifetimes: this.lifetimes, tenant, session, andThen });
  }

  /**
   * The time at which the next unopened session of an app expires, if the app has at least `limit`
   * of them; null = it has fewer. Reads at most `limit` entries of an index.
   */
  async unopenedBeyond({ appId, environment }: Tenant, limit: number): Promise<Date | null> {
    const {
      rows: [row],
    } = await this.ctx.database.pool.query<{ unopened: number; next_end: Date | null }>({
      name: 'unopened-sessions',
      text: `SELECT count(*)::int AS unopened, min(expires_at) AS next_end
               FROM (SELECT expires_at FROM link_sessions
                      WHERE app_id = $1::text AND environment = $2::text AND state = 'created' AND expires_at > $3::timestamptz
                      ORDER BY expires_at LIMIT $4::int) AS first`,
      values: [appId, environment, this.ctx.clock(), limit],
    });
    return row !== undefined && row.unopened >= limit ? row.next_end : null;
  }

  async findByToken(token: string): Promise<SessionRecord | null> {
    return this.findWhere({ tokenHash: bytesColumn(sha256(token)) });
  }

  async findByConnectToken(token: string): Promise<ConnectTokenHolder | null> {
    const hash = sha256(token);
    const found = await this.ctx.database.prisma.connectToken.findUnique({
      where: { tokenHash: bytesColumn(hash) },
      include: { session: { include: SESSION } },
    });
    if (found === null) return null;
    const current =
      found.session.connectTokenHash !== null &&
      Buffer.from(found.session.connectTokenHash).equals(hash);
    return { session: await this.withApp(found.session), current };
  }

  async get(sessionId: string): Promise<SessionRecord | null> {
    return this.findWhere({ sessionId });
  }

  /**
   * Keeps the facts about the user in front of Connect that a bank may require, sealed, for the
   * lifetime of the session.
   */
  async noteEndUser(sessionId: string, endUser: EndUser): Promise<void> {
    await this.ctx.database.transaction(async (tx) => {
      const row = await lockSession(tx, sessionId);
      if (row === null || row.state === 'ended') return;
      await putSecret(this.ctx, tx, sessionId, END_USER, '', Buffer.from(JSON.stringify(endUser)));
    });
  }

  /**
   * Issues a connect_token to the newest opener, which supersedes the previous one. The first
   * opening starts the idle and total time limits, and binds a session of the hosted page to the
   * `browser` that made the request, with the secret of its cookie. Null when the session has
   * ended, expired, returned its result to a window or belongs to another browser. Source: connect
   * 4, link-lifecycle 3.
   */
  async open(
    sessionId: string,
    browser: Opener | null = null,
  ): Promise<{ connectToken: string; session: SessionRecord } | null> {
    const { ctx } = this;
    const connectToken = Buffer.from(ctx.random(TOKEN_RANDOM_BYTES)).toString('base64url');
    const hash = bytesColumn(sha256(connectToken));
    const opened = await ctx.database.transaction(async (tx) => {
      const row = await lockSession(tx, sessionId);
      const now = ctx.clock();
      if (row === null || row.state === 'ended' || row.expiresAt <= now) return false;
      if (row.finishedAt !== null || !isOpenTo(row, browser)) return false;
      await tx.connectToken.create({ data: { tokenHash: hash, sessionId, createdAt: now } });
      const first = row.openedAt === null;
      await tx.linkSession.update({
        where: { sessionId },
        data: {
          connectTokenHash: hash,
          exit: Prisma.DbNull,
          ...(browser === null
            ? {}
            : {
                browserHash: bytesColumn(sha256(browser.secret)),
                browserRequestId: browser.requestId,
              }),
          ...(first
            ? {
                openedAt: now,
                ...deadlinesAtOpening(now, this.lifetimes),
                state: row.state === 'created' ? 'open' : row.state,
              }
            : {}),
        },
      });
      return true;
    });
    if (!opened) return null;
    const session = await this.get(sessionId);
    return session === null ? null : { connectToken, session };
  }

  /** The number of times windows have taken the session over. */
  async openings(sessionId: string): Promise<number> {
    return this.ctx.database.prisma.connectToken.count({ where: { sessionId } });
  }

  /**
   * Shows a step, unless a newer one is shown. An accepted user step extends the idle time; the
   * products it granted are stored until the end of linking. Returns the current deadline.
   */
  async projectStep(
    sessionId: string,
    shown: { seq: number; step: Step; accepted: boolean; granted?: readonly Product[] | undefined },
  ): Promise<{ expiresAt: Date }> {
    return this.ctx.database.transaction(async (tx) => {
      const row = await lockSession(tx, sessionId);
      if (row === null) throw new Error(`unknown session ${sessionId}`);
      const expiresAt = shown.accepted ? this.extended(row) : row.expiresAt;
      await showStep(
        tx,
        row,
        { seq: shown.seq, step: shown.step },
        {
          expiresAt,
          stepsTaken: row.stepsTaken + (shown.accepted ? 1 : 0),
          ...(shown.granted === undefined ? {} : { grantedProducts: [...shown.granted] }),
        },
      );
      return { expiresAt };
    });
  }

  /** The user answered a step: extends the idle time and counts toward the limit of steps. */
  async acceptAnswer(sessionId: string): Promise<{ expiresAt: Date; stepsTaken: number }> {
    return this.ctx.database.transaction(async (tx) => {
      const row = await lockSession(tx, sessionId);
      if (row === null) throw new Error(`unknown session ${sessionId}`);
      const data = { expiresAt: this.extended(row), stepsTaken: row.stepsTaken + 1 };
      await tx.linkSession.update({ where: { sessionId }, data });
      return data;
    });
  }

  /**
   * The user requested more time: restarts the idle time, as an answer does, but not the total. No
   * effect on a session that has ended.
   */
  async extend(sessionId: string): Promise<void> {
    await this.ctx.database.transaction(async (tx) => {
      const row = await lockSession(tx, sessionId);
      if (row === null || row.state !== 'open' || row.expiresAt <= this.ctx.clock()) return;
      await tx.linkSession.update({
        where: { sessionId },
        data: { expiresAt: this.extended(row) },
      });
    });
  }

  /** The user left the session, which stays open. */
  async noteExit(sessionId: string, exit: SessionExit): Promise<void> {
    await noteExit(this.ctx, sessionId, exit);
  }

  /** Seals an answer of the user, such as a form or a code; the workflow refers to it by name. */
  async sealAnswer(sessionId: string, name: string, plain: Uint8Array): Promise<void> {
    await this.ctx.database.transaction((tx) =>
      putSecret(this.ctx, tx, sessionId, 'answer', name, plain),
    );
  }

  async openAnswer(sessionId: string, name: string): Promise<Buffer | null> {
    return openSecret(this.ctx, this.ctx.database.prisma, sessionId, 'answer', name);
  }

  private extended(row: { expiresAt: Date; totalExpiresAt: Date | null }): Date {
    return row.totalExpiresAt === null
      ? row.expiresAt
      : idleDeadline(this.ctx.clock(), row.totalExpiresAt, this.lifetimes);
  }

  private async findWhere(
    where: Prisma.LinkSessionWhereUniqueInput,
  ): Promise<SessionRecord | null> {
    const row = await this.ctx.database.prisma.linkSession.findUnique({ where, include: SESSION });
    return row === null ? null : this.withApp(row);
  }

  private async withApp(row: FoundSession): Promise<SessionRecord> {
    const app = await this.ctx.database.prisma.application.findUniqueOrThrow({
      where: { appId: row.appId },
    });
    return {
      ...toSession(row),
      app: { name: app.name, logoUrl: app.logoUrl, pageOrigins: app.pageOrigins },
    };
  }
}

/**
 * connect 2: the hosted page's address opens in one browser. The call that bound it may be repeated
 * without the cookie, if its response was lost.
 */
export function isOpenTo(
  session: Pick<SessionRecord, 'browserHash' | 'browserRequestId'>,
  browser: Opener | null,
): boolean {
  if (session.browserHash === null) return true;
  return (
    browser !== null &&
    (browser.requestId === session.browserRequestId || isBoundTo(session, browser.secret))
  );
}

/** True for the browser, known by its cookie, that opened the session. */
export function isBoundTo(
  { browserHash }: Pick<SessionRecord, 'browserHash'>,
  secret: string,
): boolean {
  return browserHash !== null && Buffer.from(browserHash).equals(sha256(secret));
}

/**
 * Stores the step at which the user left a session, which stays open, and announces it. Only the
 * first exit since its last opening counts.
 */
async function noteExit(ctx: Context, sessionId: string, exit: SessionExit): Promise<void> {
  await ctx.database.transaction(async (tx) => {
    const noted = await tx.linkSession.updateMany({
      where: { sessionId, exit: { equals: Prisma.DbNull } },
      data: { exit: asJson(exit) },
    });
    if (noted.count === 0) return;
    const session = await tx.linkSession.findUniqueOrThrow({ where: { sessionId } });
    await announceSessionEnd(ctx, tx, session, { outcome: 'exited' });
  });
}
