import type { Tenant } from '../../../domain/api/environment.js';
import type { Context } from '../../base/context.js';
import { pageOf, type ReadRow } from '../../base/database/bounded-page.js';
import { loadSql } from '../../base/database/load-sql.js';
import { readInIndexOrder } from '../../base/database/read-in-index-order.js';
import {
  includedLinks,
  type LinkFilter,
  type LinkPageRequest,
  type LinkPosition,
} from './link-filter.js';
import { linkPageBound, linkPageStatement } from './link-page-statement.js';
import { linkViewOf, type LinkView, type LinkViewRow } from './link-view.js';

export interface LinkPage {
  links: LinkView[];
  /** The position from which the next page continues; null = this is the last one. */
  next: LinkPosition | null;
}

/**
 * The links that were connected at least once or imported and are not deleted, and those that the
 * filter includes: by creation, or with `updatedSince` by update. Source: native-api 3.4.
 */
export async function listLinks(
  ctx: Context,
  tenant: Tenant,
  filter: LinkFilter,
  request: LinkPageRequest,
): Promise<LinkPage> {
  const { pool } = ctx.database;
  const read = await readInIndexOrder<KeyRow>(pool, linkPageStatement(tenant, filter, request));
  const { rows: found, next: last } = pageOf(read, linkPageBound(tenant, filter, request.limit));
  const next = last === null ? null : { pk: BigInt(last.pk), updatedAt: last.updated_at };
  if (found.length === 0) return { links: [], next };
  const keys = found.map(({ pk }) => pk);
  const { rows } = await pool.query<LinkViewRow>({
    name: 'links-by-key',
    text: loadSql('links-by-key'),
    values: [keys, includedLinks(filter).has('deleted')],
  });
  const now = ctx.clock();
  const views = new Map(rows.map((row) => [row.pk, linkViewOf(row, now)]));
  return { links: keys.flatMap((key) => views.get(key) ?? []), next };
}

interface KeyRow extends ReadRow {
  /** A bigint, as text. */
  pk: string;
  updated_at: Date;
}
