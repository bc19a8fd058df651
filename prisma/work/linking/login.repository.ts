import { makeId } from '../../../domain/api/ids.js';
import { PRODUCTS, type RequestedProducts } from '../../../domain/link/products.js';
import type { SessionOptions } from '../../../domain/session/session-options.js';
import type { WebhookFormat } from '../../../domain/webhooks/webhook-format.js';
import type { Context } from '../../base/context.js';
import { Prisma, type LinkSession } from '../../generated/client.js';
import { refuseDuplicate } from './duplicate-link.js';
import { abandonLogin } from './abandon-login.js';
import { leavesConnect, type RouteLogin } from '../../../domain/institutions/route-login.js';
import { summarizeRoute, type RouteSummary } from '../../../domain/institutions/route-summary.js';
import { routeOf } from '../../sources/institutions/institution-route.js';
import {
  judgeRoutes,
  recordDecision,
  takeRoute,
} from '../../sources/routing/choose-login-route.js';
import { noteFailure } from '../../sources/routing/route-failures.js';
import type { ProviderCause } from '../../../domain/errors/provider-failure.js';
import { OTHER_ROUTE } from '../../../domain/institutions/route-failover.js';
import { asJson } from '../../base/database/json-column.js';
import { createLink, lockLink, transitionLink } from '../../links/link/link-transition.js';
import { lockOpenSession } from '../../links/sessions/lock-open-session.js';
import { notAccepted } from '../../links/sessions/show-step.js';
import type { PreparedStep } from './prepared-step.js';
import { releaseLogin } from '../../sources/permissions/release-permission.js';

export interface StartedLogin {
  linkId: string;
  provider: string;
  remoteId: string;
  institutionId: string;
  /** The choice of its route. */
  route: RouteSummary;
  /** The time that its first call has before another route replaces it; null = no limit. */
  patienceMs: number | null;
}

/** Starts logins: at the choice of an institution, or before the redirect to its own pages. */
export class LoginRepository {
  constructor(private readonly ctx: Context) {}

  /**
   * login_started: creates the link, or restarts the one of this session and institution. Abandons
   * a link that this session started at another institution. The link of a relink does not change
   * before success. Results of earlier attempts are discarded. Idempotent. `failed`: the provider
   * that was unreachable in this attempt; another one is used.
   * @throws TrialLimitReached, DuplicateInstitution, NoRoute
   */
  async beginLogin(
    sessionId: string,
    institutionId: string,
    attemptKey: string,
    failed: string | null = null,
  ): Promise<StartedLogin> {
    const { ctx } = this;
    return ctx.database.transaction(async (tx) => {
      const session = await lockOpenSession(tx, sessionId);
      const earlier = session.linkPk === null ? null : await lockLink(tx, session.linkPk);
      const isRelink = session.mode === 'relink';
      await refuseDuplicate(tx, session, institutionId);
      // A step of an earlier attempt is void, except the redirect that the user is about to start.
      // After a failure the next route may have a form instead.
      const isRedirect =
        failed === null &&
        (session.preparedStep as PreparedStep | null)?.content.kind === 'redirect';
      const { route, choice } = await takeRoute(ctx, tx, {
        institutionId,
        session,
        existing: isRelink ? earlier : null,
        mustRedirect: isRedirect,
        failed,
      });
      const why = choice.isElsewhere ? 'failover' : isRelink ? 'relink' : 'first';
      const decide = (linkId: string) =>
        recordDecision(ctx, tx, { linkId, attemptKey, session, institutionId, why, choice });
      const login = {
        institutionId,
        attemptKey,
        provider: route.provider,
        ...notAccepted(session),
        grantedProducts: Prisma.DbNull,
        ...(isRedirect ? {} : { preparedStep: Prisma.DbNull }),
      };
      await releaseLogin(ctx, tx, sessionId);
      if (earlier !== null && earlier.institutionId === institutionId) {
        if (!isRelink)
          await transitionLink(ctx, tx, earlier.pk, {
            type: 'login_started',
            sameSessionAndInstitution: true,
          });
        // The link of a relink stays with its provider until success.
        if (!isRelink && earlier.provider !== route.provider)
          await tx.link.update({
            where: { pk: earlier.pk },
            data: { provider: route.provider },
          });
        await tx.linkSession.update({ where: { sessionId }, data: login });
        await decide(earlier.linkId);
        return {
          linkId: earlier.linkId,
          provider: route.provider,
          remoteId: route.remoteId,
          institutionId,
          route: summarizeRoute(choice),
          patienceMs: choice.patienceMs,
        };
      }
      if (earlier !== null) await abandonLogin(this.ctx, tx, session);
      const link = await createLink(
        ctx,
        tx,
        {
          linkId: makeId('link', ctx.random),
          appId: session.appId,
          environment: session.environment,
          clientId: session.clientId,
          customerUserPk: session.customerUserPk,
          institutionId,
          provider: route.provider,
          tags: session.tags,
          webhook: session.webhook,
          worldId: session.worldId,
          ...inheritedFacts(session, institutionId),
          products: supportedProducts(session.products as RequestedProducts, route.products),
        },
        { type: 'login_started', sameSessionAndInstitution: true },
      );
      await tx.linkSession.update({ where: { sessionId }, data: { ...login, linkPk: link.pk } });
      await decide(link.linkId);
      return {
        linkId: link.linkId,
        provider: link.provider,
        remoteId: route.remoteId,
        institutionId,
        route: summarizeRoute(choice),
        patienceMs: choice.patienceMs,
      };
    });
  }

