import type { Step } from '../../../../packages/connect-protocol/src/step.js';
import type { Texts } from '../texts/texts.js';

const KNOWN_CODES: Record<
  string,
  | 'interrupted'
  | 'other_route'
  | 'code_too_early'
  | 'login_refused'
  | 'code_refused'
  | 'answer_refused'
  | 'setup_token_unreadable'
  | 'setup_token_not_allowed'
  | 'setup_token_refused'
  | 'setup_token_used_here'
> = {
  interrupted: 'interrupted',
  other_route: 'other_route',
  resend_too_early: 'code_too_early',
  invalid_credentials: 'login_refused',
  invalid_code: 'code_refused',
  invalid_answer: 'answer_refused',
  setup_token_unreadable: 'setup_token_unreadable',
  setup_token_not_allowed: 'setup_token_not_allowed',
  setup_token_refused: 'setup_token_refused',
  setup_token_used_here: 'setup_token_used_here',
};

/** Errors that refuse nothing: they use no attempt, and no one is at fault. */
const NOTICES: readonly string[] = ['interrupted', 'other_route'];

export const isNotice = ({ error }: Pick<Step, 'error'>): boolean =>
  error !== null && NOTICES.includes(error.code);

/**
 * The reason of the last refused answer, in the user's language; in the service's words where only they
 * are specific.
 */
export function stepErrorText(step: Step, texts: Texts): string | null {
  if (step.error === null) return null;
  const known = KNOWN_CODES[step.error.code];
  if (known !== undefined) return texts.get(known);
  if (texts.locale === 'en') return step.error.text;
  if (step.kind === 'otp') return texts.get('code_refused');
  return texts.get(
    step.kind === 'form' && step.purpose === 'credentials' ? 'login_refused' : 'answer_refused',
  );
}
