import type { CallFailure } from '../session/call-failure.js';
import {
  BARE_ERROR,
  type ConnectError,
} from '../../../../packages/connect-protocol/src/payloads.js';
import type { Step, StepOf } from '../../../../packages/connect-protocol/src/step.js';
import type { TextKey } from '../texts/catalog.js';
import type { Texts } from '../texts/texts.js';
import type { Problem, ProblemSentences } from './flow-state.js';
import { isNotice } from './step-error.js';
import { problemNameOf, problemRowOf, type ProblemName } from './problem-table.js';

/** The names used in the texts of a problem. */
export interface Naming {
  app: string;
  bank: string;
}

export function problemOfFailure(
  errorId: string,
  requestId: string | null,
  texts: Texts,
  names: Naming,
  at: Date,
): Problem {
  // Every failure that is not in the table can be repeated, as that of a service that is away.
  const name = problemNameOf(errorId) ?? 'unavailable';
  const { endsBy } = problemRowOf(name);
  const text = sentencesOf(name, '', texts, names);
  return {
    error: {
      ...BARE_ERROR,
      error_id: errorId,
      displayed_message: sentenceOf(text),
      request_id: requestId,
      fault: endsBy ?? 'service',
    },
    name,
    text,
    actions: endsBy === null ? ['retry', 'exit'] : ['exit'],
    institutionUrl: null,
    exitReason: name === 'session_expired' ? 'expired' : 'error',
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
  const name = problemNameOf(step.error_id);
  const text = sentencesOf(name, step.displayed_message, texts, names);
  return {
    error: {
      error_id: step.error_id,
      displayed_message: sentenceOf(text),
      request_id: null,
      fault: step.fault,
      link_error: step.link_error,
    },
    name,
    text,
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
  if (step.error === null || isNotice(step) || step.error.code === 'resend_too_early') return null;
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

/** @param serviceText the service's own sentence, for a problem that this version does not know */
export function sentencesOf(
  name: ProblemName | null,
  serviceText: string,
  texts: Texts,
  names: Naming,
): ProblemSentences {
  const cause = name === null ? null : read(`problem_${name}`, texts, names);
  if (cause === null) return { cause: texts.get('problem_other'), deed: serviceText || null };
  const { deed } = problemRowOf(name);
  return { cause, deed: deed === null ? null : read(deed, texts, names) };
}

/** The text that the user reads, as the SDK receives it. */
function sentenceOf({ cause, deed }: ProblemSentences): string {
  return deed === null ? cause : `${cause}. ${deed}`;
}

function read(key: TextKey, texts: Texts, names: Naming): string | null {
  // The text of a problem may use either name and needs neither.
  return texts.has(key) ? texts.get(key as 'problem_no_eligible_accounts', names) : null;
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
