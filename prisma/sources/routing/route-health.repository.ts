import { HEALTH_HALF_LIFE_MS } from '../../../domain/institutions/route-health.js';
import type { ProviderCause } from '../../../domain/errors/provider-failure.js';
import type { Context } from '../../base/context.js';

/** Calls through one route since the last report. */
export interface RouteCalls {
  provider: string;
  /** The provider's id of the institution. */
  remoteId: string;
  operation: 'login' | 'fetch';
  successes: number;
  failures: number;
  lastCause: ProviderCause | null;
}

/** The recent outcomes of calls through routes; counts decay by `HEALTH_HALF_LIFE_MS`. */
export class RouteHealthRepository {
  constructor(private readonly ctx: Context) {}

  /** Adds calls to the decayed counts of their routes. */
  async add(calls: readonly RouteCalls[]): Promise<void> {
    const now = this.ctx.clock();
    await this.ctx.database.pool.query(
      `INSERT INTO route_health AS known (institution_id, provider, operation, successes, failures, last_cause, last_ok_at, changed_at)
       SELECT route.institution_id, calls.provider, operation, successes, failures, last_cause, CASE WHEN successes > 0 THEN $7::timestamptz END, $7::timestamptz
         FROM unnest($1::text[], $2::text[], $3::text[], $4::float8[], $5::float8[], $6::text[]) AS calls (remote_id, provider, operation, successes, failures, last_cause)
         JOIN institution_routes route ON route.provider = calls.provider AND route.remote_id = calls.remote_id
        ORDER BY 1, 2, 3
       ON CONFLICT (institution_id, provider, operation) DO UPDATE SET
         successes = known.successes * power(0.5, greatest(0, extract(epoch FROM excluded.changed_at - known.changed_at)) / $8::float8) + excluded.successes,
         failures = known.failures * power(0.5, greatest(0, extract(epoch FROM excluded.changed_at - known.changed_at)) / $8::float8) + excluded.failures,
         last_cause = coalesce(excluded.last_cause, known.last_cause),
         last_ok_at = coalesce(excluded.last_ok_at, known.last_ok_at),
         changed_at = excluded.changed_at`,
      [
        calls.map(({ remoteId }) => remoteId),
        calls.map(({ provider }) => provider),
        calls.map(({ operation }) => operation),
        calls.map(({ successes }) => successes),
        calls.map(({ failures }) => failures),
        calls.map(({ lastCause }) => lastCause),
        now,
        HEALTH_HALF_LIFE_MS / 1_000,
      ],
    );
  }
}
