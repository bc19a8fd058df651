import type { Context } from '../../base/context.js';
import type { Tx } from '../../base/database/tx.js';
import { announce, isAnnounced } from './announce.js';
import type { LinkRow } from './record-webhook-event.js';

/** A listing of the institution that is about to be stored. */
interface StoredListing {
  /** Ids of the provider; the list does not report on the unreported ones. */
  listed: readonly string[];
  unreported: readonly string[];
  /** Whether the listing closes an account that it does not contain. */
  isClosing(account: { missingSince: Date | null }): boolean;
}

/**
 * Announces, before a listing of the institution is stored, the accounts it adds, each once, and
 * the permitted ones it closes.
 */
export async function announceAccounts(
  ctx: Context,
  tx: Tx,
  link: LinkRow,
  { listed, unreported, isClosing }: StoredListing,
): Promise<void> {
  if (!isAnnounced(link, 'accounts_added') && !isAnnounced(link, 'account_delisted')) return;
  const stored = await tx.account.findMany({
    where: { linkPk: link.pk },
    orderBy: { position: 'asc' },
    select: {
      accountId: true,
      providerAccountId: true,
      permitted: true,
      closed: true,
      missingSince: true,
    },
  });
  const added = listed.filter((id) =>
    stored.every(({ providerAccountId }) => providerAccountId !== id),
  );
  // An account that was announced and is currently unreported is not announced again when it
  // returns.
  added.push(
    ...unreported.filter((id) => link.announcedAccounts.includes(id) && !added.includes(id)),
  );
  const hasUnannounced = added.some((id) => !link.announcedAccounts.includes(id));
  if (hasUnannounced) await announce(ctx, tx, link, { kind: 'accounts_added' });
  if (hasUnannounced || added.length < link.announcedAccounts.length)
    await tx.link.update({ where: { pk: link.pk }, data: { announcedAccounts: added } });

  const delisted = stored.filter(
    ({ providerAccountId, permitted, closed, missingSince }) =>
      permitted &&
      !closed &&
      isClosing({ missingSince }) &&
      !listed.includes(providerAccountId) &&
      !unreported.includes(providerAccountId),
  );
  for (const { accountId } of delisted)
    await announce(ctx, tx, link, { kind: 'account_delisted', accountId });
}
