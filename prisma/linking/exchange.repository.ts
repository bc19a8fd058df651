import type { Tenant, Environment } from '../../domain/api/environment.js';
import { itemTokenPrefix } from '../../domain/plaid/item-token-format.js';
import { TOKEN_RANDOM_BYTES, tokenPrefix } from '../../domain/api/token-format.js';
import type { Context } from '../context.js';
import { bytesColumn, sha256 } from '../database/bytes.js';
import type { Tx } from '../database/tx.js';
import type { ExchangeableToken, LinkSession } from '../generated/client.js';
import { nothingElse, type AfterEffect } from '../database/after-effect.js';
import { findLinkView } from '../links/find-link-view.js';
import { addItemToken } from '../plaid/add-item-token.js';
import type { LinkView } from '../links/link-view.js';
import { lockLink, transitionLink } from '../links/link-transition.js';
import { endSession } from '../sessions/end-session.js';
import { lockSession } from '../sessions/lock-session.js';
import { enqueueCommand } from '../outbox/outbox.js';
import { sealPlaidToken } from '../sealing/plaid-session-tokens.js';
import { tellSessionEnd } from '../events/announce-session-end.js';
import { openSecret, putSecret } from '../sealing/session-secret.js';
import { releaseHeldEvents, type LinkRow } from '../events/record-webhook-event.js';

export interface SessionResult {
  linkPk: bigint;
  institutionId: string;
  /** Null for a relink of the native API, which has no token (connect 4). */
  token: { exchangeableToken: string; expiresInSeconds: number } | null;
}

/** What a token was exchanged for. */
export interface Exchanged {
  link: LinkView;
  customerUserId: string;
}

export type ExchangeOutcome =
  { kind: 'exchanged'; exchanged: Exchanged } | { kind: 'unusable' } | { kind: 'other_user' };

export interface ExchangeOptions {
  /** native-api 3.3, `expected_customer_user_id`. */
  expectedUserId?: string | undefined;
  /** Ends the transaction of the exchange. */
  andThen?: AfterEffect<Exchanged>;
}

/** The two ends of the exchange: the token Connect hands to the front end, and the link it becomes. Works without Temporal. */
export class ExchangeRepository {
  constructor(
    private readonly ctx: Context,
    private readonly windows: { exchangeWindowMs: number },
  ) {}

  /**
   * Gives the result of a session in its success step. The same request id repeats the same token, a new one makes a new
   * token and voids the earlier. Null when the session is not in its success step. Source: connect 4 and 5, rule 12.
   */
  async finish(sessionId: string, requestId: string): Promise<SessionResult | null> {
    const { ctx } = this;
    return ctx.database.transaction(async (tx) => {
      const session = await lockSession(tx, sessionId);
      if (session === null || session.state !== 'succeeded' || session.linkPk === null) return null;
      const link = await lockLink(tx, session.linkPk);
      const isPlaid = session.plaid !== null;
      const isNew = session.mode !== 'relink';
      if (!isNew && !isPlaid)
        return { linkPk: link.pk, institutionId: link.institutionId, token: null };
      if (isNew ? link.state !== 'awaiting_token_exchange' : link.state === 'deleted') return null;
      const now = ctx.clock();
      const kept = await openSecret(ctx, tx, sessionId, 'finish', requestId);
      const exchangeableToken =
        kept?.toString('utf8') ?? this.makeToken(session.environment as Environment, isPlaid);
      if (kept === null) {
        const expiresAt = new Date(now.getTime() + this.windows.exchangeWindowMs);
        await tx.exchangeableToken.updateMany({
          where: { sessionId, usedAt: null, voidedAt: null },
          data: { voidedAt: now },
        });
        await tx.exchangeableToken.create({
          data: {
            tokenHash: bytesColumn(sha256(exchangeableToken)),
            sessionId,
            linkPk: link.pk,
            expiresAt,
            createdAt: now,
          },
        });
        if (isNew)
          await tx.link.update({ where: { pk: link.pk }, data: { exchangeExpiresAt: expiresAt } });
        if (isPlaid)
          await tx.linkSession.update({
            where: { sessionId },
            data: {
              sealedPublicToken: await sealPlaidToken(
                ctx,
                tx,
                sessionId,
                'sealed_public_token',
                exchangeableToken,
              ),
            },
          });
        await putSecret(
          ctx,
          tx,
          sessionId,
          'finish',
          requestId,
          Buffer.from(exchangeableToken, 'utf8'),
        );
        if (isPlaid) await tellSessionEnd(ctx, tx, sessionId, exchangeableToken);
      }
      return {
        linkPk: link.pk,
        institutionId: link.institutionId,
        token: {
          exchangeableToken,
          expiresInSeconds: Math.floor(this.windows.exchangeWindowMs / 1000),
        },
      };
    });
  }

