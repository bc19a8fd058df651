import type { Step } from '../../../../packages/connect-protocol/src/step.js';
import type { View } from '../../../../packages/connect-protocol/src/view.js';

/** Values that the sandbox band can fill in. */
export interface Suggestion {
  label: string;
  values: readonly string[];
}

const CREDENTIALS_BANK = 'sandbox-credentials-bank';
const PASSWORD = 'pass_good';

/** Source: link-lifecycle 13.3. */
const USERS = [
  'user_good',
  'mfa_sms',
  'mfa_email',
  'mfa_choice',
  'mfa_questions',
  'mfa_image',
  'mfa_push',
  'locked',
  'no_accounts',
  'error_system_error',
  'error_provider_error',
  'error_institution_error',
  'error_user_error',
  'error_incomplete',
  'error_auth_expired',
  'slow_5',
  'auth_expires',
  'auth_expires_90',
  'user_custom',
  'user_dynamic',
] as const;

const ANSWERS: Partial<Record<Step['kind'], readonly string[]>> = {
  otp: ['123456'],
  image: ['7A3F'],
  form: ['blue', 'rex'],
};

export function suggestionsFor({ institution, step }: View): Suggestion[] {
  if (institution?.institution_id !== CREDENTIALS_BANK) return [];
  if (step.kind === 'form' && step.purpose === 'credentials')
    return USERS.map((user) => ({ label: user, values: [user, PASSWORD] }));
  const values = ANSWERS[step.kind];
  return values === undefined ? [] : [{ label: values.join(', '), values }];
}
