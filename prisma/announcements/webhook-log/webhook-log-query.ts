import type { Tenant } from '../../../domain/api/environment.js';
import type { EventStatus } from '../../../domain/webhooks/event-status.js';
import { eventConditions, eventSubjects } from '../../tenants/applications/permitted-rows.js';
import { readAtMost, readOfAll, type PageBound } from '../../base/database/bounded-page.js';
import { mergedRanges } from '../../base/database/merged-ranges.js';
import { Values, type Statement } from '../../base/database/statement.js';

/** Selects events of an app. Source: webhooks 9. */
export interface EventFilter {
  linkId?: string | undefined;
  webhookEvent?: string | undefined;
  /** One of several. */
  webhookEvents?: readonly string[] | undefined;
  status?: readonly EventStatus[] | undefined;
  createdAfter?: Date | undefined;
  createdBefore?: Date | undefined;
}

export interface EventPage {
  order: 'asc' | 'desc';
  /** Only events after this key, in the requested order. */
  after: bigint;
  /** None beyond this key. */
  upTo: bigint;
  limit: number;
}

/**
 * What the events of a page are about, of a caller that may not read all of its app, as a query of
 * keys.
 */
function subjectsOf(tenant: Tenant, { linkId }: EventFilter, values: Values): string | undefined {
  const subjects = eventSubjects(tenant, values);
  if (subjects === undefined || linkId === undefined) return subjects;
  return `SELECT permitted.key FROM (${subjects}) AS permitted WHERE permitted.key = ${values.add(linkId)}`;
}

/** True if the page is read from one range of an index for each link and session, and merged. */
export function isMerged({ only }: Tenant): boolean {
  return only !== undefined;
}

export function eventPageBound(tenant: Tenant, filter: EventFilter, limit: number): PageBound {
  const isChecked = Object.entries(filter).some(
    ([name, condition]) => name !== 'linkId' && condition !== undefined,
  );
  return { limit, checksRows: isMerged(tenant) && isChecked };
}

/**
 * Keys of the events of one page, each with whether it matches the whole filter. Filters are ranges
 * of an index where possible; a test checks the plans.
 */
export function eventPageStatement(
  tenant: Tenant,
  filter: EventFilter,
  { order, after, upTo, limit }: EventPage,
): Statement {
  const values = new Values();
  const { status, linkId } = filter;
  const bound = eventPageBound(tenant, filter, limit);
  const subjects = subjectsOf(tenant, filter, values);
  if (subjects !== undefined) {
    const [first, last] = order === 'asc' ? ['>', '<='] : ['<', '>='];
    const conditions = [
      `e.link_id ${last} each.key AND (e.link_id, e.pk) ${first} (each.key, ${values.add(after)})`,
      `e.pk <= ${values.add(upTo)}`,
      ...ofTenant('e', tenant, values),
    ];
    const checks = [
      ...ofEvent({ ...tenant, only: undefined }, { ...filter, linkId: undefined }, values),
      ...(status === undefined ? [] : [`EXISTS (${newestIn(status, values)})`]),
    ];
    return values.statement(
      mergedRanges({
        keys: subjects,
        rows: `SELECT e.pk, ${checks.join(' AND ') || 'true'} AS matches FROM webhook_events e
                WHERE ${conditions.join(' AND ')} ORDER BY e.link_id ${order}, e.pk ${order}`,
        order: `pk ${order}`,
        readOfEach: `(SELECT greatest(1, least(${values.add(readAtMost(bound))}::bigint, ${values.add(readOfAll(limit))}::bigint / greatest(1, count(*)))) FROM (${subjects}) AS counted)`,
      }),
    );
  }
  const behind = `${order === 'asc' ? '>' : '<'} ${values.add(after)}`;
  const bounds = (key: string) => [`${key} ${behind}`, `${key} <= ${values.add(upTo)}`];
  const take = `ORDER BY pk ${order} LIMIT ${values.add(readAtMost(bound))}`;
  if (filter.webhookEvents !== undefined && linkId === undefined && status === undefined) {
    // One range of the index per name.
    const { webhookEvents: names, ...others } = filter;
    const shared = [
      ...ofTenant('e', tenant, values),
      ...bounds('e.pk'),
      ...ofEvent(tenant, others, values),
    ].join(' AND ');
    const ranges = [...new Set(names)].map(
      (name) => `
    (SELECT e.pk FROM webhook_events e WHERE e.webhook_event = ${values.add(name)} AND ${shared} ${take})`,
    );
    return values.statement(merged(ranges, take));
  }
  if (status === undefined || linkId !== undefined) {
    return values.statement(`
      SELECT e.pk, true AS matches FROM webhook_events e ${ofStatus(status, values)}
      WHERE ${[...ofTenant('e', tenant, values), ...bounds('e.pk'), ...ofEvent(tenant, filter, values)].join(' AND ')}
      ${take}`);
  }
  // One range of the index per status. Without another condition the events themselves are not
  // read.
  const ofEvents = ofEvent(tenant, filter, values);
  const joined = ofEvents.length === 0 ? '' : 'JOIN webhook_events e ON e.pk = d.event_pk';
  const conditions = [...ofTenant('d', tenant, values), ...bounds('d.event_pk'), ...ofEvents].join(
    ' AND ',
  );
  const ranges = [...new Set(status)].map(
    (one) => `
    (SELECT d.event_pk AS pk FROM webhook_deliveries d ${joined} WHERE d.newest AND d.status = ${values.add(one)} AND ${conditions} ${take})`,
  );
  return values.statement(merged(ranges, take));
}