  /**
   * Offers the redirect to an institution whose route leaves Connect, without starting a login.
   * Abandons a link that this session started at another institution. False, without any change,
   * for any other institution. `failed`: the provider that was unreachable in this attempt. Source:
   * link-lifecycle 6.2, login_started. @throws DuplicateInstitution
   */
  async offerRedirect(
    sessionId: string,
    institutionId: string,
    failed: string | null = null,
  ): Promise<boolean> {
    return this.ctx.database.transaction(async (tx) => {
      const session = await lockOpenSession(tx, sessionId);
      const earlier = session.linkPk === null ? null : await lockLink(tx, session.linkPk);
      const existing = session.mode === 'relink' ? earlier : null;
      const request = { institutionId, session, existing, failed };
      const { chosen, isElsewhere: isOtherRoute } = await judgeRoutes(this.ctx, tx, request);
      const route = chosen === null ? null : await routeOf(tx, institutionId, chosen);
      if (route === null || !leavesConnect(route.login as RouteLogin)) return false;
      await refuseDuplicate(tx, session, institutionId);
      const isElsewhere = earlier !== null && earlier.institutionId !== institutionId;
      if (isElsewhere) await abandonLogin(this.ctx, tx, session);
      await releaseLogin(this.ctx, tx, sessionId);
      const data = {
        institutionId,
        attemptKey: null,
        ...notAccepted(session),
        grantedProducts: Prisma.DbNull,
        preparedStep: asJson({ ...NOT_STARTED, error: isOtherRoute ? OTHER_ROUTE : null }),
      };
      await tx.linkSession.update({
        where: { sessionId },
        data: isElsewhere ? { ...data, linkPk: null } : data,
      });
      return true;
    });
  }

  /** Records why a login failed that continues through another route. */
  async noteFailure(
    login: { sessionId: string; attemptKey: string },
    cause: ProviderCause,
  ): Promise<void> {
    await this.ctx.database.transaction((tx) => noteFailure(tx, login, cause));
  }
}

/** The redirect before the user starts it. It stays prepared while the user is on the bank's pages. */
const NOT_STARTED: PreparedStep = {
  content: { kind: 'redirect', started: false },
  message: null,
  error: null,
  attemptsLeft: null,
  expiresAt: null,
};

/** The requested products that the institution supports, in the order of the contract. */
function supportedProducts(requested: RequestedProducts, supported: readonly string[]) {
  return PRODUCTS.flatMap((product, position) => {
    const settings = requested[product];
    return settings === undefined || !supported.includes(product)
      ? []
      : [{ product, position, settings }];
  });
}

/** The facts that a link at an institution inherits from its session. */
function inheritedFacts(session: LinkSession, institutionId: string) {
  // Only LinkSessionRepository.create writes this column.
  const options = session.options as unknown as SessionOptions | null;
  return {
    webhookFormat: session.webhookFormat as WebhookFormat,
    // The alias names only the institution that the session was created for.
    institutionAlias:
      session.presetInstitutionId === institutionId ? (options?.institutionAlias ?? null) : null,
    historyDays: options?.historyDays ?? null,
  };
}
