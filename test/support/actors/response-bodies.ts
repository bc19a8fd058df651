/** The parts of the wire format that the journeys read. */
export interface LinkBody {
  link_id: string;
  customer_user_id: string;
  institution_id: string;
  state: string;
  error_code: string | null;
  error_message: string | null;
  tags: string[];
  webhook: string | null;
  last_synced_at: string | null;
  products: Record<
    string,
    {
      refreshed_at: string | null;
      last_attempted_at: string | null;
      error_code: string | null;
      has_history?: boolean;
      settings?: Record<string, unknown>;
    }
  >;
}

export interface AccountBody {
  account_id: string;
  account_type: string;
  name: string;
  account_mask: string | null;
  balances: {
    currency: string;
    available: number | null;
    current: number | null;
    limit: number | null;
  };
}

export interface TransactionBody {
  transaction_id: string;
  account_id: string;
  amount: number;
  type: string;
  currency: string;
  date: string;
  pending: boolean;
  description: string | null;
  raw_description: string | null;
  category: string | null;
}

export interface TransactionsPage {
  total: number;
  page: number;
  size: number;
  transactions: TransactionBody[];
  accounts: AccountBody[];
  link: LinkBody;
}

export interface SyncPage {
  transactions: { created: TransactionBody[]; updated: TransactionBody[]; removed: string[] };
  cursor: { next: string };
  has_more: boolean;
  accounts: AccountBody[];
  link: LinkBody;
}

export interface ErrorBody {
  error_code: string;
  error_message: string;
  link_error_code?: string;
  validation_errors?: { location: (string | number)[]; message: string; type: string }[];
  view?: View;
}

export interface View {
  session_id: string;
  mode: string;
  environment: string;
  expires_at: string;
  seq: number;
  institution: { institution_id: string; name: string; login: string } | null;
  step: {
    kind: string;
    id: string;
    can_go_back: boolean;
    error: { code: string } | null;
    expires_at: string | null;
    error_id?: string;
    fault?: string;
    link_error?: string | null;
    actions?: string[];
    institution_url?: string | null;
    stage?: string;
    started?: boolean;
    attempts_left?: number | null;
    products?: { product: string }[];
    accounts?: {
      ref: string;
      name: string;
      account_mask: string | null;
      selected: boolean;
      locked: boolean;
    }[];
  };
}

export interface SessionResult {
  mode: string;
  exchangeable_token: string;
  confirmation_token?: string;
  public_token?: string;
  expires_in: number;
  existing_link_id?: string;
  session_id: string;
  institution: { institution_id: string };
  accounts: {
    account_id: string;
    account_type: string;
    name: string;
    account_mask: string | null;
  }[];
}

export interface SessionResponse {
  link_session_token: string;
  expires_at: string;
}

export interface ExchangeResponse {
  link_id: string;
  link: LinkBody;
  customer_user: { id: string };
}
