import { sleep } from '@temporalio/activity';
import type { StepInput } from '../../domain/session/connect-step.js';
import { ProviderFailure } from '../../domain/errors/provider-failure.js';
import { SEALED_SIGN_IN } from '../../domain/sandbox/sandbox-request.js';
import type { LinkSessionRepository } from '../../prisma/sessions/link-session.repository.js';
import type { BankLoginRepository } from '../../prisma/linking/bank-login.repository.js';
import type { OAuthStateRepository } from '../../prisma/sessions/oauth-state.repository.js';
import type { RevocationRepository } from '../../prisma/permissions/revocation.repository.js';
import type { ProviderSecret } from '../../providers/provider.js';
import type { ProviderRegistry } from '../../providers/registry.js';
import { withHeartbeats } from '../heartbeats.js';
import type { BankLoginResult } from './bank-login-result.js';
import { createOutcomeStore, type Attempt } from './store-login-outcome.js';
import { isStillWaiting, LongPoll } from './long-poll.js';

export interface LoginActivityDeps {
  sessions: Pick<LinkSessionRepository, 'openAnswer'>;
  bankLogins: Pick<
    BankLoginRepository,
    'loginFacts' | 'providerState' | 'preparedStep' | 'storePreparedStep' | 'storeLinked'
  >;
  revocations: Pick<RevocationRepository, 'release'>;
  ways: Pick<OAuthStateRepository, 'makeSecrets' | 'keep' | 'expiryOf' | 'redeem'>;
  providers: Pick<ProviderRegistry, 'get'>;
  /** Where banks redirect users back to (connect 7). */
  callbackAddress: string;
  now: () => Date;
}

/** One login attempt at one bank. Identifiers only. */
export interface LoginAttempt {
  sessionId: string;
  provider: string;
  attemptKey: string;
}

/** Answers without secrets, which are passed as they are. */
export type PlainAnswer = Exclude<
  StepInput,
  { kind: 'form' } | { kind: 'image' } | { kind: 'otp'; code: string }
>;

export interface BankAnswer extends LoginAttempt {
  /** The answer itself, or the name under which a secret answer is sealed. */
  answer: PlainAnswer | { sealedAs: string };
  /** Shown with a wrong answer if the bank does not count attempts itself (connect 5, rule 6). */
  attemptsLeft: number;
}

/**
 * One redirect to the bank's own pages. `way` is the id under which it is stored; the name is part
 * of recorded histories.
 */
export interface RedirectAttempt extends LoginAttempt {
  way: string;
}

