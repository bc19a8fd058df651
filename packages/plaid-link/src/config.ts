/** plaid-compat 10.1: the options of `Plaid.create`. Other keys are ignored. */
export interface PlaidConfig {
  token?: string | null;
  onSuccess?: (publicToken: string, metadata: SuccessMetadata) => void;
  onExit?: (error: PlaidLinkError | null, metadata: ExitMetadata) => void;
  onEvent?: (name: string, metadata: EventMetadata) => void;
  onLoad?: () => void;
  /** The URL of the page the bank redirected the user to. */
  receivedRedirectUri?: string | null;
}

export interface PlaidHandler {
  open(): void;
  exit(options?: { force?: boolean } | null): void;
  submit(data?: unknown): void;
  destroy(): void;
}

export interface PlaidLinkError {
  error_type: string;
  error_code: string;
  error_message: string;
  display_message: string | null;
}

export interface LinkInstitution {
  name: string;
  institution_id: string;
}

export interface LinkAccount {
  id: string;
  name: string;
  mask: string | null;
  type: string;
  subtype: string | null;
  verification_status: null;
  class_type: null;
}

export interface SuccessMetadata {
  institution: LinkInstitution | null;
  accounts: LinkAccount[];
  link_session_id: string;
  transfer_status: null;
}

export interface ExitMetadata {
  institution: LinkInstitution | null;
  link_session_id: string;
  request_id: string;
  status: string | null;
}

/** Every key is present; null when it does not apply. */
export type EventMetadata = Record<
  | 'institution_id'
  | 'institution_name'
  | 'error_type'
  | 'error_code'
  | 'error_message'
  | 'exit_status'
  | 'mfa_type'
  | 'view_name'
  | 'selection'
  | 'institution_search_query'
  | 'account_number_mask'
  | 'is_update_mode'
  | 'match_reason'
  | 'routing_number',
  string | null
> & { link_session_id: string; request_id: string; timestamp: string };
