import type { CallFailure } from '../session/call-failure.js';
import {
  BARE_ERROR,
  type ConnectError,
} from '../../../../packages/connect-protocol/src/payloads.js';
import type { Fault, Step, StepOf } from '../../../../packages/connect-protocol/src/step.js';
import type { Texts } from '../texts/texts.js';
import type { Problem } from './flow-state.js';

/** The names used in the texts of a problem. */
export interface Naming {
  app: string;
  bank: string;
}

interface EndingFailure {
  exitReason: Problem['exitReason'];
  fault: Fault;
}

/** Failed calls that cannot be retried; all others can. Source: connect 6. */
const ENDING_FAILURES: Record<string, EndingFailure> = {
  'connect_error.invalid_session_token': { exitReason: 'error', fault: 'user' },
  'connect_error.origin_not_allowed': { exitReason: 'error', fault: 'service' },
  'connect_error.institution_not_available': { exitReason: 'error', fault: 'service' },
  'connect_error.session_closed': { exitReason: 'error', fault: 'user' },
  'connect_error.session_expired': { exitReason: 'expired', fault: 'user' },
  'connect_error.oauth_state_invalid': { exitReason: 'error', fault: 'user' },
  'connect_error.unsupported_step': { exitReason: 'error', fault: 'service' },
};

export function problemOfFailure(
  errorId: string,
  requestId: string | null,
  texts: Texts,
  names: Naming,
  at: Date,
): Problem {
  const ends = ENDING_FAILURES[errorId];
  const message =
    bodyOf(errorId, texts, names) ?? bodyOf('connect_error.unavailable', texts, names) ?? '';
  return {
    error: {
      ...BARE_ERROR,
      error_id: errorId,
      displayed_message: message,
      request_id: requestId,
      fault: ends?.fault ?? 'service',
    },
    actions: ends === undefined ? ['retry', 'exit'] : ['exit'],
    institutionUrl: null,
    exitReason: ends?.exitReason ?? 'error',
    at,
  };
}

export function errorOfFailure(
  { errorId, requestId }: CallFailure,
  displayedMessage: string,
): ConnectError {
  return {
    ...BARE_ERROR,
    error_id: errorId,
    displayed_message: displayedMessage,
    request_id: requestId,
  };
}

export function problemOfStep(
  step: StepOf<'error'>,
  texts: Texts,
  names: Naming,
  at: Date,
): Problem {
  return {
    error: {
      error_id: step.error_id,
      displayed_message: bodyOf(step.error_id, texts, names) ?? step.displayed_message,
      request_id: null,
      fault: step.fault,
      link_error: step.link_error,
    },
    actions: step.actions.filter(
      (action) => action !== 'open_institution' || isWebAddress(step.institution_url),
    ),
    institutionUrl: isWebAddress(step.institution_url) ? step.institution_url : null,
    exitReason: 'error',
    at,
  };
}

/** A refused answer as the SDK receives it; null when it is not an error. */
export function errorOfRefusedAnswer(step: Step, displayedMessage: string): ConnectError | null {
  if (
    step.error === null ||
    step.error.code === 'interrupted' ||
    step.error.code === 'resend_too_early'
  )
    return null;
  const errorId =
    step.kind === 'form' && step.purpose === 'credentials'
      ? 'connect_error.invalid_credentials'
      : 'connect_error.mfa_failed';
  return {
    error_id: errorId,
    displayed_message: displayedMessage,
    request_id: null,
    fault: 'user',
    link_error: 'user_error',
  };
}

/**
 * The heading of a problem, in the user's language even when the sentence below is the service's
 * own.
 */
export function titleOf(errorId: string, texts: Texts, names: Naming): string {
  const key = `problem_${shortName(errorId)}_title`;
  return read(key, texts, names) ?? texts.get('problem_other_title');
}

function bodyOf(errorId: string, texts: Texts, names: Naming): string | null {
  return read(`problem_${shortName(errorId)}`, texts, names);
}

function read(key: string, texts: Texts, names: Naming): string | null {
  // A problem text may use either name and needs neither.
  return texts.has(key) ? texts.get(key as 'problem_no_eligible_accounts', names) : null;
}

function shortName(errorId: string): string {
  const name = errorId.replace(/^connect_error\./, '');
  return name === 'rate_limited' ? 'unavailable' : name;
}

export const isWebAddress = (address: string | null): address is string =>
  address !== null && /^https?:\/\//i.test(address);

/**
 * A page, or a place in an app by its own scheme; the service accepts no others, and nothing here
 * runs as a script.
 */
export const isAppAddress = (address: string): boolean =>
  /^[a-z][a-z0-9+.-]*:\//i.test(address) &&
  !/^(javascript|data|vbscript|blob|file):/i.test(address);
