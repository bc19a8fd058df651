import type { Tenant } from '../../../domain/api/environment.js';
import { pageOf, type ReadRow } from '../../base/database/bounded-page.js';
import type { Database } from '../../base/database/database.js';
import { readInIndexOrder } from '../../base/database/read-in-index-order.js';
import {
  eventPageBound,
  eventPageStatement,
  isMerged,
  type EventFilter,
  type EventPage,
} from './webhook-log-query.js';

/** The keys of the events of a page, and the one after which the next continues; null = the last page. */
export async function readEventPage(
  { pool }: Pick<Database, 'pool'>,
  tenant: Tenant,
  filter: EventFilter,
  page: EventPage,
): Promise<{ keys: bigint[]; next: bigint | null }> {
  const statement = eventPageStatement(tenant, filter, page);
  // Other pages may read a span of time, which has no index in the order of the log: it is sorted.
  const read = isMerged(tenant)
    ? await readInIndexOrder<KeyRow>(pool, statement)
    : (await pool.query<KeyRow>(statement)).rows;
  const { rows, next } = pageOf(read, eventPageBound(tenant, filter, page.limit));
  return {
    keys: rows.map(({ pk }) => BigInt(pk)),
    next: next === null ? null : BigInt(next.pk),
  };
}

interface KeyRow extends ReadRow {
  /** A bigint, as text. */
  pk: string;
}
