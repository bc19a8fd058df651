import type { StepInput } from '../../../domain/session/connect-step.js';
import type { LoginContext, LoginOutcome, ProviderSecret } from '../../contract/provider.js';
import type { BankClient } from '../client/bank-client.js';
import { failureOfRefusal, LoginMovedOn, REFUSAL_REASONS } from '../client/failure-table.js';
import { PROMPT_KINDS, toAnswer, toStep } from './login-steps.js';
import { toPermission, TOKEN } from './permission.js';
import { startLogin } from './start-login.js';
import { RemoteObject } from '../../http/remote-object.js';
import { encodeState, SealedState } from '../client/sealed-state.js';

export interface StepLoginParts {
  callBank: BankClient;
  /** The bank's URL for browsers. */
  publicUrl: string;
}

const POLL_AFTER_MS = 1_000;

/** Codes and texts for answers that the bank rejects. */
const ERROR_OF = {
  WRONG_PASSWORD: {
    code: 'invalid_credentials',
    text: 'The user name or password was not accepted.',
  },
  WRONG_CODE: { code: 'invalid_code', text: 'That code wasn’t accepted.' },
  WRONG_ANSWERS: { code: 'invalid_answer', text: 'Those answers were not accepted.' },
  WRONG_PICTURE_TEXT: { code: 'invalid_answer', text: 'That is not what the picture shows.' },
  TOO_EARLY: { code: 'resend_too_early', text: 'Another code cannot be sent yet.' },
} as const;
const PROBLEMS = Object.keys(ERROR_OF) as (keyof typeof ERROR_OF)[];

export async function beginSteps(
  { callBank, publicUrl }: StepLoginParts,
  context: LoginContext,
): Promise<LoginOutcome> {
  return toOutcome(await startLogin(callBank, context, 'logins'), helpUrlOf(publicUrl, context));
}

/**
 * Submits an answer. If an earlier answer whose response was lost has been accepted, this one is
 * dropped and the login's current step is returned.
 */
export async function answerStep(
  parts: StepLoginParts,
  context: LoginContext,
  state: ProviderSecret,
  input: StepInput,
): Promise<LoginOutcome> {
  const login = new SealedState(state, 'login');
  const asked = PROMPT_KINDS.find((kind) => kind === login.text('asked')) ?? 'PASSWORD';
  try {
    const response = await parts.callBank({
      operation: 'login',
      method: 'POST',
      path: ['v1', 'logins', login.text('login_id'), 'answers'],
      body: { step: login.number('step'), ...toAnswer(asked, input) },
      expect: 200,
      signal: context.signal,
    });
    return toOutcome(new RemoteObject(response, 'login'), helpUrlOf(parts.publicUrl, context));
  } catch (error) {
    if (error instanceof LoginMovedOn) return pollStep(parts, context, state);
    throw error;
  }
}

export async function pollStep(
  { callBank, publicUrl }: StepLoginParts,
  context: LoginContext,
  state: ProviderSecret,
): Promise<LoginOutcome> {
  const response = await callBank({
    operation: 'login',
    method: 'GET',
    path: ['v1', 'logins', new SealedState(state, 'login').text('login_id')],
    signal: context.signal,
  });
  return toOutcome(new RemoteObject(response, 'login'), helpUrlOf(publicUrl, context));
}

/**
 * Translates a login into an outcome.
 * @throws ProviderFailure if the login was refused
 */
export function toOutcome(login: RemoteObject, helpUrl: string): LoginOutcome {
  switch (login.oneOf('status', ['OPEN', 'CONNECTED', 'REFUSED'])) {
    case 'REFUSED':
      throw failureOfRefusal(login.oneOf('reason', REFUSAL_REASONS));
    case 'CONNECTED':
      return toPermission(login, 'ask');
    case 'OPEN': {
      const ask = login.object('ask');
      const asked = ask.oneOf('kind', PROMPT_KINDS);
      return {
        kind: 'step',
        step: toStep(ask, asked, helpUrl),
        message: login.textOrNull('message', { max: 500 }),
        error:
          login.textOrNull('problem', { max: 40 }) === null
            ? null
            : ERROR_OF[login.oneOf('problem', PROBLEMS)],
        attemptsLeft:
          asked === 'APPROVAL' || asked === 'DEVICE'
            ? null
            : login.wholeNumber('tries_left', { max: 100 }),
        expiresAt: login.timestampOrNull('answer_by'),
        pollAfterMs: asked === 'APPROVAL' ? POLL_AFTER_MS : null,
        state: encodeState({
          login_id: login.text('login_id', { max: 100, pattern: TOKEN }),
          step: login.wholeNumber('step', { max: 1_000 }),
          asked,
        }),
      };
    }
  }
}

function helpUrlOf(publicUrl: string, { remoteId }: LoginContext): string {
  return `${publicUrl}/help/${remoteId}`;
}
