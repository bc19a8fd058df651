import { AttemptOver, SessionOver } from '../../../domain/errors/change-refused.js';
import type { Context } from '../../base/context.js';
import { untilStored } from '../../base/database/until-stored.js';
import { Prisma } from '../../generated/client.js';
import { routeOf } from '../../sources/institutions/institution-route.js';
import { lockLink, transitionLink } from '../../links/link/link-transition.js';
import { forgetListing } from '../../sources/permissions/accepted-login.js';
import {
  keepGrant,
  keptGrant,
  LOGIN_GRANT,
  type LoginGrant,
} from '../../sources/permissions/login-grant.js';
import { ifReadable, releaseLogin } from '../../sources/permissions/release-permission.js';
import { renewForRevocation } from '../../sources/permissions/renewed-revocation.js';
import { lockLinkedSession, lockOpenSession } from '../../links/sessions/lock-open-session.js';
import { notAccepted } from '../../links/sessions/show-step.js';
import { refuseDuplicate } from './duplicate-link.js';
import { mayBeLinked } from './may-be-linked.js';
import type { StartedLogin } from './login.repository.js';

/** The time limit for storing a permission that a single-use token has opened. */
const STORE_FOR_MS = 60_000;

/** A login of the current attempt. */
export interface LoginOfSession {
  sessionId: string;
  attemptKey: string;
  provider: string;
}

/**
 * The permissions that logins received for single-use tokens and codes. They are stored before they
 * are used, so that a login whose accounts could not be listed can continue with them.
 * docs/decisions/live/0051.
 */
export class LoginGrantRepository {
  constructor(
    private readonly ctx: Context,
    private readonly storeForMs = STORE_FOR_MS,
  ) {}

  /**
   * Keeps a grant sealed in its session. @throws SessionOver, AttemptOver when it arrived too late
   */
  async keep(login: LoginOfSession, grant: LoginGrant): Promise<void> {
    await untilStored(() => this.keepOnce(login, grant), this.storeForMs);
  }

  /** The grant with which a login continues; null = its token or code was not used yet. */
  async held({ sessionId, attemptKey, provider }: LoginOfSession): Promise<LoginGrant | null> {
    const { prisma } = this.ctx.database;
    const session = await prisma.linkSession.findUnique({
      where: { sessionId },
      select: { attemptKey: true, linkPk: true },
    });
    if (session?.attemptKey !== attemptKey) return null;
    const grant = await keptGrant(this.ctx, prisma, sessionId);
    return grant?.provider === provider && grant.linkPk === session.linkPk ? grant : null;
  }

  /** Whether the session holds a grant. */
  async isHeld(sessionId: string): Promise<boolean> {
    const key = { sessionId, kind: LOGIN_GRANT, name: '' };
    const row = await this.ctx.database.prisma.sessionSecret.findUnique({
      where: { sessionId_kind_name: key },
      select: { kind: true },
    });
    return row !== null;
  }

  /** Replaces the credential of a grant with the one that the source issued. */
  async renew(
    { sessionId, provider }: LoginOfSession,
    { reference, linkId }: { reference: string; linkId: string },
    credential: Uint8Array,
  ): Promise<void> {
    const { ctx } = this;
    const renewOnce = () =>
      ctx.database.transaction(async (tx) => {
        const { pk: linkPk } = await tx.link.findUniqueOrThrow({ where: { linkId } });
        const session = await lockOpenSession(tx, sessionId).catch(unlessOver);
        const grant = session === null ? null : await keptGrant(ctx, tx, sessionId);
        if (grant?.provider === provider && grant.reference === reference)
          return keepGrant(ctx, tx, sessionId, { ...grant, credential });
        // The session ended in the meantime, and this permission waits for its revocation.
        return renewForRevocation(ctx, tx, { linkPk, provider, reference }, credential);
      });
    await untilStored(renewOnce, this.storeForMs);
  }

  /**
   * login_started: restarts the login of this session and institution with the grant that it holds.
   * Null, without any change, if it does not hold one for them. Idempotent.
   * @throws TrialLimitReached, DuplicateInstitution
   */
  async resume(
    sessionId: string,
    institutionId: string,
    attemptKey: string,
  ): Promise<Omit<StartedLogin, 'route' | 'patienceMs'> | null> {
    const { ctx } = this;
    return ctx.database.transaction(async (tx) => {
      const session = await lockOpenSession(tx, sessionId);
      const grant = await ifReadable(keptGrant(ctx, tx, sessionId));
      if (grant === null || session.linkPk !== grant.linkPk) return null;
      const link = await lockLink(tx, grant.linkPk);
      const { provider } = grant;
      const route = await routeOf(tx, institutionId, provider);
      if (link.institutionId !== institutionId || route === null) return null;
      await refuseDuplicate(tx, session, institutionId);
      if (session.mode !== 'relink')
        await transitionLink(ctx, tx, link.pk, {
          type: 'login_started',
          sameSessionAndInstitution: true,
        });
      await forgetListing(tx, sessionId);
      await tx.linkSession.update({
        where: { sessionId },
        data: {
          attemptKey,
          provider,
          ...notAccepted(session),
          grantedProducts: Prisma.DbNull,
          preparedStep: Prisma.DbNull,
        },
      });
      const { linkId } = link;
      return { linkId, provider, remoteId: route.remoteId, institutionId };
    });
  }

  private async keepOnce(
    { sessionId, attemptKey, provider }: LoginOfSession,
    grant: LoginGrant,
  ): Promise<void> {
    await this.ctx.database.transaction(async (tx) => {
      const session = await lockLinkedSession(tx, sessionId);
      if (session.attemptKey !== attemptKey) throw new AttemptOver(sessionId);
      const link = await lockLink(tx, session.linkPk);
      if (!mayBeLinked(session, link)) throw new SessionOver(sessionId);
      const before = await ifReadable(keptGrant(this.ctx, tx, sessionId));
      if (before !== null && before.reference !== grant.reference)
        await releaseLogin(this.ctx, tx, sessionId);
      await keepGrant(this.ctx, tx, sessionId, { ...grant, provider, linkPk: link.pk });
    });
  }
}

function unlessOver(error: unknown): null {
  if (error instanceof SessionOver) return null;
  throw error;
}
