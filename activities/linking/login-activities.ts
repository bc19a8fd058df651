import { sleep } from '@temporalio/activity';
import type { StepInput } from '../../domain/session/connect-step.js';
import type { PlainAnswer } from '../../domain/session/session-phase.js';
import { ProviderFailure } from '../../domain/errors/provider-failure.js';
import { OTHER_ROUTE } from '../../domain/institutions/route-failover.js';
import { SEALED_SIGN_IN } from '../../domain/sandbox/sandbox-request.js';
import type { BankLoginRepository } from '../../prisma/work/linking/bank-login.repository.js';
import type { LoginGrantRepository } from '../../prisma/work/linking/login-grant.repository.js';
import type { ProviderRegistry } from '../../providers/registry.js';
import { withHeartbeats } from '../heartbeats.js';
import type { BankLoginResult } from './bank-login-result.js';
import { createLoginLoader, type LoginLoaderDeps } from './load-login.js';
import { isStillWaiting, LongPoll } from './long-poll.js';
import { withinPatience } from './within-patience.js';
import { createRedirectActivities, type RedirectActivityDeps } from './redirect-activities.js';
import { createOutcomeStore, type OutcomeStoreDeps } from './store-login-outcome.js';

export type LoginActivityDeps = LoginLoaderDeps &
  OutcomeStoreDeps &
  RedirectActivityDeps & {
    bankLogins: Pick<BankLoginRepository, 'preparedStep' | 'isElsewhere'>;
    grants: Pick<LoginGrantRepository, 'held'>;
    providers: Pick<ProviderRegistry, 'get'>;
  };

/** One login attempt at one bank. Identifiers only. */
export interface LoginAttempt {
  sessionId: string;
  provider: string;
  attemptKey: string;
}

/** The first call of a login. `patienceMs`: the time that the bank has to respond. */
export interface FirstCall extends LoginAttempt {
  patienceMs?: number;
}

export interface BankAnswer extends LoginAttempt {
  /** The answer itself, or the name under which a secret answer is sealed. */
  answer: PlainAnswer | { sealedAs: string };
  /** Shown with a wrong answer if the bank does not count attempts itself (connect 5, rule 6). */
  attemptsLeft: number;
}

const POLL_AFTER_MS = 2_000;

/** Linking activities that call a bank. They run on the task queue of its provider. */
export function createLoginActivities(deps: LoginActivityDeps) {
  const { bankLogins, grants, providers } = deps;
  const loader = createLoginLoader(deps);
  const { storeOutcome, listAndStore } = createOutcomeStore(deps);

  return {
    ...createRedirectActivities(deps, loader, storeOutcome),

    /** Starts a login, or continues one with the permission that it received before it failed. */
    async openBankLogin({
      sessionId,
      provider: name,
      attemptKey,
      patienceMs,
    }: FirstCall): Promise<BankLoginResult> {
      const provider = providers.get(name);
      return withHeartbeats(async (signal) => {
        const attempt = await loader.loadAttempt(sessionId, attemptKey, signal);
        const held = await grants.held({ sessionId, attemptKey, provider: name });
        if (held !== null) return listAndStore(provider, attempt, held);
        const outcome = await withinPatience(patienceMs, signal, (limited) =>
          provider.begin({ ...attempt.context, signal: limited }),
        );
        const isElsewhere = await bankLogins.isElsewhere(sessionId, attemptKey);
        return storeOutcome(
          provider,
          { ...attempt, notice: isElsewhere ? OTHER_ROUTE : null },
          outcome,
        );
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
        const attempt = await loader.loadAttempt(sessionId, attemptKey, signal);
        // Only POST /sandbox/link seals this value.
        const credentials = (await loader.openAnswer(sessionId, SEALED_SIGN_IN)) as {
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
        const attempt = await loader.loadAttempt(sessionId, attemptKey, signal);
        const input =
          'sealedAs' in answer
            ? ((await loader.openAnswer(sessionId, answer.sealedAs)) as StepInput)
            : answer;
        const outcome = await advance.call(
          provider,
          attempt.context,
          await loader.openState(sessionId),
          input,
        );
        return storeOutcome(provider, { ...attempt, attemptsLeft }, outcome);
      });
    },

    /**
     * Polls the bank until its `wait` step ends. Polling changes nothing at the bank, so a lost
     * activity is repeated; one that was lost after the end of the step continues with the
     * permission that the login received.
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
        const attempt = await loader.loadAttempt(sessionId, attemptKey, signal);
        const held = await grants.held({ sessionId, attemptKey, provider: name });
        if (held !== null) return listAndStore(provider, attempt, held);
        const state = await loader.openState(sessionId);
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
}

export type LoginActivities = ReturnType<typeof createLoginActivities>;
