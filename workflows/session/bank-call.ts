import {
  ActivityCancellationType,
  CancellationScope,
  isCancellation,
  proxyActivities,
} from '@temporalio/workflow';
import type { BankLoginResult } from '../../activities/linking/bank-login-result.js';
import type { LinkingActivities } from '../../activities/linking/linking-activities.js';
import type { LoginActivities } from '../../activities/linking/login-activities.js';
import type { SessionEffect } from '../../domain/session/session-effect.js';
import type { SessionEvent } from '../../domain/session/session-phase.js';
import { INTERACTIVE, LONG_POLL } from '../activity-options.js';
import { endOfActivity } from '../provider-cause.js';
import { providerQueue } from '../task-queues.js';
import type { Deadlines } from './deadlines.js';
import type { Inbox, Interruption } from './inbox.js';

type CallBank = Extract<SessionEffect, { name: 'callBank' }>;

export interface BankCallDeps {
  sessionId: string;
  linking: Pick<LinkingActivities, 'loadSession'>;
  inbox: Inbox;
  deadlines: Deadlines;
}

/**
 * Calls the bank until it responds or the user interrupts it. An interruption cancels the call but
 * waits for its result, because the cancellation may come too late.
 */
export async function callBank(
  effect: CallBank,
  { sessionId, linking, inbox, deadlines }: BankCallDeps,
): Promise<SessionEvent> {
  const { interruption, result } = await interruptible(() => request(effect, sessionId), {
    inbox,
    deadlines,
  });
  const isAbandoned =
    interruption !== null &&
    interruption.name !== 'canceled' &&
    interruption.name !== 'stepTimeOver';
  if (isAbandoned) return inbox.take(interruption);
  if (result.status === 'fulfilled') return eventOf(result.value);
  if (interruption !== null && isCancellation(result.reason)) return interruption;
  const end = endOfActivity(result.reason);
  if (end.kind === 'failed') return { name: 'callFailed', cause: end.cause };
  // The worker died during the call. It may already have stored the permission, and a code must
  // not be sent twice.
  const row = await linking.loadSession(sessionId);
  return row?.phase === 'asking'
    ? { name: 'bankLinked', questions: row.questions }
    : {
        name: 'callLost',
        hasGrant: row?.hasGrant === true,
        wasInterrupted: interruption !== null,
      };
}

async function interruptible<T>(
  work: () => Promise<T>,
  { inbox, deadlines }: Pick<BankCallDeps, 'inbox' | 'deadlines'>,
): Promise<{ interruption: Interruption | null; result: PromiseSettledResult<T> }> {
  const scope = new CancellationScope();
  let result: PromiseSettledResult<T> | undefined;
  void scope.run(work).then(
    (value) => {
      result = { status: 'fulfilled', value };
    },
    (reason: unknown) => {
      result = { status: 'rejected', reason };
    },
  );
  let interruption: Interruption | null = null;
  while (result === undefined) {
    if (interruption === null) {
      interruption = inbox.interruption();
      if (interruption !== null) {
        // Leaving the step answered it: its deadline must neither wake this loop again nor end the
        // next step.
        deadlines.limitStep(null);
        scope.cancel();
      }
    }
    await deadlines.untilDue(
      () => result !== undefined || (interruption === null && inbox.interruption() !== null),
    );
  }
  if (interruption?.name === 'canceled') inbox.settleCancellation();
  return { interruption, result };
}

/**
 * Runs on the task queue of the provider. Waits for a canceled call: the bank may have accepted it.
 */
function request(
  { attempt, call, from, patienceMs }: CallBank,
  sessionId: string,
): Promise<BankLoginResult> {
  const { provider, attemptKey, institutionId: bank } = attempt.login;
  const login = { sessionId, provider, attemptKey };
  const limit = patienceMs === undefined ? {} : { patienceMs };
  const at = (options: typeof INTERACTIVE, summary: string) =>
    proxyActivities<LoginActivities>({
      ...options,
      taskQueue: providerQueue(provider),
      cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
      summary,
    });
  switch (call.kind) {
    case 'open':
      return at(INTERACTIVE, `log in at ${bank}`).openBankLogin({ ...login, ...limit });
    case 'startRedirect':
      return at(INTERACTIVE, `start a redirect to ${bank}`).startBankRedirect({
        ...login,
        ...limit,
        redirectId: call.redirectId,
      });
    case 'completeRedirect':
      return at(INTERACTIVE, `complete the redirect from ${bank}`).completeBankRedirect({
        ...login,
        redirectId: call.redirectId,
      });
    case 'answer':
      return at(INTERACTIVE, `answer ${from?.kind ?? 'a step'} at ${bank}`).answerBankStep({
        ...login,
        answer: call.answer,
        attemptsLeft: call.attemptsLeft,
      });
    case 'poll':
      return at(LONG_POLL, `wait for ${bank}`).awaitBank(login);
  }
}

function eventOf(result: BankLoginResult): SessionEvent {
  switch (result.kind) {
    case 'linked':
      return { name: 'bankLinked', questions: result.questions };
    case 'away':
      return { name: 'bankAway', redirectId: result.redirectId, expiresInMs: result.expiresInMs };
    case 'step': {
      const { refused, step, attemptsLeft, expiresInMs } = result;
      return { name: refused ? 'bankRefused' : 'bankAsked', step, attemptsLeft, expiresInMs };
    }
  }
}
