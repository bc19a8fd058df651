import type { Tenant } from '../../../domain/api/environment.js';
import type { Database } from '../../base/database/database.js';
import { Values, type Statement } from '../../base/database/statement.js';

/** The key pairs and changes of state that are looked at. */
export const MAX_PAIRS = 200;
export const MAX_CHANGES = 200;
/** A pair has at most five that work, and those that ended in the last 90 days. */
export const MAX_SECRETS_READ = 25;

const STATE_CHANGED = 'link.state_changed';
const REPAIRED_PLAID = 'ITEM.LOGIN_REPAIRED';

export interface FirstSteps {
  keyUsedAt: Date | null;
  linked: { linkId: string; at: Date } | null;
  delivered: { eventId: string; at: Date } | null;
  repaired: { linkId: string; at: Date } | null;
  rotated: { clientId: string; at: Date } | null;
}

/** The secrets of an app, without what they are. */
export function secretUseStatement({ appId, environment }: Tenant): Statement {
  return {
    text: `
      SELECT c.client_id AS "clientId", s.created_at AS "createdAt", s.last_used_at AS "lastUsedAt"
        FROM (SELECT a.client_id FROM api_clients a
               WHERE a.app_id = $1 AND a.environment >= $2 AND a.environment <= $2
               ORDER BY a.app_id, a.environment, a.client_id LIMIT ${MAX_PAIRS}) AS c
       CROSS JOIN LATERAL (SELECT k.created_at, k.last_used_at FROM client_secrets k
               WHERE k.client_id >= c.client_id AND k.client_id <= c.client_id
               ORDER BY k.client_id LIMIT ${MAX_SECRETS_READ}) AS s`,
    values: [appId, environment],
  };
}

/** The first link that is listed. */
export function firstLinkStatement({ appId, environment }: Tenant): Statement {
  return {
    text: `
      SELECT l.link_id AS "linkId", l.connected_at AS at FROM links l
       WHERE l.app_id = $1 AND l.environment >= $2 AND l.environment <= $2 AND l.connected_at IS NOT NULL AND l.deleted_at IS NULL
       ORDER BY l.app_id, l.environment, l.pk LIMIT 1`,
    values: [appId, environment],
  };
}

/** The newest event whose receiver accepted it. */
export function newestDeliveredStatement({ appId, environment }: Tenant): Statement {
  return {
    text: `
      SELECT (SELECT e.event_id FROM webhook_events e WHERE e.pk = d.event_pk) AS "eventId", coalesce(d.last_attempt_at, d.created_at) AS at
        FROM webhook_deliveries d
       WHERE d.app_id = $1 AND d.environment = $2 AND d.newest AND d.status >= 'delivered' AND d.status <= 'delivered'
       ORDER BY d.status DESC, d.event_pk DESC LIMIT 1`,
    values: [appId, environment],
  };
}

/** The newest changes of state, newest first, and the newest repair that the format of Plaid announced. */
export function stateChangesStatement({ appId, environment }: Tenant): Statement {
  const values = new Values();
  const app = values.add(appId);
  const of = values.add(environment);
  const newest = (name: string, limit: number) => {
    const event = values.add(name);
    return `(SELECT e.link_id AS "linkId", e.created_at AS at, e.webhook_event AS name, e.pk, e.body::json ->> 'state' AS state
               FROM webhook_events e
              WHERE e.app_id = ${app} AND e.environment = ${of} AND e.webhook_event >= ${event} AND e.webhook_event <= ${event} AND e.origin = 'change'
              ORDER BY e.webhook_event DESC, e.pk DESC LIMIT ${limit})`;
  };
  return values.statement(`
    SELECT found."linkId", found.at, found.name, found.state
      FROM (${newest(STATE_CHANGED, MAX_CHANGES)} UNION ALL ${newest(REPAIRED_PLAID, 1)}) AS found
     ORDER BY found.pk DESC`);
}

interface SecretUse {
  clientId: string;
  createdAt: Date;
  lastUsedAt: Date | null;
}

interface StateChange {
  linkId: string;
  at: Date;
  name: string;
  state: string | null;
}

/** What rows tell of the first steps of an app. */
export async function readFirstSteps(
  { pool }: Pick<Database, 'pool'>,
  tenant: Tenant,
): Promise<FirstSteps> {
  const [secrets, linked, delivered, changes] = await Promise.all([
    pool.query<SecretUse>(secretUseStatement(tenant)),
    pool.query<{ linkId: string; at: Date }>(firstLinkStatement(tenant)),
    pool.query<{ eventId: string; at: Date }>(newestDeliveredStatement(tenant)),
    pool.query<StateChange>(stateChangesStatement(tenant)),
  ]);
  return {
    keyUsedAt: newestOf(secrets.rows.flatMap(({ lastUsedAt }) => lastUsedAt ?? [])),
    linked: linked.rows[0] ?? null,
    delivered: delivered.rows[0] ?? null,
    repaired: repairIn(changes.rows),
    rotated: rotationIn(secrets.rows),
  };
}

/** The newest change to `connected` that follows one to `error` of the same link. */
function repairIn(changes: readonly StateChange[]): FirstSteps['repaired'] {
  /** Of each link, the change to `connected` that was read last, so the oldest one behind an error. */
  const connected = new Map<string, Date>();
  let newest: FirstSteps['repaired'] = null;
  for (const { linkId, at, name, state } of changes) {
    const isError = state === 'error';
    const repairedAt = name === REPAIRED_PLAID ? at : isError ? connected.get(linkId) : undefined;
    if (repairedAt !== undefined && (newest === null || repairedAt > newest.at))
      newest = { linkId, at: repairedAt };
    if (state === 'connected') connected.set(linkId, at);
    if (isError) connected.delete(linkId);
  }
  return newest;
}

/** The newest secret of a pair that has another one. */
function rotationIn(secrets: readonly SecretUse[]): FirstSteps['rotated'] {
  let newest: FirstSteps['rotated'] = null;
  for (const { clientId, createdAt: at } of secrets) {
    const isOneOfSeveral = secrets.some(
      (other) => other.clientId === clientId && other.createdAt < at,
    );
    if (isOneOfSeveral && (newest === null || at > newest.at)) newest = { clientId, at };
  }
  return newest;
}

const newestOf = (times: readonly Date[]): Date | null =>
  times.length === 0 ? null : new Date(Math.max(...times.map(Number)));
