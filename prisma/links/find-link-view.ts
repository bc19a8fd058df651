import type { Tenant } from '../../domain/api/environment.js';
import type { Context } from '../context.js';
import type { Tx } from '../database/tx.js';
import { loadSql } from '../database/load-sql.js';
import { linkViewOf, type LinkView, type LinkViewRow } from './link-view.js';

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
