import type { Tenant } from '../../../domain/api/environment.js';
import type { Database } from '../../base/database/database.js';
import type { Statement } from '../../base/database/statement.js';

/** The newest deliveries that wait, and as many of disabled addresses, that are read. */
export const MAX_READ = 1_000;

/** An address of an app, with the deliveries that wait for it. */
export interface AppEndpoint {
  /** Origin and path: the query may hold a secret. */
  address: string;
  waiting: number;
  oldestAt: Date | null;
  /** The last attempt of any that waits. */
  last: { at: Date; httpStatus: number | null; error: string | null } | null;
  nextAttemptAt: Date | null;
  /** A link still has this address, which its receiver disabled. */
  isDisabled: boolean;
}

export interface AppEndpoints {
  /** Disabled ones first, then those with the most deliveries. */
  endpoints: AppEndpoint[];
  isCut: boolean;
}

export const appWaitingStatement = ({ appId, environment }: Tenant): Statement => ({
  text: `
    SELECT d.url, d.created_at AS "createdAt", d.last_attempt_at AS "lastAttemptAt", d.next_attempt_at AS "nextAttemptAt",
           (d.history -> -1 ->> 'httpStatus')::int AS "httpStatus", d.history -> -1 ->> 'error' AS error
      FROM webhook_deliveries d
     WHERE d.app_id = $1 AND d.environment = $2 AND d.newest AND d.status >= 'pending' AND d.status <= 'pending'
     ORDER BY d.status DESC, d.event_pk DESC LIMIT ${MAX_READ + 1}`,
  values: [appId, environment],
});

/** The present addresses of links with deliveries that a disabled address stopped; null = it works again, or is gone. */
export const appDisabledStatement = ({ appId, environment }: Tenant): Statement => ({
  text: `
    SELECT (SELECT l.webhook FROM links l
             WHERE l.link_id = (SELECT e.link_id FROM webhook_events e WHERE e.pk = d.event_pk) AND l.webhook_disabled_at IS NOT NULL) AS url
      FROM webhook_deliveries d
     WHERE d.app_id = $1 AND d.environment = $2 AND d.newest AND d.status >= 'disabled' AND d.status <= 'disabled'
     ORDER BY d.status DESC, d.event_pk DESC LIMIT ${MAX_READ + 1}`,
  values: [appId, environment],
});

interface WaitingRow {
  url: string | null;
  createdAt: Date;
  lastAttemptAt: Date | null;
  nextAttemptAt: Date | null;
  httpStatus: number | null;
  error: string | null;
}

export async function listAppEndpoints(
  { pool }: Pick<Database, 'pool'>,
  tenant: Tenant,
): Promise<AppEndpoints> {
  const [waiting, disabled] = await Promise.all([
    pool.query<WaitingRow>(appWaitingStatement(tenant)),
    pool.query<{ url: string | null }>(appDisabledStatement(tenant)),
  ]);
  const endpoints = new Map<string, AppEndpoint>();
  const of = (url: string): AppEndpoint => {
    const address = addressOf(url);
    const known = endpoints.get(address) ?? {
      address,
      waiting: 0,
      oldestAt: null,
      last: null,
      nextAttemptAt: null,
      isDisabled: false,
    };
    endpoints.set(address, known);
    return known;
  };
  for (const { url, ...row } of waiting.rows.slice(0, MAX_READ))
    if (url !== null) addWaiting(of(url), row);
  for (const { url } of disabled.rows.slice(0, MAX_READ))
    if (url !== null) of(url).isDisabled = true;
  return {
    endpoints: [...endpoints.values()].sort(
      (one, other) =>
        Number(other.isDisabled) - Number(one.isDisabled) || other.waiting - one.waiting,
    ),
    isCut: waiting.rows.length > MAX_READ || disabled.rows.length > MAX_READ,
  };
}

function addWaiting(endpoint: AppEndpoint, row: Omit<WaitingRow, 'url'>): void {
  const { createdAt, lastAttemptAt, nextAttemptAt, httpStatus, error } = row;
  endpoint.waiting += 1;
  endpoint.oldestAt = earlier(endpoint.oldestAt, createdAt);
  endpoint.nextAttemptAt = earlier(endpoint.nextAttemptAt, nextAttemptAt);
  if (lastAttemptAt !== null && (endpoint.last === null || lastAttemptAt > endpoint.last.at))
    endpoint.last = { at: lastAttemptAt, httpStatus, error };
}

const earlier = (one: Date | null, other: Date | null): Date | null =>
  one === null || (other !== null && other < one) ? other : one;

/** An address without its query, fragment and credentials. */
export function addressOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}
