import { addDays, utcDay } from '../../../domain/api/timestamps.js';
import { distinctHoldings } from '../../../domain/investments/distinct-holdings.js';
import type { HoldingChanges } from '../../../domain/investments/investment-changes.js';
import type { FetchedHoldings } from '../../../domain/refresh/fetched-data.js';
import { mayLackData, type IncompleteAccount } from '../../../domain/refresh/incomplete-answer.js';
import type { Context } from '../../base/context.js';
import type { Tx } from '../../base/database/tx.js';
import type { Link } from '../../generated/client.js';
import { clockOf } from '../../worlds/world-clock.js';
import { holdingsAccounts, knownHoldings } from './known-holdings.js';
import { planHoldings } from './plan-holdings.js';
import { storeSecurities, writeSecurities } from './store-securities.js';
import { endHoldings, recordDays, writeAccounts, writeHoldings } from './write-holdings.js';

/** A holding that ended no longer ago returns under its id. */
const RETURNS_WITHIN_DAYS = 90;

/**
 * Stores the lists of holdings of a locked link. An account that is not listed keeps its holdings;
 * in a complete list, a missing holding ends. Unchanged rows are not written.
 * @returns the changes in rows, and the accounts with holdings that the source no longer lists
 */
export async function storeHoldings(
  ctx: Context,
  tx: Tx,
  link: Link,
  fetched: FetchedHoldings,
  incomplete: readonly IncompleteAccount[],
): Promise<{ changes: HoldingChanges; unlisted: IncompleteAccount[] }> {
  const { accounts, ...others } = await holdingsAccounts(tx, link.pk, fetched.accounts);
  const isLacking = mayLackData(incomplete);
  const unlisted = others.unlisted.filter((id) => !isLacking(id)).map(notListed);
  if (accounts.length === 0) return { changes: { added: 0, updated: 0 }, unlisted };
  const day = utcDay(await clockOf(ctx, tx, link));
  const known = await knownHoldings(
    tx,
    accounts.map(({ pk }) => pk),
    addDays(day, -RETURNS_WITHIN_DAYS),
  );
  const lists = accounts.map(({ listed: { providerAccountId: id } }) =>
    distinctHoldings(fetched.holdings.filter(({ providerAccountId }) => providerAccountId === id)),
  );
  const securityIds = await storeSecurities(
    ctx,
    tx,
    link,
    lists.flat().map(({ security }) => security),
  );
  const plans = accounts.map((account, index) => {
    const list = lists[index] ?? [];
    return planHoldings(ctx, account, {
      known: known.filter(({ accountPk }) => accountPk === account.pk),
      list,
      securityIds: securityIds.splice(0, list.length),
      isIncomplete: isLacking(account.listed.providerAccountId),
    });
  });
  const holdings = plans.flatMap(({ changed }) => changed);
  const ended = plans.flatMap((plan) => plan.ended);
  const changedAccounts = plans.flatMap(({ account }) => account ?? []);
  const ownSecurities = plans.flatMap((plan) => plan.ownSecurities);
  await writeSecurities(ctx, tx, link, ownSecurities);
  await writeHoldings(ctx, tx, day, holdings);
  await endHoldings(tx, day, ended);
  await writeAccounts(tx, changedAccounts);
  await recordDays(
    tx,
    day,
    changedAccounts.map(({ pk }) => pk),
  );
  const added = holdings.filter(({ isNew }) => isNew).length;
  return { changes: { added, updated: holdings.length - added + ended.length }, unlisted };
}

/** Its holdings stay as they are, and the app is notified that they may be old. */
function notListed(providerAccountId: string): IncompleteAccount {
  return {
    providerAccountId,
    name: null,
    reason: 'not_reported',
    resource: 'holdings',
    field: '',
    fault: null,
  };
}
