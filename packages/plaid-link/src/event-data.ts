import type { ConnectEvent } from '@tributary/connect-js';
import type { EventMetadata, PlaidLinkError } from './config.js';

/**
 * plaid-compat 10.2: our events (connect 11) by their names at Plaid; those that are missing have
 * none.
 */
const NAMES: Readonly<Record<string, string>> = {
  open: 'OPEN',
  select_institution: 'SELECT_INSTITUTION',
  submit_credentials: 'SUBMIT_CREDENTIALS',
  open_oauth: 'OPEN_OAUTH',
  cancel_oauth: 'CLOSE_OAUTH',
  change_screen: 'TRANSITION_VIEW',
  error: 'ERROR',
  exit: 'EXIT',
  success: 'HANDOFF',
};

/** Screens (connect 3) by their view names. */
const VIEWS: Readonly<Record<string, string>> = {
  finder: 'SELECT_INSTITUTION',
  credentials: 'CREDENTIAL',
  questions: 'MFA',
  options: 'MFA',
  code: 'MFA',
  picture: 'MFA',
  bank_redirect: 'OAUTH',
  progress: 'LOADING',
  permissions: 'CONSENT',
  accounts: 'SELECT_ACCOUNT',
  done: 'CONNECTED',
  problem: 'ERROR',
  leave: 'EXIT',
};

export interface EventContext {
  error: PlaidLinkError | null;
  requestId: string;
  exitStatus: string | null;
  linkSessionId: string;
}

/** Null = an event that has no equivalent at Plaid. */
export function plaidEvent(
  { name: ours, properties, meta }: ConnectEvent,
  { error, requestId, exitStatus, linkSessionId }: EventContext,
): { name: string; metadata: EventMetadata } | null {
  const name =
    ours === 'error' && /\.oauth_/.test(String(properties['error_id']))
      ? 'FAIL_OAUTH'
      : NAMES[ours];
  if (name === undefined) return null;
  const failed = name === 'ERROR' || name === 'FAIL_OAUTH' || name === 'EXIT' ? error : null;
  return {
    name,
    metadata: {
      institution_id: meta.institution_id ?? null,
      institution_name: meta.institution_name ?? null,
      error_type: failed?.error_type ?? null,
      error_code: failed?.error_code ?? null,
      error_message: failed?.error_message ?? null,
      exit_status: name === 'EXIT' ? exitStatus : null,
      mfa_type: null,
      view_name:
        name === 'TRANSITION_VIEW'
          ? (VIEWS[String(properties['current_screen_name'])] ?? null)
          : null,
      selection: null,
      institution_search_query: null,
      account_number_mask: null,
      is_update_mode: String(meta.link_type === 'relink'),
      match_reason: null,
      routing_number: null,
      link_session_id: meta.link_session_id ?? linkSessionId,
      request_id: requestId,
      timestamp: `${meta.timestamp.replace(/Z$/, '')}Z`,
    },
  };
}