/** Linking activities that call a bank. They run on the task queue of its provider. */
export function createLoginActivities({
  sessions,
  bankLogins,
  revocations,
  ways,
  providers,
  callbackAddress,
  now,
}: LoginActivityDeps) {
  const storeOutcome = createOutcomeStore({ bankLogins, revocations, now });

  return {
    async openBankLogin({
      sessionId,
      provider: name,
      attemptKey,
    }: LoginAttempt): Promise<BankLoginResult> {
      const provider = providers.get(name);
      return withHeartbeats(async (signal) => {
        const attempt = await loadAttempt(sessionId, attemptKey, signal);
        return storeOutcome(provider, attempt, await provider.begin(attempt.context));
      });
    },

    /**
     * Runs a whole login at a sandbox provider with credentials that were sealed before. Source:
     * link-lifecycle 14.
     */
    async logInWithoutPerson({
      sessionId,
      provider: name,
      attemptKey,
    }: LoginAttempt): Promise<BankLoginResult> {
      const provider = providers.get(name);
      const { sandbox } = provider;
      if (sandbox === undefined)
        throw new ProviderFailure('internal', 'This is not a sandbox provider.');
      return withHeartbeats(async (signal) => {
        const attempt = await loadAttempt(sessionId, attemptKey, signal);
        const sealed = await sessions.openAnswer(sessionId, SEALED_SIGN_IN);
        if (sealed === null) throw noLoginInProgress();
        // Only POST /sandbox/link seals this value.
        const credentials = JSON.parse(sealed.toString('utf8')) as {
          username: string;
          password: string;
        };
        return storeOutcome(provider, attempt, await sandbox.logIn(attempt.context, credentials));
      });
    },

    async answerBankStep({
      sessionId,
      provider: name,
      attemptKey,
      answer,
      attemptsLeft,
    }: BankAnswer): Promise<BankLoginResult> {
      const provider = providers.get(name);
      const { advance } = provider;
      if (advance === undefined)
        throw new ProviderFailure('internal', 'This provider has no further login steps.');
      return withHeartbeats(async (signal) => {
        const attempt = await loadAttempt(sessionId, attemptKey, signal);
        const input = 'sealedAs' in answer ? await openAnswer(sessionId, answer.sealedAs) : answer;
        const outcome = await advance.call(
          provider,
          attempt.context,
          await openState(sessionId),
          input,
        );
        return storeOutcome(provider, { ...attempt, attemptsLeft }, outcome);
      });
    },

    /** Starts a redirect to the bank's own pages and seals its URL, state, verifier and nonce. */
    async startBankRedirect({
      sessionId,
      provider: name,
      attemptKey,
      way,
    }: RedirectAttempt): Promise<BankLoginResult> {
      const provider = providers.get(name);
      const { startRedirect } = provider;
      if (startRedirect === undefined)
        throw new ProviderFailure('internal', 'This provider has no pages of its own.');
      return withHeartbeats(async (signal) => {
        const known = await ways.expiryOf(sessionId, way);
        if (known !== null) return startedRedirect(way, known);
        const { context } = await loadAttempt(sessionId, attemptKey, signal);
        const secrets = ways.makeSecrets();
        const {
          authorizeUrl,
          issuer,
          expiresAt,
          state: providerState,
        } = await startRedirect.call(provider, context, {
          state: secrets.state,
          redirectUri: callbackAddress,
        });
        const until = await ways.keep(sessionId, way, {
          ...secrets,
          attemptKey,
          authorizeUrl,
          issuer,
          expiresAt,
          providerState,
        });
        if (until === null) throw noLoginInProgress();
        return startedRedirect(way, until);
      });
    },

    /** Completes a redirect with what the bank sent back with the user. */
    async completeBankRedirect({
      sessionId,
      provider: name,
      attemptKey,
      way,
    }: RedirectAttempt): Promise<BankLoginResult> {
      const provider = providers.get(name);
      const { completeRedirect } = provider;
      if (completeRedirect === undefined)
        throw new ProviderFailure('internal', 'This provider has no pages of its own.');
      return withHeartbeats(async (signal) => {
        const attempt = await loadAttempt(sessionId, attemptKey, signal);
        const returned = await ways.redeem(sessionId, way);
        if (returned === null) throw noLoginInProgress();
        return storeOutcome(
          provider,
          attempt,
          await completeRedirect.call(
            provider,
            attempt.context,
            returned.providerState,
            returned.callbackUrl,
          ),
        );
      });
    },

    /**
     * Polls the bank until its `wait` step is over. Polling changes nothing there, so a lost
     * activity is simply repeated.
     */
    async awaitBank({
      sessionId,
      provider: name,
      attemptKey,
    }: LoginAttempt): Promise<BankLoginResult> {
      const provider = providers.get(name);
      const { poll } = provider;
      if (poll === undefined)
        throw new ProviderFailure('internal', 'This provider has no steps to wait for.');
      return withHeartbeats(async (signal) => {
        const attempt = await loadAttempt(sessionId, attemptKey, signal);
        const state = await openState(sessionId);
        const longPoll = new LongPoll(() => poll.call(provider, attempt.context, state));
        const prepared = await bankLogins.preparedStep(sessionId);
        for (let waitMs = prepared?.pollAfterMs ?? POLL_AFTER_MS; ;) {
          await sleep(waitMs);
          const outcome = await longPoll.poll();
          if (outcome !== null && !isStillWaiting(outcome))
            return storeOutcome(provider, attempt, outcome);
          waitMs = outcome?.pollAfterMs ?? waitMs;
        }
      });
    },
  };

  function startedRedirect(way: string, until: Date): BankLoginResult {
    return { kind: 'away', way, expiresInMs: Math.max(0, until.getTime() - now().getTime()) };
  }

  async function loadAttempt(
    sessionId: string,
    attemptKey: string,
    signal: AbortSignal,
  ): Promise<Attempt> {
    const facts = await bankLogins.loginFacts(sessionId);
    if (facts === null || facts.attemptKey !== attemptKey) throw noLoginInProgress();
    const { linkId, provider: _provider, ...known } = facts;
    return { sessionId, linkId, context: { ...known, attemptKey, signal }, attemptsLeft: null };
  }

  async function openAnswer(sessionId: string, name: string): Promise<StepInput> {
    const sealed = await sessions.openAnswer(sessionId, name);
    if (sealed === null) throw noLoginInProgress();
    return JSON.parse(sealed.toString('utf8')) as StepInput;
  }

  async function openState(sessionId: string): Promise<ProviderSecret> {
    const state = await bankLogins.providerState(sessionId);
    if (state === null) throw noLoginInProgress();
    return state;
  }
}

const POLL_AFTER_MS = 2_000;

/** The session or login ended, or its secrets were erased, while the activity was on its way. */
function noLoginInProgress(): ProviderFailure {
  return new ProviderFailure('internal', 'No login is in progress in this session.');
}

export type LoginActivities = ReturnType<typeof createLoginActivities>;
