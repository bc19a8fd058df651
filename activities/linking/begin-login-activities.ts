import type { ConnectProblemId } from '../../domain/session/connect-problem.js';
import { DuplicateInstitution } from '../../domain/session/duplicate-institution.js';
import type { ProviderCause } from '../../domain/errors/provider-failure.js';
import { NoRoute } from '../../domain/institutions/no-route.js';
import { BoundReached } from '../../domain/limits/app-bounds.js';
import { TrialLimitReached } from '../../domain/link/trial-limit.js';
import type {
  ExtendedLink,
  ExtensionRepository,
} from '../../prisma/work/linking/extension.repository.js';
import type { LoginGrantRepository } from '../../prisma/work/linking/login-grant.repository.js';
import type { LoginRepository } from '../../prisma/work/linking/login.repository.js';
import type { ProviderRegistry } from '../../providers/registry.js';
import type {
  OfferedExtension,
  OfferedRedirect,
  RefusedLogin,
  StartedLogin,
} from './session-state.js';
import { startedLogin } from './started-login.js';

export interface BeginLoginActivityDeps {
  logins: Pick<LoginRepository, 'beginLogin' | 'offerRedirect' | 'noteFailure'>;
  grants: Pick<LoginGrantRepository, 'resume'>;
  extensions: Pick<ExtensionRepository, 'offer' | 'extend'>;
  providers: Pick<ProviderRegistry, 'get'>;
  /** Called when a login leaves a provider that was unreachable. */
  onFailover?: (left: { session_id: string; provider: string; cause: ProviderCause }) => void;
}

/** Activities between the choice of an institution and the first call to it. */
export function createBeginLoginActivities({
  logins,
  grants,
  extensions,
  providers,
  onFailover,
}: BeginLoginActivityDeps) {
  return {
    /**
     * `separateLink`: the user wants a separate link even if one exists at this institution.
     * `isRetry`: the login failed, and continues with its earlier permission, if it received one.
     */
    async beginLogin({
      separateLink = false,
      isRetry = false,
      ...login
    }: {
      sessionId: string;
      institutionId: string;
      seq: number;
      separateLink?: boolean;
      isRetry?: boolean;
    }): Promise<StartedLogin | OfferedExtension | OfferedRedirect | RefusedLogin> {
      try {
        const resumed = isRetry ? await resume(login) : null;
        if (resumed !== null) return resumed;
        if (!separateLink && (await extensions.offer(login.sessionId, login.institutionId)))
          return { extensionAt: login.institutionId };
      } catch (error) {
        return { problem: problemOf(error) };
      }
      return offerOrBegin(login);
    },

    /**
     * Starts the login through another route, or offers its redirect, after the first call to its
     * provider failed. The user has not done anything at the bank yet. Null = there is no other
     * route.
     */
    async takeNextRoute({
      failed,
      failedAttempt,
      cause,
      ...login
    }: {
      sessionId: string;
      institutionId: string;
      seq: number;
      failed: string;
      failedAttempt: string;
      cause: ProviderCause;
    }): Promise<StartedLogin | OfferedRedirect | null> {
      const { sessionId } = login;
      await logins.noteFailure({ sessionId, attemptKey: failedAttempt }, cause);
      const next = await offerOrBegin(login, failed);
      if ('problem' in next) return null;
      onFailover?.({ session_id: sessionId, provider: failed, cause });
      return next;
    },

    /**
     * Turns the session into a relink of the existing link. Null when there is no link left to
     * extend.
     */
    async extendLink(sessionId: string): Promise<ExtendedLink | null> {
      return extensions.extend(sessionId);
    },

    /**
     * Starts the login when the user leaves for the bank's own pages, not earlier (link-lifecycle
     * 6.2).
     */
    async beginRedirectLogin(login: {
      sessionId: string;
      institutionId: string;
      seq: number;
    }): Promise<StartedLogin | RefusedLogin> {
      return begin(login);
    },
  };

  async function resume({
    sessionId,
    institutionId,
    seq,
  }: {
    sessionId: string;
    institutionId: string;
    seq: number;
  }): Promise<StartedLogin | null> {
    const attemptKey = `${sessionId}/${seq}`;
    const login = await grants.resume(sessionId, institutionId, attemptKey);
    if (login === null) return null;
    // Listing accounts again is always safe, even if the login may not be repeated.
    return { ...startedLogin(providers, login, attemptKey), mayRepeat: true, isResumed: true };
  }

  async function offerOrBegin(
    login: { sessionId: string; institutionId: string; seq: number },
    failed: string | null = null,
  ): Promise<StartedLogin | OfferedRedirect | RefusedLogin> {
    try {
      if (await logins.offerRedirect(login.sessionId, login.institutionId, failed))
        return { redirectTo: login.institutionId };
    } catch (error) {
      return { problem: problemOf(error) };
    }
    return begin(login, failed);
  }

  async function begin(
    { sessionId, institutionId, seq }: { sessionId: string; institutionId: string; seq: number },
    failed: string | null = null,
  ): Promise<StartedLogin | RefusedLogin> {
    // The login through another route is a separate attempt: results of the first are discarded.
    const attemptKey = failed === null ? `${sessionId}/${seq}` : `${sessionId}/${seq}/2`;
    try {
      return startedLogin(
        providers,
        await logins.beginLogin(sessionId, institutionId, attemptKey, failed),
        attemptKey,
      );
    } catch (error) {
      return { problem: problemOf(error) };
    }
  }
}

/** The problem shown when the app's rules forbid the link. Rethrows every other error. */
export function problemOf(error: unknown): ConnectProblemId {
  if (error instanceof TrialLimitReached || error instanceof BoundReached)
    return 'connect_error.trial_limit_reached';
  if (error instanceof DuplicateInstitution) return 'connect_error.duplicate_institution';
  if (error instanceof NoRoute) return 'connect_error.institution_down';
  throw error;
}
