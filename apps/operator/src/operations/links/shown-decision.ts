/** The choice of a route for a login of a link. */
export interface ShownDecision {
  session_id: string;
  institution_id: string;
  /** ISO 8601. */
  decided_at: string;
  /** `first`, `relink` or `failover`. */
  why: string;
  /** Null = no route was possible. */
  chosen: string | null;
  routes: ShownRoute[];
  /** Null = the login did not fail. */
  failed_cause: string | null;
}

export interface ShownRoute {
  provider: string;
  verdict: 'chosen' | 'possible' | 'dropped';
  /** A name for programs. */
  reason: string;
}
