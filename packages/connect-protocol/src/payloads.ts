// connect 9.1: the arguments of the callbacks. Wire data keeps its snake_case.

/** The institution the end user chose. `color` values are CSS colors, `logo_url` an address of the service. */
export interface ConnectInstitution {
  institution_id: string;
  name: string;
  country: string;
  domain: string | null;
  color: string | null;
  color_dark: string | null;
  logo_url: string | null;
}

/** An account the end user shared. `account_mask` is the end of its number. */
export interface ConnectAccount {
  account_id: string;
  account_type: string;
  name: string;
  account_mask: string | null;
}

/** A new link; the back end exchanges `exchangeable_token` within `expires_in` seconds. */
export interface ConnectLinkSuccess {
  mode: 'link';
  exchangeable_token: string;
  expires_in: number;
  /** In sessions created by the Plaid-compatible layer. */
  public_token?: string;
  session_id: string;
  institution: ConnectInstitution;
  accounts: ConnectAccount[];
}

/** A repaired link; it keeps its id, so there is no token to exchange for it. */
export interface ConnectRelinkSuccess {
  mode: 'relink';
  /**
   * Only when the session was continued in a window that never had its token: the link is unchanged until the back end
   * exchanges this one, with the `expected_customer_user_id` of the signed-in user, as the token of a new link.
   */
  confirmation_token?: string;
  /** Only with `confirmation_token`: the seconds in which it can be exchanged. */
  expires_in?: number;
  /** In sessions created by the Plaid-compatible layer. */
  public_token?: string;
  /** Only where the session was for a new link and the end user chose to renew an existing one. */
  existing_link_id?: string;
  session_id: string;
  institution: ConnectInstitution;
  accounts: ConnectAccount[];
}

export type ConnectSuccess = ConnectLinkSuccess | ConnectRelinkSuccess;

/** `error_id` is for programs, `displayed_message` is the text that the end user read. */
export interface ConnectError {
  error_id: string;
  displayed_message: string;
  request_id: string | null;
  fault: string;
  link_error: string | null;
}

/** The default members of an error. */
export const BARE_ERROR = {
  displayed_message: '',
  request_id: null,
  fault: 'service',
  link_error: null,
} as const;

/** After these errors a token no longer opens a session, or not the continued one. Source: connect 6. */
const TOKEN_REFUSALS = new Set([
  'connect_error.invalid_session_token',
  'connect_error.oauth_state_invalid',
  'connect_error.session_closed',
  'connect_error.session_expired',
]);

/** True: an SDK deletes its kept token, so that the next return does not fail for the same reason. */
export function refusesToken({ error_id: errorId }: ConnectError): boolean {
  return TOKEN_REFUSALS.has(errorId);
}

export type ConnectExitReason =
  | 'user_closed'
  | 'error'
  | 'connect_manually'
  | 'moved'
  | 'expired'
  | 'programmatic';

export interface ConnectExit {
  reason: ConnectExitReason;
  error: ConnectError | null;
  session_id: string | null;
  institution: ConnectInstitution | null;
  search_term: string | null;
}

export type ConnectEventName =
  | 'open'
  | 'exit'
  | 'success'
  | 'error'
  | 'change_screen'
  | 'search_institution'
  | 'select_institution'
  | 'dismiss_institution_alert'
  | 'acknowledge_institution_alert'
  | 'open_institution_website'
  | 'submit_credentials'
  | 'submit_mfa'
  | 'submit_otp_device'
  | 'submit_otp'
  | 'select_help'
  | 'select_reset_password'
  | 'open_oauth'
  | 'return_oauth'
  | 'cancel_oauth'
  | 'submit_permissions'
  | 'submit_accounts'
  | 'connect_manually';

/** connect 11: names may be added, so a consumer must ignore unknown ones. */
export interface ConnectEvent {
  name: ConnectEventName | (string & {});
  properties: Record<string, unknown>;
  meta: {
    link_type: 'link' | 'relink';
    timestamp: string;
    /** null only when the flow ended before the hosted app knew its session */
    link_session_id: string | null;
    institution_id?: string;
    institution_name?: string;
  };
}
