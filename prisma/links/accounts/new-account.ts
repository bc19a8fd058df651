import { makeId } from '../../../domain/api/ids.js';
import type { FetchedAccount } from '../../../domain/refresh/fetched-data.js';
import type { Context } from '../../base/context.js';
import type { Link } from '../../generated/client.js';

/**
 * The row of an account that is new to its link, without balances. `position`: in the bank's list.
 */
export function newAccount(
  ctx: Context,
  { pk: linkPk }: Pick<Link, 'pk'>,
  { providerAccountId, accountType, name, mask, currency }: FetchedAccount,
  position: number,
) {
  return {
    accountId: makeId('account', ctx.random),
    linkPk,
    providerAccountId,
    accountType,
    name,
    mask,
    currency,
    position,
    createdAt: ctx.clock(),
  };
}
