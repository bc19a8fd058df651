/** Source: link-lifecycle 6.1. */
export const LINK_STATES = [
  'connecting',
  'awaiting_token_exchange',
  'connected',
  'error',
  'deleted',
] as const;
export type LinkState = (typeof LINK_STATES)[number];

export const LINK_ERRORS = [
  'system_error',
  'provider_error',
  'institution_error',
  'user_error',
  'auth_expired',
  'incomplete',
] as const;
export type LinkError = (typeof LINK_ERRORS)[number];

/** Link errors that a successful fetch clears. Source: link-lifecycle 6.3. */
export const FETCH_FAULTS: readonly LinkError[] = [
  'institution_error',
  'provider_error',
  'system_error',
];

/** The part of a link that the state table reads. */
export interface LinkStatus {
  state: LinkState;
  error: LinkError | null;
  /** The link was connected at least once, or imported. */
  everConnected: boolean;
}
