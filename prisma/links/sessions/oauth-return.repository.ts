import { TOKEN_RANDOM_BYTES } from '../../../domain/api/token-format.js';
import type { Context } from '../../base/context.js';
import { bytesColumn, sha256 } from '../../base/database/bytes.js';
import type { Tx } from '../../base/database/tx.js';
import { judgeResumption, type Resumption } from '../../../domain/session/judge-resumption.js';
import { formatOf } from '../../announcements/events/formats.js';
import type { LinkSession } from '../../generated/client.js';
import { isHosted } from '../../../domain/session/session-options.js';
import { lockSession } from './lock-session.js';
import { openSecret, putSecret } from '../../base/sealing/session-secret.js';

/**
 * The result of presenting a return address. `redeem`: the first use by this window, or its work
 * never started; `repeat`: this window presented it before; `refused`: the address is unknown, old
 * or used by another window; `moved`: a newer window holds the session.
 */
export type HandOver =
  | { kind: 'redeem'; sessionId: string; redirectId: string; seq: number }
  | { kind: 'repeat' }
  | { kind: 'refused' }
  | { kind: 'moved' };

export type Resumed =
  | {
      kind: 'resumed';
      connectToken: string;
      next: Extract<HandOver, { kind: 'redeem' | 'repeat' }>;
    }
  | { kind: 'refused' };

/** The proof that a resuming window presents besides the address. */
export interface ResumptionProof {
  linkSessionToken: string | null;
  /** The cookie of its browser; null = it sent none. */
  browser: string | null;
}

/** Return addresses of OAuth redirects. The window that presents one may complete the redirect. Source: connect 7. */
export class OAuthReturnRepository {
  constructor(private readonly ctx: Context) {}

  /** The session of a return address, even if it has ended; null = the address is unknown. */
  async sessionOf(returnId: string): Promise<string | null> {
    const row = await this.ctx.database.prisma.oAuthState.findUnique({
      where: { returnHash: returnHashOf(returnId) },
      select: { sessionId: true },
    });
    return row?.sessionId ?? null;
  }

  /** A window of the session presents the address. */
  async handOver(sessionId: string, returnId: string, connectToken: string): Promise<HandOver> {
    return this.ctx.database.transaction(async (tx) => {
      const session = await lockSession(tx, sessionId);
      const holder = bytesColumn(sha256(connectToken));
      if (session === null || !same(session.connectTokenHash, holder)) return { kind: 'moved' };
      const row = await tx.oAuthState.findUnique({ where: { returnHash: returnHashOf(returnId) } });
      if (row === null || row.sessionId !== sessionId) return { kind: 'refused' };
      const redeem = {
        kind: 'redeem',
        sessionId,
        redirectId: row.redirectId,
        seq: session.seq,
      } as const;
      if (row.returnedAt !== null) {
        if (!same(row.holder, holder)) return { kind: 'refused' };
        return row.redeemedAt === null ? redeem : { kind: 'repeat' };
      }
      if (!this.isFresh(row)) return { kind: 'refused' };
      await this.take(tx, row, holder);
      return redeem;
    });
  }

