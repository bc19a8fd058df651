import type { ErrorAction, Fault, StepContent } from './connect-step.js';
import type { LinkError } from '../link/link-state.js';

interface Problem {
  fault: Fault;
  linkError: LinkError | null;
  actions: readonly ErrorAction[];
  text: string;
}

/** The problems Connect can show as an error step. Source: connect 6. */
export const CONNECT_PROBLEMS = {
  'connect_error.invalid_credentials': problem(
    'user',
    'user_error',
    ['retry', 'choose_another', 'exit'],
    'The bank did not accept the sign-in.',
  ),
  'connect_error.mfa_failed': problem(
    'user',
    'user_error',
    ['retry', 'choose_another', 'exit'],
    'The bank did not accept the additional check.',
  ),
  'connect_error.account_locked': problem(
    'user',
    'user_error',
    ['open_institution', 'retry', 'choose_another', 'exit'],
    'The bank has locked this sign-in. Unlock it at the bank, then come back.',
  ),
  'connect_error.user_action_required': problem(
    'user',
    'user_error',
    ['open_institution', 'retry', 'choose_another', 'exit'],
    'The bank asks you to do something there first.',
  ),
  'connect_error.oauth_denied': problem(
    'user',
    'user_error',
    ['retry', 'choose_another', 'exit'],
    'Access was not allowed at the bank.',
  ),
  'connect_error.incomplete': problem(
    'user',
    'incomplete',
    ['open_institution', 'retry', 'exit'],
    'A step at the bank is still open.',
  ),
  'connect_error.no_accounts': problem(
    'institution',
    'institution_error',
    ['choose_another', 'exit'],
    'The bank shows no account for this sign-in.',
  ),
  'connect_error.no_eligible_accounts': problem(
    'institution',
    'institution_error',
    ['choose_another', 'exit'],
    'None of the accounts at this bank can be used here.',
  ),
  'connect_error.institution_down': problem(
    'institution',
    'institution_error',
    ['retry', 'choose_another', 'exit'],
    'The bank is not reachable at the moment.',
  ),
  'connect_error.timeout': problem(
    'institution',
    'institution_error',
    ['retry', 'choose_another', 'exit'],
    'The bank did not answer in time.',
  ),
  'connect_error.provider_down': problem(
    'provider',
    'provider_error',
    ['retry', 'choose_another', 'exit'],
    'The connection to the bank is not available at the moment.',
  ),
  'connect_error.duplicate_institution': problem(
    'user',
    null,
    ['choose_another', 'exit'],
    'This bank is already connected.',
  ),
  'connect_error.trial_limit_reached': problem(
    'service',
    null,
    ['exit'],
    'No more banks can be connected here at the moment.',
  ),
  'connect_error.internal': problem(
    'service',
    'system_error',
    ['retry', 'exit'],
    'Something went wrong on our side.',
  ),
} as const satisfies Record<string, Problem>;
export type ConnectProblemId = keyof typeof CONNECT_PROBLEMS;

function problem(
  fault: Fault,
  linkError: LinkError | null,
  actions: readonly ErrorAction[],
  text: string,
): Problem {
  return { fault, linkError, actions, text };
}

export function isConnectProblem(id: string): id is ConnectProblemId {
  return id in CONNECT_PROBLEMS;
}

/**
 * Builds the content of an error step. `mayChooseAnother` is false in a relink and in a session for
 * one institution (connect 5, rule 10); `institutionUrl` belongs to the action `open_institution`.
 */
export function makeErrorStep(
  id: ConnectProblemId,
  options: { mayChooseAnother: boolean; institutionUrl: string | null },
): Extract<StepContent, { kind: 'error' }> {
  const found: Problem = CONNECT_PROBLEMS[id];
  return {
    kind: 'error',
    error_id: id,
    displayed_message: found.text,
    fault: found.fault,
    link_error: found.linkError,
    actions: found.actions.filter(
      (action) => action !== 'choose_another' || options.mayChooseAnother,
    ),
    institution_url: options.institutionUrl,
  };
}
