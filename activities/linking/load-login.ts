import { ProviderFailure } from '../../domain/errors/provider-failure.js';
import type { BankLoginRepository } from '../../prisma/work/linking/bank-login.repository.js';
import type { LinkSessionRepository } from '../../prisma/links/sessions/link-session.repository.js';
import type { UsedTokenRepository } from '../../prisma/work/linking/used-token.repository.js';
import type { ProviderSecret } from '../../providers/contract/provider.js';
import { SourceFaults } from '../source-faults.js';
import type { Attempt } from './store-login-outcome.js';

export interface LoginLoaderDeps {
  sessions: Pick<LinkSessionRepository, 'openAnswer'>;
  bankLogins: Pick<BankLoginRepository, 'loginFacts' | 'providerState'>;
  usedTokens: Pick<UsedTokenRepository, 'add' | 'includes'>;
}

/**
 * Reads the input of a provider call. Every function throws `internal` once the login has ended.
 */
export function createLoginLoader({ sessions, bankLogins, usedTokens }: LoginLoaderDeps) {
  return { loadAttempt, openAnswer, openState };

  async function loadAttempt(
    sessionId: string,
    attemptKey: string,
    signal: AbortSignal,
  ): Promise<Attempt> {
    const facts = await bankLogins.loginFacts(sessionId);
    if (facts === null || facts.attemptKey !== attemptKey) throw noLoginInProgress();
    const { linkId, provider: _provider, ...known } = facts;
    const faults = new SourceFaults();
    const context = {
      ...known,
      attemptKey,
      usedTokens: {
        // Only the wording of a later refusal depends on it.
        add: (token: string) => usedTokens.add(sessionId, token).catch(() => undefined),
        includes: (token: string) => usedTokens.includes(sessionId, token),
      },
      note: faults.note,
      signal,
    };
    return { sessionId, linkId, context, faults, attemptsLeft: null };
  }

  async function openAnswer(sessionId: string, name: string): Promise<unknown> {
    const sealed = await sessions.openAnswer(sessionId, name);
    if (sealed === null) throw noLoginInProgress();
    return JSON.parse(sealed.toString('utf8'));
  }

  async function openState(sessionId: string): Promise<ProviderSecret> {
    const state = await bankLogins.providerState(sessionId);
    if (state === null) throw noLoginInProgress();
    return state;
  }
}

export type LoginLoader = ReturnType<typeof createLoginLoader>;

/** The session or login ended, or its secrets were erased, before the activity ran. */
export function noLoginInProgress(): ProviderFailure {
  return new ProviderFailure('internal', 'No login is in progress in this session.');
}
