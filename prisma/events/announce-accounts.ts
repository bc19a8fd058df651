import type { Context } from '../context.js';
import type { Tx } from '../database/tx.js';
import { isOAuth } from './announce-standing.js';
import { announceItem, type LinkRow } from './record-webhook-event.js';

/**
 * Tells the client of the compatibility layer of accounts the bank lists for the first time, once, and of those it lists
 * no longer where its list is what the account owner permits there. Before the list is stored. Source: plaid-compat 8.1, ITEM.
 */
export async function tellAccounts(
  ctx: Context,
  tx: Tx,
  link: LinkRow,
  listed: readonly string[],
): Promise<void> {
  if (link.webhookFormat !== 'plaid') return;
  const stored = await tx.account.findMany({
    where: { linkPk: link.pk },
    orderBy: { position: 'asc' },
    select: { accountId: true, providerAccountId: true, permitted: true, closed: true },
  });
  const added = listed.filter((id) =>
    stored.every(({ providerAccountId }) => providerAccountId !== id),
  );
  const isNews = added.some((id) => !link.newAccountsTold.includes(id));
  if (isNews)
    await announceItem(ctx, tx, link, {
      webhook_type: 'ITEM',
      webhook_code: 'NEW_ACCOUNTS_AVAILABLE',
      error: null,
    });
  if (isNews || added.length < link.newAccountsTold.length)
    await tx.link.update({ where: { pk: link.pk }, data: { newAccountsTold: added } });

  const gone = stored.filter(
    ({ providerAccountId, permitted, closed }) =>
      permitted && !closed && !listed.includes(providerAccountId),
  );
  if (gone.length === 0 || !(await isOAuth(tx, link))) return;
  for (const { accountId } of gone)
    await announceItem(ctx, tx, link, {
      webhook_type: 'ITEM',
      webhook_code: 'USER_ACCOUNT_REVOKED',
      account_id: accountId,
    });
}
