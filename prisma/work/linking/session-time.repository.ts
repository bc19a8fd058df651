import type { LinkError, LinkState } from '../../../domain/link/link-state.js';
import type { Context } from '../../base/context.js';
import type { Tx } from '../../base/database/tx.js';
import type { LinkSession } from '../../generated/client.js';
import { endSession } from '../../links/sessions/end-session.js';
import { abandonLogin } from './abandon-login.js';
import { awaitsConfirmation } from './confirmation.js';
import { lockLink, transitionLink } from '../../links/link/link-transition.js';
import { lockSession } from '../../links/sessions/lock-session.js';
import { announceSessionEnd } from '../../announcements/events/announce-session-end.js';

/** A session after every due deadline has been applied. */
export interface SessionDeadline {
  state: string;
  nextDeadline: Date | null;
  /** The link of the current attempt; null = none. */
  link: { state: LinkState; error: LinkError | null } | null;
}

/** The time limits of sessions, and of the exchange of their results. */
export class SessionTimeRepository {
  constructor(private readonly ctx: Context) {}

  /**
   * Applies every time limit of the session and its link that has passed, and returns the time of
   * the next check; null = never, because nothing else can become due. The columns decide,
   * regardless of the caller.
   */
  async expireIfDue(sessionId: string): Promise<SessionDeadline> {
    const { ctx } = this;
    return ctx.database.transaction(async (tx) => {
      const session = await lockSession(tx, sessionId);
      if (session === null) return { state: 'ended', nextDeadline: null, link: null };
      const now = ctx.clock();
      const link = session.linkPk === null ? null : await lockLink(tx, session.linkPk);
      let state = session.state;
      if (state !== 'ended' && session.expiresAt <= now) {
        if (state !== 'succeeded' || awaitsConfirmation(session))
          await abandonLogin(this.ctx, tx, session);
        // A user who left before was announced then.
        if (state !== 'succeeded' && session.exit === null)
          await announceSessionEnd(ctx, tx, session, { outcome: 'expired' });
        await endSession(ctx, tx, sessionId, 'expired');
        state = 'ended';
      } else if (state === 'ended' && link?.state === 'connecting') {
        await abandonLogin(this.ctx, tx, session);
      }
      const awaiting = link?.state === 'awaiting_token_exchange' ? link : null;
      if (
        awaiting !== null &&
        awaiting.exchangeExpiresAt !== null &&
        awaiting.exchangeExpiresAt <= now
      ) {
        await transitionLink(
          ctx,
          tx,
          awaiting.pk,
          { type: 'exchange_window_over' },
          {
            errorMessage: 'The result of linking was never exchanged.',
            errorCause: 'exchange_window_over',
          },
        );
        await endSession(ctx, tx, sessionId, 'exchange_window_over');
        return { state: 'ended', nextDeadline: null, link: await standingNow(tx, session) };
      }
      const open = [
        state === 'ended' ? null : session.expiresAt,
        awaiting?.exchangeExpiresAt ?? null,
      ].filter((at) => at !== null);
      return {
        state,
        nextDeadline: open.length === 0 ? null : new Date(Math.min(...open.map(Number))),
        link: await standingNow(tx, session),
      };
    });
  }

  /** An operator canceled the workflow: the session ends now. */
  async cancelSession(sessionId: string): Promise<void> {
    await this.ctx.database.transaction(async (tx) => {
      const session = await lockSession(tx, sessionId);
      if (session === null || session.state === 'ended') return;
      if (session.state !== 'succeeded' || awaitsConfirmation(session))
        await abandonLogin(this.ctx, tx, session);
      await endSession(this.ctx, tx, sessionId, 'cancelled');
    });
  }

  /**
   * Applies the time limits of sessions and links overdue since `before`, in case their workflow
   * does not; locked rows are skipped. Returns the number checked.
   */
  async sweepOverdue(before: Date, limit: number): Promise<number> {
    const rows = await this.ctx.database.prisma.$queryRaw<{ session_id: string }[]>`
      SELECT session_id FROM link_sessions WHERE session_id IN (
        (SELECT session_id FROM link_sessions
          WHERE state IN ('created', 'open', 'succeeded') AND expires_at < ${before} ORDER BY expires_at LIMIT ${limit})
        UNION ALL
        (SELECT s.session_id FROM links l JOIN link_sessions s ON s.link_pk = l.pk
          WHERE l.state = 'awaiting_token_exchange' AND l.exchange_expires_at < ${before} LIMIT ${limit})
        UNION ALL
        (SELECT s.session_id FROM links l JOIN link_sessions s ON s.link_pk = l.pk
          WHERE l.state = 'connecting' AND s.state = 'ended' AND s.ended_at < ${before} LIMIT ${limit}))
      FOR UPDATE SKIP LOCKED`;
    for (const { session_id: sessionId } of rows) await this.expireIfDue(sessionId);
    return rows.length;
  }
}

async function standingNow(tx: Tx, { linkPk }: LinkSession): Promise<SessionDeadline['link']> {
  const link =
    linkPk === null
      ? null
      : await tx.link.findUnique({
          where: { pk: linkPk },
          select: { state: true, errorCode: true },
        });
  return link === null
    ? null
    : { state: link.state as LinkState, error: link.errorCode as LinkError | null };
}
