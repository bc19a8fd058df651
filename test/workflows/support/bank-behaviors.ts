import { CancelledFailure } from '@temporalio/activity';
import type { BankLoginResult } from '../../../activities/linking/bank-login-result.js';
import { ProviderFailure, type ProviderCause } from '../../../domain/errors/provider-failure.js';
import type { BankBehavior } from './fake-session.js';

/** The choice of the bank whose behavior a test sets. */
export const BANK = { kind: 'select_institution', institution_id: 'fake-bank' } as const;

/** A bank that requires another step. */
export const asks = (
  step: 'form' | 'otp' | 'choice' | 'image' | 'wait',
  more: { refused?: boolean; attemptsLeft?: number | null; expiresInMs?: number | null } = {},
): BankLoginResult => ({
  kind: 'step',
  step,
  refused: more.refused ?? false,
  attemptsLeft: more.attemptsLeft ?? null,
  expiresInMs: more.expiresInMs ?? null,
});

/**
 * A bank that responds only once it receives the announcement, or learns that no one waits anymore.
 */
export function slowBank(): {
  behavior: BankBehavior;
  asked: () => boolean;
  answer: (result: BankLoginResult) => void;
  canceled: () => boolean;
} {
  let wasAsked = false;
  let wasCanceled = false;
  let answer: (result: BankLoginResult) => void = () => undefined;
  const answered = new Promise<BankLoginResult>((resolve) => {
    answer = resolve;
  });
  return {
    behavior: (signal) => {
      wasAsked = true;
      const canceled = new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => {
          wasCanceled = true;
          reject(new Error('aborted'));
        });
      });
      return Promise.race([answered, canceled]);
    },
    asked: () => wasAsked,
    answer,
    canceled: () => wasCanceled,
  };
}

/** The failure that a workflow sees when the worker of an activity was stopped in the middle. */
export const lost: BankBehavior = () => {
  throw new CancelledFailure('the worker went away');
};

export const refuses =
  (cause: ProviderCause, failure: (cause: ProviderCause) => Error): BankBehavior =>
  () => {
    throw failure(cause);
  };

/** A bank that fails with a text of its own, which no history may contain. */
export const failing = (cause: Parameters<typeof refuses>[0]) =>
  refuses(cause, (known) => new ProviderFailure(known, 'canary-remote-text'));
