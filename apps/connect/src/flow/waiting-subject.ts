import type { Step, StepInput } from '../../../../packages/connect-protocol/src/step.js';

/**
 * The subject of a wait, by the purpose, kind or action of what was sent, and by the stage of a step
 * that waits by itself. Without one, only the wait is known.
 */
const SUBJECTS = {
  select_institution: 'to_connect',
  credentials: 'sign_in',
  questions: 'answer',
  details: 'answer',
  otp_device: 'new_code',
  option: 'to_connect',
  otp: 'code',
  resend: 'new_code',
  image: 'answer',
  select_accounts: 'choice',
  consent: 'choice',
  retry: 'to_connect',
  oauth_start: 'page',
  oauth_return: 'sign_in',
  connecting: 'to_connect',
  waiting_for_approval: 'approval',
  loading_accounts: 'accounts',
} as const;

export type WaitingCause = keyof typeof SUBJECTS;
export type WaitingSubject = (typeof SUBJECTS)[WaitingCause];

export function subjectOf(cause: string | null): WaitingSubject | null {
  return cause !== null && Object.hasOwn(SUBJECTS, cause) ? SUBJECTS[cause as WaitingCause] : null;
}

/** The kind of an answer, as the table names it. */
export function causeOfAnswer(step: Step, input: StepInput): string {
  if ('resend' in input) return 'resend';
  if (input.kind === 'error') return input.action;
  return input.kind === step.kind && 'purpose' in step ? step.purpose : input.kind;
}
