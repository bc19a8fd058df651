import { createLinkingActivities } from '../../../../activities/linking/linking-activities.js';
import { createLoginActivities } from '../../../../activities/linking/login-activities.js';
import { sourceFactsOf } from '../../../../activities/refresh/source-facts.js';
import { BankLoginRepository } from '../../../../prisma/work/linking/bank-login.repository.js';
import { ExtensionRepository } from '../../../../prisma/work/linking/extension.repository.js';
import { LinkingQuestionRepository } from '../../../../prisma/work/linking/linking-question.repository.js';
import { LoginAttemptRepository } from '../../../../prisma/work/linking/login-attempt.repository.js';
import { LoginGrantRepository } from '../../../../prisma/work/linking/login-grant.repository.js';
import { LoginRepository } from '../../../../prisma/work/linking/login.repository.js';
import { SessionTimeRepository } from '../../../../prisma/work/linking/session-time.repository.js';
import { UsedTokenRepository } from '../../../../prisma/work/linking/used-token.repository.js';
import { RevocationRepository } from '../../../../prisma/sources/permissions/revocation.repository.js';
import { LinkSessionRepository } from '../../../../prisma/links/sessions/link-session.repository.js';
import { OAuthStateRepository } from '../../../../prisma/links/sessions/oauth-state.repository.js';
import { RouteRenewalRepository } from '../../../../prisma/sources/routing/route-renewal.repository.js';
import type { Logger } from '../../../platform/src/logging/logger.js';
import { noteRenewals } from './note-renewals.js';
import type { BankAccess } from './bank-access.js';

/** Sessions in Connect: their steps, and the logins at banks. */
export function createLinkingParts(banks: BankAccess, logger: Logger) {
  const { ctx, settings, providers, institutions, quotas, observeFaults } = banks;
  const times = new SessionTimeRepository(ctx);
  const deps = {
    sessions: new LinkSessionRepository(ctx, {
      unopenedMs: settings.linkSessionTtl,
      idleMs: settings.connectIdle,
      totalMs: settings.connectTotal,
    }),
    times,
    logins: new LoginRepository(ctx),
    grants: new LoginGrantRepository(ctx),
    extensions: new ExtensionRepository(ctx),
    bankLogins: new BankLoginRepository(ctx),
    attempts: new LoginAttemptRepository(ctx),
    usedTokens: new UsedTokenRepository(ctx),
    questions: new LinkingQuestionRepository(
      ctx,
      { exchangeWindowMs: settings.exchangeWindow },
      sourceFactsOf(providers),
    ),
    redirectAttempts: new OAuthStateRepository(ctx, { ttlMs: settings.oauthTtl }),
    revocations: new RevocationRepository(ctx),
    noteRenewal: noteRenewals(new RouteRenewalRepository(ctx), logger),
    institutions,
    providers,
    quotas,
    observeFaults,
    callbackAddress: `${settings.baseUrl}/connect/oauth/callback`,
    // Log: a login left the `provider` whose first call failed with `cause`, for the next route.
    onFailover: (left: { session_id: string; provider: string; cause: string }) =>
      logger.warn(left, 'routes.login_failed_over'),
    now: ctx.clock,
  };
  return {
    times,
    databaseActivities: createLinkingActivities(deps),
    bankActivities: createLoginActivities(deps),
  };
}
