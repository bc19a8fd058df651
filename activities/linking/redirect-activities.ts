import { ProviderFailure } from '../../domain/errors/provider-failure.js';
import type { OAuthStateRepository } from '../../prisma/links/sessions/oauth-state.repository.js';
import type { ProviderRegistry } from '../../providers/registry.js';
import { withHeartbeats } from '../heartbeats.js';
import type { BankLoginResult } from './bank-login-result.js';
import { noLoginInProgress, type LoginLoader } from './load-login.js';
import type { StoreOutcome } from './store-login-outcome.js';
import { withinPatience } from './within-patience.js';

export interface RedirectActivityDeps {
  redirectAttempts: Pick<OAuthStateRepository, 'makeSecrets' | 'keep' | 'expiryOf' | 'redeem'>;
  providers: Pick<ProviderRegistry, 'get'>;
  /** The address to which banks redirect users (connect 7). */
  callbackAddress: string;
  now: () => Date;
}

/**
 * One redirect to the bank's own pages. `redirectId` is the id under which it is stored; the name is part
 * of recorded histories.
 */
export interface RedirectAttempt {
  sessionId: string;
  provider: string;
  attemptKey: string;
  redirectId: string;
}

/** `patienceMs`: the time that the bank has to respond. */
export interface RedirectToStart extends RedirectAttempt {
  patienceMs?: number;
}

/** Activities of a login on the bank's own pages. connect 7. */
export function createRedirectActivities(
  { redirectAttempts: attempts, providers, callbackAddress, now }: RedirectActivityDeps,
  { loadAttempt }: Pick<LoginLoader, 'loadAttempt'>,
  storeOutcome: StoreOutcome,
) {
  return {
    /** Starts a redirect and seals its URL, state, verifier and nonce. */
    async startBankRedirect({
      sessionId,
      provider: name,
      attemptKey,
      redirectId,
      patienceMs,
    }: RedirectToStart): Promise<BankLoginResult> {
      const provider = providers.get(name);
      const { startRedirect } = provider;
      if (startRedirect === undefined)
        throw new ProviderFailure('internal', 'This provider has no pages of its own.');
      return withHeartbeats(async (signal) => {
        const existing = await attempts.expiryOf(sessionId, redirectId);
        if (existing !== null) return started(redirectId, existing);
        const { context } = await loadAttempt(sessionId, attemptKey, signal);
        const secrets = attempts.makeSecrets();
        const redirect = {
          state: secrets.state,
          redirectUri: callbackAddress,
          returnAddress: `${callbackAddress}?state=${encodeURIComponent(secrets.state)}`,
        };
        const start = await withinPatience(patienceMs, signal, (limited) =>
          startRedirect.call(provider, { ...context, signal: limited }, redirect),
        );
        if (start.kind === 'page')
          throw new ProviderFailure('internal', 'Pages around a widget are not offered yet.');
        const { authorizeUrl, issuer, returns, expiresAt, state: providerState } = start;
        const until = await attempts.keep(sessionId, redirectId, {
          ...secrets,
          attemptKey,
          authorizeUrl,
          issuer,
          returns,
          expiresAt,
          providerState,
        });
        if (until === null) throw noLoginInProgress();
        return started(redirectId, until);
      });
    },

    /** Completes a redirect with the parameters that the bank sent with the user. */
    async completeBankRedirect({
      sessionId,
      provider: name,
      attemptKey,
      redirectId,
    }: RedirectAttempt): Promise<BankLoginResult> {
      const provider = providers.get(name);
      const { completeRedirect } = provider;
      if (completeRedirect === undefined)
        throw new ProviderFailure('internal', 'This provider has no pages of its own.');
      return withHeartbeats(async (signal) => {
        const attempt = await loadAttempt(sessionId, attemptKey, signal);
        const returned = await attempts.redeem(sessionId, redirectId);
        if (returned === null) throw noLoginInProgress();
        const { providerState, callbackUrl } = returned;
        return storeOutcome(
          provider,
          attempt,
          await completeRedirect.call(provider, attempt.context, providerState, callbackUrl),
        );
      });
    },
  };

  function started(redirectId: string, until: Date): BankLoginResult {
    return {
      kind: 'away',
      redirectId,
      expiresInMs: Math.max(0, until.getTime() - now().getTime()),
    };
  }
}