  /**
   * Resumes the session in a window that did not start at the bank. If there is no proof that the
   * window belongs to the session (`judgeResumption`), the link_session_token is voided and the
   * result has to be confirmed, so that an attacker who sent another person to the bank receives
   * nothing. Repeating the request returns the same connect_token.
   */
  async resume(returnId: string, requestId: string, proof: ResumptionProof): Promise<Resumed> {
    const { ctx } = this;
    const sessionId = await this.sessionOf(returnId);
    if (sessionId === null) return { kind: 'refused' };
    return ctx.database.transaction(async (tx): Promise<Resumed> => {
      const session = await lockSession(tx, sessionId);
      const row = await tx.oAuthState.findUnique({ where: { returnHash: returnHashOf(returnId) } });
      if (session === null || session.state === 'ended' || row === null) return { kind: 'refused' };
      const judged = judge(session, proof);
      if (judged === 'refused') return { kind: 'refused' };
      const redeem = {
        kind: 'redeem',
        sessionId,
        redirectId: row.redirectId,
        seq: session.seq,
      } as const;
      if (row.returnedAt !== null) {
        const kept = await openSecret(ctx, tx, sessionId, 'resume', requestId);
        if (kept === null) return { kind: 'refused' };
        return {
          kind: 'resumed',
          connectToken: kept.toString('utf8'),
          next: row.redeemedAt === null ? redeem : { kind: 'repeat' },
        };
      }
      if (!this.isFresh(row) || session.state === 'succeeded') return { kind: 'refused' };

      const connectToken = Buffer.from(ctx.random(TOKEN_RANDOM_BYTES)).toString('base64url');
      const holder = bytesColumn(sha256(connectToken));
      await tx.connectToken.create({
        data: { tokenHash: holder, sessionId, createdAt: ctx.clock() },
      });
      await tx.linkSession.update({
        where: { sessionId },
        data: {
          connectTokenHash: holder,
          ...(judged === 'holder'
            ? {}
            : {
                tokenHash: bytesColumn(ctx.random(TOKEN_RANDOM_BYTES)),
                resumedWithoutToken: true,
              }),
        },
      });
      await putSecret(ctx, tx, sessionId, 'resume', requestId, Buffer.from(connectToken, 'utf8'));
      await this.take(tx, row, holder);
      return { kind: 'resumed', connectToken, next: redeem };
    });
  }

  /** Returns whether a window that has not presented the address yet could `resume` with this proof. It changes nothing. */
  async isResumable(returnId: string, proof: ResumptionProof): Promise<boolean> {
    const { prisma } = this.ctx.database;
    const row = await prisma.oAuthState.findUnique({
      where: { returnHash: returnHashOf(returnId) },
    });
    if (row === null || row.returnedAt !== null || !this.isFresh(row)) return false;
    const session = await prisma.linkSession.findUnique({ where: { sessionId: row.sessionId } });
    return session !== null && session.state !== 'succeeded' && judge(session, proof) !== 'refused';
  }

  /** The session was busy: the address may be presented again. */
  async release(sessionId: string, redirectId: string): Promise<void> {
    await this.ctx.database.prisma.oAuthState.updateMany({
      where: { sessionId, redirectId, redeemedAt: null },
      data: { returnedAt: null, holder: null },
    });
  }

  private isFresh({ usedAt, expiresAt }: { usedAt: Date | null; expiresAt: Date }): boolean {
    return usedAt !== null && expiresAt > this.ctx.clock();
  }

  /** The first return cancels every other redirect attempt of the session. */
  private async take(
    tx: Tx,
    { sessionId, redirectId }: { sessionId: string; redirectId: string },
    holder: Uint8Array<ArrayBuffer>,
  ): Promise<void> {
    await tx.oAuthState.update({
      where: { sessionId_redirectId: { sessionId, redirectId } },
      data: { returnedAt: this.ctx.clock(), holder },
    });
    await tx.oAuthState.deleteMany({ where: { sessionId, returnedAt: null } });
  }
}

function returnHashOf(returnId: string): Uint8Array<ArrayBuffer> {
  return bytesColumn(sha256(returnId));
}

function same(stored: Uint8Array | null, given: Uint8Array): boolean {
  return stored !== null && Buffer.from(stored).equals(given);
}

/** A voided token is not a proof either: a repeated call without a token is still `unproven`. */
function judge(session: LinkSession, { linkSessionToken, browser }: ResumptionProof): Resumption {
  return judgeResumption(
    {
      isHosted: isHosted(session),
      canNameUser: formatOf(session).sessionTokens.nameTheUser,
    },
    {
      hasToken:
        linkSessionToken === null ? undefined : same(session.tokenHash, sha256(linkSessionToken)),
      isSameBrowser: browser !== null && same(session.browserHash, sha256(browser)),
    },
  );
}
