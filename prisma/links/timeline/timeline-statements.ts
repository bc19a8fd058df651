import { Values, type Statement } from '../../base/database/statement.js';
import type { TimelinePosition } from './timeline-position.js';

/** A page reads this many rows of each source: one more than it shows, to know whether others follow. */
export const READ_OF_EACH = 51;
/** Deliveries that an event shows: that which gives its status, and the newest of the others. */
const OTHER_DELIVERIES = 2;
const ACTIONS_OF_DELIVERY = 3;
/** Later actions on one subject that are searched for the outcome of a started one. */
const SEARCHED_FOR_OUTCOME = 5;

/*
 * Every range is a comparison of rows in the whole order of an index, never an equality: where the
 * planner expects few rows of a link, it would collect and sort all of them (decision 0055).
 */

export const linkStatement = (linkId: string): Statement => ({
  text: `
    SELECT l.pk, l.link_id, l.app_id, l.environment, l.institution_id, l.provider, l.state, l.error_code, l.error_message,
           l.error_cause, l.webhook_format, l.created_at, l.connected_at, l.imported_at, l.deleted_at,
           i.name AS institution_name, c.provider AS credential_provider, c.reference, c.created_at AS stored_at, c.renewed_at
      FROM links l
      LEFT JOIN institutions i ON i.institution_id = l.institution_id
      LEFT JOIN provider_credentials c ON c.link_pk = l.pk
     WHERE l.link_id = $1`,
  values: [linkId],
});

const FIRST_WORD = `split_part(a.subject, ' ', 1)`;
const actionsOf = (word: string, before: string): string =>
  `(${FIRST_WORD}, a.pk) < (${word}, ${before}) AND ${FIRST_WORD} >= ${word} ORDER BY ${FIRST_WORD} DESC, a.pk DESC`;

/**
 * Actions on several subjects, newest first. `is_cut` marks the last row read of a subject that may
 * have more; `has_outcome`, a start whose end is recorded.
 */
export function actionsStatement(
  subjects: readonly string[],
  { operator }: Pick<TimelinePosition, 'operator'>,
): Statement {
  const values = new Values();
  const limit = values.add(READ_OF_EACH);
  const before = values.add(operator);
  return values.statement(`
    SELECT found.*, each.word,
           found.outcome = 'started' AND EXISTS (
             SELECT 1 FROM (SELECT a.* FROM operator_actions a
                             WHERE (${FIRST_WORD}, a.pk) > (each.word, found.pk) AND ${FIRST_WORD} <= each.word
                             ORDER BY ${FIRST_WORD}, a.pk LIMIT ${SEARCHED_FOR_OUTCOME}) AS later
              WHERE later.outcome <> 'started' AND later.actor = found.actor AND later.action = found.action AND later.subject = found.subject) AS has_outcome
      FROM unnest(${values.add(subjects)}::text[]) AS each(word)
     CROSS JOIN LATERAL (
       SELECT part.*, row_number() OVER (ORDER BY part.pk DESC) = ${limit}::int AS is_cut
         FROM (SELECT a.pk, a.actor, a.action, a.subject, a.outcome, a.created_at FROM operator_actions a
                WHERE ${actionsOf('each.word', before)} LIMIT ${limit}::int) AS part) AS found
     ORDER BY found.pk DESC`);
}

/** The last actions on each of some deliveries. */
export function deliveryActionsStatement(deliveryIds: readonly string[]): Statement {
  const values = new Values();
  return values.statement(`
    SELECT found.*, each.word
      FROM unnest(${values.add(deliveryIds)}::text[]) AS each(word)
     CROSS JOIN LATERAL (
       SELECT a.pk, a.actor, a.action, a.subject, a.outcome, a.created_at FROM operator_actions a
        WHERE ${actionsOf('each.word', `${values.add(2n ** 63n - 1n)}::bigint`)} LIMIT ${ACTIONS_OF_DELIVERY}) AS found
     ORDER BY found.pk DESC`);
}

/** Rows of a table that names links by their ids, newest first. */
function byLinkId(
  { table, columns }: { table: string; columns: string },
  linkId: string,
  before: bigint,
): Statement {
  return {
    text: `
      SELECT r.pk, r.created_at, ${columns} FROM ${table} r
       WHERE (r.link_id, r.pk) < ($1, $2) AND r.link_id >= $1
       ORDER BY r.link_id DESC, r.pk DESC LIMIT $3`,
    values: [linkId, before, READ_OF_EACH],
  };
}

export const routesStatement = (linkId: string, { route }: TimelinePosition): Statement =>
  byLinkId(
    {
      table: 'route_decisions',
      columns: 'r.session_id, r.why, r.chosen, r.candidates, r.failed_cause',
    },
    linkId,
    route,
  );

export const unrevokedStatement = (linkId: string, { unrevoked }: TimelinePosition): Statement =>
  byLinkId(
    { table: 'unrevoked_permissions', columns: 'r.provider, r.reference, r.reason' },
    linkId,
    unrevoked,
  );

export const eventsStatement = (linkId: string, { event }: TimelinePosition): Statement =>
  byLinkId(
    {
      table: 'webhook_events',
      columns: 'r.event_id, r.webhook_event, r.origin, r.body',
    },
    linkId,
    event,
  );

export function sessionsStatement(linkPk: bigint, { session }: TimelinePosition): Statement {
  return {
    text: `
      SELECT s.session_id, s.created_at, s.mode, s.state, s.end_reason, s.expires_at, s.opened_at, s.succeeded_at, s.ended_at,
             s.plaid_exit AS exit, s.bank_accepted, s.plaid AS options, s.client_id,
             (SELECT c.label FROM api_clients c WHERE c.client_id = s.client_id) AS client_label
        FROM link_sessions s
       WHERE (s.link_pk, s.created_at, s.session_id) < ($1, $2, $3) AND s.link_pk >= $1
       ORDER BY s.link_pk DESC, s.created_at DESC, s.session_id DESC LIMIT $4`,
    values: [linkPk, session.at, session.sessionId, READ_OF_EACH],
  };
}

/** The deliveries of some events: the one that gives the status of each, and the newest of the others. */
export function deliveriesStatement(eventPks: readonly bigint[]): Statement {
  const values = new Values();
  const columns =
    'd.pk, d.event_pk, d.delivery_id, d.endpoint, d.reason, d.status, d.attempts, d.history, d.next_attempt_at, d.created_at';
  const last = values.add(2n ** 63n - 1n);
  const part = (isNewest: boolean, limit: number): string =>
    `(SELECT ${columns} FROM webhook_deliveries d
       WHERE (d.event_pk, d.newest, d.pk) <= (each.pk, ${isNewest}, ${last}::bigint) AND (d.event_pk, d.newest) >= (each.pk, ${isNewest})
       ORDER BY d.event_pk DESC, d.newest DESC, d.pk DESC LIMIT ${limit})`;
  return values.statement(`
    SELECT found.* FROM unnest(${values.add(eventPks)}::bigint[]) AS each(pk)
     CROSS JOIN LATERAL (${part(true, 1)} UNION ALL ${part(false, OTHER_DELIVERIES)}) AS found
     ORDER BY found.pk DESC`);
}
