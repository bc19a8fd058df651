import type { Tenant, Environment } from '../../domain/api/environment.js';
import type { Context } from '../context.js';
import { noAfterEffect, type AfterEffect } from '../database/after-effect.js';
import { bytesColumn, sha256 } from '../database/bytes.js';
import type { Tx } from '../database/tx.js';
import { announceSessionEnd } from '../events/announce-session-end.js';
import { formatOf } from '../events/formats.js';
import type { LinkRow } from '../events/record-webhook-event.js';
import type { LinkSession } from '../generated/client.js';
import { findLinkView } from '../links/find-link-view.js';
import { lockLink } from '../links/link-transition.js';
import type { LinkView } from '../links/link-view.js';
import { openSecret, putSecret } from '../sealing/session-secret.js';
import { sealSessionToken } from '../sealing/session-tokens.js';
import { lockSession } from '../sessions/lock-session.js';
import { makeSessionToken } from '../sessions/make-session-token.js';
import { awaitsConfirmation } from './confirmation.js';
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
      if (session === null || session.state !== 'succeeded' || session.linkPk === null) return null;
      const link = await lockLink(tx, session.linkPk);
      const isNew = session.mode !== 'relink';
      const mustBeConfirmed = awaitsConfirmation(session);
      if (isNew && !mustBeConfirmed && link.state !== 'awaiting_token_exchange') return null;
      if (link.state === 'deleted') return null;
      const now = ctx.clock();
      if (session.finishedAt === null)
        await tx.linkSession.update({ where: { sessionId }, data: { finishedAt: now } });
      const { endRelinks } = formatOf(session).sessionTokens;
      const result = {
        linkPk: link.pk,
        institutionId: link.institutionId,
        isConfirmed: !mustBeConfirmed,
      };
      if (!isNew && !mustBeConfirmed && !endRelinks) return { ...result, token: null };
      const kept = await openSecret(ctx, tx, sessionId, 'finish', requestId);
      // A result that has to be confirmed expires with its session, in which the login is kept.
      const expiresAt = mustBeConfirmed
        ? session.expiresAt
        : new Date(now.getTime() + this.windows.exchangeWindowMs);
      const exchangeableToken =
        kept?.toString('utf8') ??
        (await this.issueToken(tx, session, link, { requestId, expiresAt }));
      return {
        ...result,
        token: {
          purpose: mustBeConfirmed && !isNew ? 'confirmation' : 'exchange',
          exchangeableToken,
          expiresInSeconds: Math.floor((expiresAt.getTime() - now.getTime()) / 1000),
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

  /** Creates the token of a locked session for this request, voiding every earlier one, and announces the end of the session. */
  private async issueToken(
    tx: Tx,
    session: LinkSession,
    link: LinkRow,
    { requestId, expiresAt }: { requestId: string; expiresAt: Date },
  ): Promise<string> {
    const { ctx } = this;
    const { sessionId } = session;
    const now = ctx.clock();
    const environment = session.environment as Environment;
    const token = makeSessionToken(ctx, 'exchangeable', {
      webhookFormat: session.webhookFormat,
      environment,
    });
    await tx.exchangeableToken.updateMany({
      where: { sessionId, usedAt: null, voidedAt: null },
      data: { voidedAt: now },
    });
    await tx.exchangeableToken.create({
      data: {
        tokenHash: bytesColumn(sha256(token)),
        sessionId,
        linkPk: link.pk,
        expiresAt,
        createdAt: now,
      },
    });
    if (link.state === 'awaiting_token_exchange')
      await tx.link.update({ where: { pk: link.pk }, data: { exchangeExpiresAt: expiresAt } });
    if (formatOf(session).sessionTokens.areReadable)
      await tx.linkSession.update({
        where: { sessionId },
        data: {
          sealedPublicToken: await sealSessionToken(
            ctx,
            tx,
            sessionId,
            'sealed_public_token',
            token,
          ),
        },
      });
    await putSecret(ctx, tx, sessionId, 'finish', requestId, Buffer.from(token, 'utf8'));
    await announceSessionEnd(ctx, tx, session, token);
    return token;
  }
}
