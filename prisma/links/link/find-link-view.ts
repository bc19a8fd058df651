import type { Tenant } from '../../../domain/api/environment.js';
import type { Context } from '../../base/context.js';
import type { Tx } from '../../base/database/tx.js';
import { loadSql } from '../../base/database/load-sql.js';
import { linkViewOf, type LinkView, type LinkViewRow } from './link-view.js';

/** The row of a link with its granted products; undefined when the app has no such link. */
export async function findLinkRow(
  { database }: Context,
  { appId, environment }: Tenant,
  linkId: string,
): Promise<LinkViewRow | undefined> {
  const { rows } = await database.pool.query<LinkViewRow>({
    name: 'find-link',
    text: loadSql('find-link'),
    values: [linkId, appId, environment],
  });
  return rows[0];
}

/** Reads a link inside a transaction. */
export async function findLinkView(
  ctx: Context,
  tx: Tx,
  tenant: Tenant,
  linkId: string,
): Promise<LinkView> {
  const { appId, environment } = tenant;
  const [row] = await tx.$queryRawUnsafe<LinkViewRow[]>(
    loadSql('find-link'),
    linkId,
    appId,
    environment,
  );
  const link = row === undefined ? null : linkViewOf(row, ctx.clock());
  if (link === null) throw new Error(`unknown link ${linkId}`);
  return link;
}