/** The first rows of several ranges in the order of the log. */
function merged(ranges: readonly string[], take: string): string {
  return `SELECT found.pk, true AS matches FROM (${ranges.join(' UNION ALL ')}) AS found ${take}`;
}

/** The key of one event and its link. */
export function eventStatement(tenant: Tenant, eventId: string): Statement {
  const values = new Values();
  const conditions = [...ofTenant('e', tenant, values), ...eventConditions(tenant, values)];
  return values.statement(
    `SELECT e.pk, e.link_id FROM webhook_events e WHERE e.event_id = ${values.add(eventId)} AND ${conditions.join(' AND ')}`,
  );
}

function ofStatus(status: readonly EventStatus[] | undefined, values: Values): string {
  return status === undefined ? '' : `CROSS JOIN LATERAL (${newestIn(status, values)}) AS d`;
}

/**
 * Checked for each event of a link, which has few. In a join, PostgreSQL would estimate from a
 * small sample whether the status has fewer.
 */
function newestIn(status: readonly EventStatus[], values: Values): string {
  return `SELECT 1 FROM webhook_deliveries n WHERE n.event_pk = e.pk AND n.newest AND n.status = ANY(${values.add(status)}) LIMIT 1`;
}

/**
 * The target of a replayed event of a link: the link's current address, or the last one of a
 * removed link.
 */
const USABLE_ADDRESS = `
  SELECT CASE WHEN l.pk IS NULL THEN (
                SELECT CASE WHEN p.status <> 'disabled' THEN p.url END FROM webhook_events pe JOIN webhook_deliveries p ON p.event_pk = pe.pk
                WHERE pe.link_id = e.link_id AND p.reason <> 'listener' ORDER BY pe.pk DESC, p.pk DESC LIMIT 1)
              WHEN l.webhook_disabled_at IS NULL THEN l.webhook END AS url`;

/** The number of events in a range, and the number of them that can be replayed. */
export function replayCountStatement(
  tenant: Tenant,
  filter: EventFilter & { status: readonly EventStatus[] },
): Statement {
  const values = new Values();
  return values.statement(
    `SELECT count(*) AS matched, count(address.url) AS usable ${matchedEvents(tenant, filter, values)}`,
  );
}

/** The oldest events of a range that can be replayed: keys and links. */
export function replayCandidatesStatement(
  tenant: Tenant,
  filter: EventFilter & { status: readonly EventStatus[] },
  limit: number,
): Statement {
  const values = new Values();
  return values.statement(
    `SELECT e.pk, e.link_id ${matchedEvents(tenant, filter, values)} AND address.url IS NOT NULL ORDER BY e.pk LIMIT ${values.add(limit)}`,
  );
}

function matchedEvents(
  tenant: Tenant,
  { status, ...filter }: EventFilter & { status: readonly EventStatus[] },
  values: Values,
): string {
  const conditions = [
    ...ofTenant('d', tenant, values),
    ...ofEvent(tenant, filter, values),
    `d.status = ANY(${values.add(status)}::text[])`,
  ];
  return `FROM webhook_deliveries d JOIN webhook_events e ON e.pk = d.event_pk LEFT JOIN links l ON l.link_id = e.link_id CROSS JOIN LATERAL (${USABLE_ADDRESS}) AS address
    WHERE d.newest AND ${conditions.join(' AND ')}`;
}

/** The current target addresses of events, by their keys. */
export function addressesStatement(eventPks: readonly bigint[]): Statement {
  const values = new Values();
  return values.statement(`SELECT e.pk, address.url FROM webhook_events e LEFT JOIN links l ON l.link_id = e.link_id CROSS JOIN LATERAL (${USABLE_ADDRESS}) AS address
    WHERE e.pk = ANY(${values.add(eventPks)}::bigint[])`);
}

function ofTenant(table: string, { appId, environment }: Tenant, values: Values): string[] {
  return [
    `${table}.app_id = ${values.add(appId)}`,
    `${table}.environment = ${values.add(environment)}`,
  ];
}

function ofEvent(
  tenant: Tenant,
  { linkId, webhookEvent, webhookEvents, createdAfter, createdBefore }: EventFilter,
  values: Values,
): string[] {
  return [
    ...eventConditions(tenant, values),
    ...(linkId === undefined ? [] : [`e.link_id = ${values.add(linkId)}`]),
    ...(webhookEvent === undefined ? [] : [`e.webhook_event = ${values.add(webhookEvent)}`]),
    ...(webhookEvents === undefined
      ? []
      : [`e.webhook_event = ANY(${values.add(webhookEvents)}::text[])`]),
    // webhooks 9: after exclusive, before inclusive.
    ...(createdAfter === undefined ? [] : [`e.created_at > ${values.add(createdAfter)}`]),
    ...(createdBefore === undefined ? [] : [`e.created_at <= ${values.add(createdBefore)}`]),
  ];
}
