import type { Tenant } from '../../../domain/api/environment.js';
import { isHosted } from '../../../domain/session/session-options.js';
import type { Context } from '../../base/context.js';
import { noAfterEffect, type AfterEffect } from '../../base/database/after-effect.js';
import type { Tx } from '../../base/database/tx.js';
import { formatOf } from '../../announcements/events/formats.js';
import type { LinkRow } from '../../announcements/events/record-webhook-event.js';
import type { LinkSession } from '../../generated/client.js';
import { findLinkView } from '../../links/link/find-link-view.js';
import { lockLink } from '../../links/link/link-transition.js';
import type { LinkView } from '../../links/link/link-view.js';
import { openSecret, putSecret } from '../../base/sealing/session-secret.js';
import { openSessionToken } from '../../base/sealing/session-tokens.js';
import { lockSession } from '../../links/sessions/lock-session.js';
import { awaitsConfirmation } from './confirmation.js';
import { issueToken } from './issue-token.js';
import { confirmResult, connectLink, isExchangeable, lockUsableToken } from './exchange-token.js';

export interface SessionResult {
  linkPk: bigint;
  institutionId: string;
  /** False = it takes effect when the token is exchanged for the user of the session. */
  isConfirmed: boolean;
  /** Null for a relink of the native API that took effect (connect 4). */
  token: SessionToken | null;
}

export interface SessionToken {
  /** `confirmation`: the existing link changes only when this token is exchanged. */
  purpose: 'exchange' | 'confirmation';
  exchangeableToken: string;
  expiresInSeconds: number;
}

export interface Exchanged {
  link: LinkView;
  customerUserId: string;
}

export type ExchangeOutcome =
  | { kind: 'exchanged'; exchanged: Exchanged }
  | { kind: 'unusable' }
  | { kind: 'other_user' }
  | { kind: 'user_required' };

export interface ExchangeOptions {
  /** native-api 3.3, `expected_customer_user_id`. */
  expectedUserId?: string | undefined;
  /** The last statement of the transaction. */
  andThen?: AfterEffect<Exchanged>;
}

/**
 * Issues the token that Connect passes to the front end, and exchanges it for a link. Works without
 * Temporal.
 */
export class ExchangeRepository {
  constructor(
    private readonly ctx: Context,
    private readonly windows: { exchangeWindowMs: number },
  ) {}

  /**
   * The result of a session in its success step. The same request id repeats the same token; a new
   * one creates a new token and voids the earlier one. Null when the session is not in its success
   * step. Source: connect 4 and 5, rule 12.
   */
  async finish(sessionId: string, requestId: string): Promise<SessionResult | null> {
    const { ctx } = this;
    return ctx.database.transaction(async (tx) => {
      const session = await lockSession(tx, sessionId);
      if (!hasResult(session)) return null;
      const link = await lockLink(tx, session.linkPk);
      const isNew = session.mode !== 'relink';
      const mustBeConfirmed = awaitsConfirmation(session);
      const isOut = isNew && !mustBeConfirmed && link.state !== 'awaiting_token_exchange';
      if (link.state === 'deleted' || (isOut && !isHosted(session))) return null;
      const now = ctx.clock();
      if (session.finishedAt === null)
        await tx.linkSession.update({ where: { sessionId }, data: { finishedAt: now } });
      const { endRelinks } = formatOf(session).sessionTokens;
      const result = {
        linkPk: link.pk,
        institutionId: link.institutionId,
        isConfirmed: !mustBeConfirmed,
      };
      if (isHosted(session)) return { ...result, token: await this.delivered(tx, session) };
      if (!isNew && !mustBeConfirmed && !endRelinks) return { ...result, token: null };
      // A result that has to be confirmed expires with its session, in which the login is kept.
      const expiresAt = mustBeConfirmed
        ? session.expiresAt
        : new Date(now.getTime() + this.windows.exchangeWindowMs);
      return {
        ...result,
        token: {
          purpose: mustBeConfirmed && !isNew ? 'confirmation' : 'exchange',
          exchangeableToken: await this.issued(tx, session, link, { requestId, expiresAt }),
          expiresInSeconds: secondsUntil(expiresAt, now),
        },
      };
    });
  }

