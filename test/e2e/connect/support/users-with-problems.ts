/** The users of Credentials Bank whose login ends in an error, with the step and the error of the link. */
export const USERS_WITH_PROBLEMS: readonly [string, Record<string, unknown>, string][] = [
  [
    'locked',
    {
      error_id: 'connect_error.account_locked',
      fault: 'user',
      actions: ['open_institution', 'choose_another', 'exit'],
      institution_url: 'https://credentials-bank.example',
    },
    'user_error',
  ],
  [
    'no_accounts',
    {
      error_id: 'connect_error.no_accounts',
      fault: 'institution',
      actions: ['choose_another', 'exit'],
    },
    'institution_error',
  ],
  [
    'error_system_error',
    { error_id: 'connect_error.internal', fault: 'service', actions: ['retry', 'exit'] },
    'system_error',
  ],
  [
    'error_provider_error',
    {
      error_id: 'connect_error.provider_down',
      fault: 'provider',
      actions: ['retry', 'choose_another', 'exit'],
    },
    'provider_error',
  ],
  [
    'error_institution_error',
    {
      error_id: 'connect_error.institution_down',
      fault: 'institution',
      actions: ['retry', 'choose_another', 'exit'],
    },
    'institution_error',
  ],
  [
    'error_user_error',
    {
      error_id: 'connect_error.user_action_required',
      fault: 'user',
      actions: ['open_institution', 'choose_another', 'exit'],
    },
    'user_error',
  ],
  [
    'error_incomplete',
    {
      error_id: 'connect_error.incomplete',
      fault: 'user',
      actions: ['open_institution', 'exit'],
    },
    'incomplete',
  ],
];
