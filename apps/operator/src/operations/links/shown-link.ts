import type { LinkError, LinkState } from '../../../../../domain/link/link-state.js';

/** A link as operators see it; times are ISO 8601. */
export interface ShownLink {
  link_id: string;
  app_id: string;
  environment: string;
  institution_id: string;
  provider: string;
  state: LinkState;
  error: LinkError | null;
  error_message: string | null;
  error_cause: string | null;
  meaning: string;
  remedy: string | null;
  created_at: string;
  connected_at: string | null;
  exchange_expires_at: string | null;
  next_due_at: string | null;
  slow_due_at: string | null;
  /** Refreshes in a row that failed for every product. */
  faulty_runs: number;
  products: ShownProduct[];
  incomplete_accounts: ShownIncomplete[];
  workflow_ids: string[];
  /** The last ones, newest first. */
  events: ShownEvent[];
  unrevoked_permissions: ShownUnrevoked[];
}

export interface ShownProduct {
  product: string;
  granted: boolean;
  state: string | null;
  refreshed_at: string | null;
  last_attempted_at: string | null;
  error_code: string | null;
  error_cause: string | null;
}

/** An account of which the last fetch of a product was incomplete. */
export interface ShownIncomplete {
  product: string;
  adapter: string;
  /** Null = an unknown account. */
  provider_account_id: string | null;
  name: string | null;
  reason: string;
  resource: string;
  field: string;
  fault: string | null;
  since: string;
}

/** An event with the state of its newest delivery. */
export interface ShownEvent {
  event_id: string;
  webhook_event: string;
  created_at: string;
  delivery_token: string | null;
  status: string | null;
  attempts: number;
  next_attempt_at: string | null;
}

/** A permission that was erased here and must be ended at its source. */
export interface ShownUnrevoked {
  provider: string;
  reference: string | null;
  reason: string;
  created_at: string;
}