  /**
   * Exchanges the token for a connected link, or for the change of an existing one, in one
   * transaction that `andThen` ends. `unusable`: the token or its link cannot be exchanged;
   * `other_user`: the link does not belong to the expected customer user; `user_required`: the
   * session was resumed without its token, so the caller has to name the user. In these cases
   * nothing changes, and the token stays usable.
   * @throws TrialLimitReached, DuplicateInstitution
   */
  async exchange(
    tenant: Tenant,
    token: string,
    { expectedUserId, andThen = noAfterEffect }: ExchangeOptions = {},
  ): Promise<ExchangeOutcome> {
    const { ctx } = this;
    return ctx.database.transaction(async (tx) => {
      const found = await lockUsableToken(ctx, tx, tenant, token);
      if (found === null || !isExchangeable(found)) return { kind: 'unusable' };
      const { customerUserPk: pk } = found.link;
      const { userId } = await tx.customerUser.findUniqueOrThrow({ where: { pk } });
      if (expectedUserId === undefined && found.session.resumedWithoutToken)
        return { kind: 'user_required' };
      if (expectedUserId !== undefined && expectedUserId !== userId) return { kind: 'other_user' };
      if (awaitsConfirmation(found.session)) await confirmResult(ctx, tx, found, this.windows);
      else await connectLink(ctx, tx, found);
      const link = await findLinkView(ctx, tx, tenant, found.link.linkId);
      const exchanged = { link, customerUserId: userId };
      await andThen(tx, exchanged);
      return { kind: 'exchanged', exchanged };
    });
  }

  /**
   * The token of a hosted session, which was issued at success for the back end; null for APIs
   * whose page gets none.
   */
  private async delivered(tx: Tx, session: LinkSession): Promise<SessionToken | null> {
    const { ctx } = this;
    const { sessionId, sealedPublicToken } = session;
    if (!formatOf(session).sessionTokens.areReadable || sealedPublicToken === null) return null;
    const issued = await tx.exchangeableToken.findFirstOrThrow({
      where: { sessionId, voidedAt: null },
      select: { expiresAt: true },
    });
    return {
      purpose: 'exchange',
      exchangeableToken: await openSessionToken(
        ctx,
        sessionId,
        'sealed_public_token',
        sealedPublicToken,
        tx,
      ),
      expiresInSeconds: secondsUntil(issued.expiresAt, ctx.clock()),
    };
  }

  /** The token of this request: the same request repeats it, another one voids it. */
  private async issued(
    tx: Tx,
    session: LinkSession,
    link: LinkRow,
    { requestId, expiresAt }: { requestId: string; expiresAt: Date },
  ): Promise<string> {
    const { ctx } = this;
    const { sessionId } = session;
    const kept = await openSecret(ctx, tx, sessionId, 'finish', requestId);
    if (kept !== null) return kept.toString('utf8');
    const token = await issueToken(ctx, tx, session, link, expiresAt);
    await putSecret(ctx, tx, sessionId, 'finish', requestId, Buffer.from(token, 'utf8'));
    return token;
  }
}

/**
 * A hosted session shows its result after the exchange, too: the back end does not wait for the
 * page.
 */
function hasResult(session: LinkSession | null): session is LinkSession & { linkPk: bigint } {
  if (session === null || session.linkPk === null) return false;
  return session.state === 'succeeded' || (isHosted(session) && session.endReason === 'exchanged');
}

function secondsUntil(end: Date, now: Date): number {
  return Math.max(0, Math.floor((end.getTime() - now.getTime()) / 1_000));
}
