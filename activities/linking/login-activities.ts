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
import { createOutcomeKeeper, type Attempt } from './keep-login-outcome.js';
import { isStillWaiting, PatientQuestion } from './long-poll.js';

export interface LoginActivityDeps {
  sessions: Pick<LinkSessionRepository, 'openAnswer'>;
  bankLogins: Pick<
    BankLoginRepository,
    'loginFacts' | 'providerState' | 'preparedStep' | 'storePreparedStep' | 'storeLinked'
  >;
  revocations: Pick<RevocationRepository, 'release'>;
  ways: Pick<OAuthStateRepository, 'makeSecrets' | 'keep' | 'expiryOf' | 'redeem'>;
  providers: Pick<ProviderRegistry, 'get'>;
  /** Where banks send users back to (connect 7). */
  callbackAddress: string;
  now: () => Date;
}

/** One attempt at one bank; ids only. */
export interface LoginAttempt {
  sessionId: string;
  provider: string;
  attemptKey: string;
}

/** Answers that hold nothing secret and travel as they are. */
export type PlainAnswer = Exclude<
  StepInput,
  { kind: 'form' } | { kind: 'image' } | { kind: 'otp'; code: string }
>;

export interface BankAnswer extends LoginAttempt {
  /** An answer without secrets, or the name under which it was sealed. */
  answer: PlainAnswer | { sealedAs: string };
  /** Shown with a wrong answer when the bank itself does not count (connect 5, rule 6). */
  attemptsLeft: number;
}

/** One way to the bank's own pages and back, by the name under which it is kept. */
export interface RedirectAttempt extends LoginAttempt {
  way: string;
}

/** Steps of linking that talk to a bank; they run on the queue of its provider. */
export function createLoginActivities({
  sessions,
  bankLogins,
  revocations,
  ways,
  providers,
  callbackAddress,
  now,
}: LoginActivityDeps) {
  const keep = createOutcomeKeeper({ bankLogins, revocations, now });

  return {
    async openBankLogin({
      sessionId,
      provider: name,
      attemptKey,
    }: LoginAttempt): Promise<BankLoginResult> {
      const provider = providers.get(name);
      return withHeartbeats(async (signal) => {
        const attempt = await attemptOf(sessionId, attemptKey, signal);
        return keep(provider, attempt, await provider.begin(attempt.context));
      });
    },

    /** A whole login at a pretend source; what a person would have typed was sealed before. Source: link-lifecycle 14. */
    async logInWithoutPerson({
      sessionId,
      provider: name,
      attemptKey,
    }: LoginAttempt): Promise<BankLoginResult> {
      const provider = providers.get(name);
      const { sandbox } = provider;
      if (sandbox === undefined)
        throw new ProviderFailure('internal', 'This provider has no pretend customers.');
      return withHeartbeats(async (signal) => {
        const attempt = await attemptOf(sessionId, attemptKey, signal);
        const sealed = await sessions.openAnswer(sessionId, SEALED_SIGN_IN);
        if (sealed === null) throw noLogin();
        // Only POST /sandbox/link seals it.
        const credentials = JSON.parse(sealed.toString('utf8')) as {
          username: string;
          password: string;
        };
        return keep(provider, attempt, await sandbox.logIn(attempt.context, credentials));
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
        throw new ProviderFailure('internal', 'This provider asks no further steps.');
      return withHeartbeats(async (signal) => {
        const attempt = await attemptOf(sessionId, attemptKey, signal);
        const input = 'sealedAs' in answer ? await openAnswer(sessionId, answer.sealedAs) : answer;
        const outcome = await advance.call(
          provider,
          attempt.context,
          await openState(sessionId),
          input,
        );
        return keep(provider, { ...attempt, attemptsLeft }, outcome);
      });
    },

    /** Makes a way to the bank's own pages: its address, state, verifier and nonce are sealed at once. */
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
        if (known !== null) return away(way, known);
        const { context } = await attemptOf(sessionId, attemptKey, signal);
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
        if (until === null) throw noLogin();
        return away(way, until);
      });
    },

    /** Redeems what the bank sent the user back with. */
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
        const attempt = await attemptOf(sessionId, attemptKey, signal);
        const back = await ways.redeem(sessionId, way);
        if (back === null) throw noLogin();
        return keep(
          provider,
          attempt,
          await completeRedirect.call(
            provider,
            attempt.context,
            back.providerState,
            back.callbackUrl,
          ),
        );
      });
    },

    /** Asks the bank until its `wait` step is over. Asking changes nothing there, so a lost activity is begun again. */
    async awaitBank({
      sessionId,
      provider: name,
      attemptKey,
    }: LoginAttempt): Promise<BankLoginResult> {
      const provider = providers.get(name);
      const { poll } = provider;
      if (poll === undefined)
        throw new ProviderFailure('internal', 'This provider has nothing to wait for.');
      return withHeartbeats(async (signal) => {
        const attempt = await attemptOf(sessionId, attemptKey, signal);
        const state = await openState(sessionId);
        const asked = new PatientQuestion(() => poll.call(provider, attempt.context, state));
        const prepared = await bankLogins.preparedStep(sessionId);
        for (let waitMs = prepared?.pollAfterMs ?? POLL_AFTER_MS; ;) {
          await sleep(waitMs);
          const outcome = await asked.again();
          if (outcome !== null && !isStillWaiting(outcome)) return keep(provider, attempt, outcome);
          waitMs = outcome?.pollAfterMs ?? waitMs;
        }
      });
    },
  };

  function away(way: string, until: Date): BankLoginResult {
    return { kind: 'away', way, expiresInMs: Math.max(0, until.getTime() - now().getTime()) };
  }

  async function attemptOf(
    sessionId: string,
    attemptKey: string,
    signal: AbortSignal,
  ): Promise<Attempt> {
    const facts = await bankLogins.loginFacts(sessionId);
    if (facts === null || facts.attemptKey !== attemptKey) throw noLogin();
    const { linkId, provider: _provider, ...known } = facts;
    return { sessionId, linkId, context: { ...known, attemptKey, signal }, attemptsLeft: null };
  }

  async function openAnswer(sessionId: string, name: string): Promise<StepInput> {
    const sealed = await sessions.openAnswer(sessionId, name);
    if (sealed === null) throw noLogin();
    return JSON.parse(sealed.toString('utf8')) as StepInput;
  }

  async function openState(sessionId: string): Promise<ProviderSecret> {
    const state = await bankLogins.providerState(sessionId);
    if (state === null) throw noLogin();
    return state;
  }
}

const POLL_AFTER_MS = 2_000;

/** The session or this login ended, or what was sealed for it was erased, while the activity was on its way. */
function noLogin(): ProviderFailure {
  return new ProviderFailure('internal', 'There is no login under way in this session.');
}

export type LoginActivities = ReturnType<typeof createLoginActivities>;