  /**
   * Turns the token into a connected link: the state, the data events that waited for it, the end of the session and the
   * word to its workflow are one transaction, which `andThen` ends. `unusable` for an unknown, used, void, expired or
   * foreign token, and when the link cannot be exchanged any more; `other_user`, which changes nothing, when the link
   * belongs to another customer user than the caller expects.
   */
  async exchange(
    tenant: Tenant,
    token: string,
    { expectedUserId, andThen = nothingElse }: ExchangeOptions = {},
  ): Promise<ExchangeOutcome> {
    return this.ctx.database.transaction(async (tx) => {
      const found = await lockToken(tx, tenant, token);
      if (found === null || !this.isUsable(found.row)) return { kind: 'unusable' };
      if (found.link.state !== 'awaiting_token_exchange') return { kind: 'unusable' };
      const { customerUserPk: pk } = found.link;
      const { userId } = await tx.customerUser.findUniqueOrThrow({ where: { pk } });
      if (expectedUserId !== undefined && expectedUserId !== userId) return { kind: 'other_user' };
      await this.connect(tx, found);
      const link = await findLinkView(this.ctx, tx, tenant, found.link.linkId);
      const exchanged = { link, customerUserId: userId };
      await andThen(tx, exchanged);
      return { kind: 'exchanged', exchanged };
    });
  }

  /**
   * The same for a client of the compatibility layer, which gets an access token. The token of a repaired link adds one
   * more and changes nothing else. Source: plaid-compat 2.
   */
  async exchangeForItem(
    client: Tenant & { clientId: string },
    token: string,
  ): Promise<{ linkId: string; accessToken: string } | null> {
    return this.ctx.database.transaction(async (tx) => {
      const found = await lockToken(tx, client, token);
      if (found === null || !this.isUsable(found.row)) return null;
      const { link, session, row } = found;
      if (session.mode === 'relink' && link.state !== 'deleted') {
        await tx.exchangeableToken.update({
          where: { tokenHash: row.tokenHash },
          data: { usedAt: this.ctx.clock() },
        });
      } else if (link.state === 'awaiting_token_exchange') {
        await this.connect(tx, found);
      } else {
        return null;
      }
      return {
        linkId: link.linkId,
        accessToken: await addItemToken(this.ctx, tx, client, link.pk),
      };
    });
  }

  private makeToken(environment: Environment, isPlaid: boolean): string {
    const { random, uuid } = this.ctx;
    return isPlaid
      ? itemTokenPrefix('public', environment) + uuid()
      : tokenPrefix('exchangeable', environment) +
          Buffer.from(random(TOKEN_RANDOM_BYTES)).toString('base64url');
  }

  private isUsable({ usedAt, voidedAt, expiresAt }: ExchangeableToken): boolean {
    return usedAt === null && voidedAt === null && expiresAt > this.ctx.clock();
  }

  private async connect(tx: Tx, { link, session, row: { tokenHash } }: LockedToken): Promise<void> {
    const { ctx } = this;
    await tx.exchangeableToken.update({ where: { tokenHash }, data: { usedAt: ctx.clock() } });
    const { link: connected } = await transitionLink(ctx, tx, link.pk, { type: 'exchanged' });
    await releaseHeldEvents(ctx, tx, connected);
    await endSession(ctx, tx, session.sessionId, 'exchanged');
    await enqueueCommand(tx, {
      kind: 'signalSession',
      sessionId: session.sessionId,
      mode: 'link',
      signal: 'exchanged',
    });
  }
}

interface LockedToken {
  link: LinkRow;
  session: LinkSession;
  row: ExchangeableToken;
}

/** The token with its session and link, both locked; null when it is none of this tenant. */
async function lockToken(tx: Tx, tenant: Tenant, token: string): Promise<LockedToken | null> {
  const tokenHash = bytesColumn(sha256(token));
  const seen = await tx.exchangeableToken.findUnique({ where: { tokenHash } });
  if (seen === null) return null;
  // The session is locked before the link, as everywhere.
  const session = await lockSession(tx, seen.sessionId);
  const link = await lockLink(tx, seen.linkPk);
  if (session === null || link.appId !== tenant.appId || link.environment !== tenant.environment)
    return null;
  return {
    link,
    session,
    row: await tx.exchangeableToken.findUniqueOrThrow({ where: { tokenHash } }),
  };
}
