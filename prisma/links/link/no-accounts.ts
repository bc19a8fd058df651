import type { AccountStanding } from '../accounts/store-accounts.js';
import type { Context } from '../../base/context.js';
import type { Tx } from '../../base/database/tx.js';
import type { Link } from '../../generated/client.js';
import { transitionLink } from './link-transition.js';

const CAUSE = 'no_accounts';

/** For `error_message` of a link whose accounts are all missing while the bank lists others. */
export const NONE_LISTED =
  'The bank no longer lists any account of this link. The account owner can sign in again to share accounts.';

/**
 * link-lifecycle 6.2, `fetch_faulty`: the locked link has no accounts left. A link that is in error
 * for another fault of the institution keeps its state, but gets this cause.
 */
export async function losesAllAccounts(
  ctx: Context,
  tx: Tx,
  link: Link,
  errorMessage: string,
): Promise<void> {
  const { changed, link: after } = await transitionLink(
    ctx,
    tx,
    link.pk,
    { type: 'fetch_faulty', error: 'institution_error' },
    { errorMessage, errorCause: CAUSE },
  );
  if (changed || after.errorCode !== 'institution_error' || after.errorCause === CAUSE) return;
  await tx.link.update({ where: { pk: link.pk }, data: { errorMessage, errorCause: CAUSE } });
}

/**
 * link-lifecycle 6.2, `fetch_recovered`: a product of a locked link was stored. If no account was
 * listed, only an account that is listed again restores the link. `accounts`: the standing of its
 * accounts in the list; null = another product was fetched.
 */
export async function recovers(
  ctx: Context,
  tx: Tx,
  link: Link,
  accounts: AccountStanding | null,
): Promise<void> {
  if (link.state !== 'error') return;
  if (link.errorCause === CAUSE && accounts !== 'listed') return;
  await transitionLink(ctx, tx, link.pk, { type: 'fetch_recovered' });
}
