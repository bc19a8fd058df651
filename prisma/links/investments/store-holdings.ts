import { makeId } from '../../../domain/api/ids.js';
import { addDays, utcDay } from '../../../domain/api/timestamps.js';
import { accountCash } from '../../../domain/investments/account-cash.js';
import type { FetchedHolding } from '../../../domain/investments/fetched-holding.js';
import {
  renderHolding,
  renderHoldingsAccount,
} from '../../../domain/investments/present-holding.js';
import type { CostConvention } from '../../../domain/investments/cost-basis.js';
import { distinctHoldings } from '../../../domain/investments/distinct-holdings.js';
import { recognizeHoldings } from '../../../domain/investments/recognize-holdings.js';
import { resolveHoldings } from '../../../domain/investments/resolve-holdings.js';
import { encodeSecurity, updatedSecurity } from '../../../domain/investments/security-facts.js';
import type { FetchedHoldings } from '../../../domain/refresh/fetched-data.js';
import { mayLackData, type IncompleteAccount } from '../../../domain/refresh/incomplete-answer.js';
import type { Context } from '../../base/context.js';
import type { Tx } from '../../base/database/tx.js';
import type { Link } from '../../generated/client.js';
import { clockOf } from '../../worlds/world-clock.js';
import {
  holdingsAccounts,
  knownHoldings,
  type HoldingsAccountRow,
  type StoredHolding,
} from './known-holdings.js';
import { storeSecurities, writeSecurities, type DescribedSecurity } from './store-securities.js';
import {
  endHoldings,
  recordDays,
  writeAccounts,
  writeHoldings,
  type PlacedHolding,
} from './write-holdings.js';

/** A holding that ended no longer ago returns under its id. */
const RETURNS_WITHIN_DAYS = 90;

/**
 * Stores the lists of holdings of a locked link. An account that is not listed keeps its holdings;
 * in a complete list, a missing holding ends. Unchanged rows are not written.
 * @returns the number of changed rows, and the accounts with holdings that the source no longer lists
 */
export async function storeHoldings(
  ctx: Context,
  tx: Tx,
  link: Link,
  fetched: FetchedHoldings,
  incomplete: readonly IncompleteAccount[],
): Promise<{ changed: number; unlisted: IncompleteAccount[] }> {
  const { accounts, ...others } = await holdingsAccounts(tx, link.pk, fetched.accounts);
  const isLacking = mayLackData(incomplete);
  const unlisted = others.unlisted.filter((id) => !isLacking(id)).map(notListed);
  if (accounts.length === 0) return { changed: 0, unlisted };
  const day = utcDay(await clockOf(ctx, tx, link));
  const known = await knownHoldings(
    tx,
    accounts.map(({ pk }) => pk),
    addDays(day, -RETURNS_WITHIN_DAYS),
  );
  const lists = accounts.map((account) =>
    distinctHoldings(
      fetched.holdings.filter(
        ({ providerAccountId }) => providerAccountId === account.listed.providerAccountId,
      ),
    ),
  );
  const securityIds = await storeSecurities(
    ctx,
    tx,
    link,
    lists.flat().map(({ security }) => security),
  );
  const changes = {
    holdings: [] as PlacedHolding[],
    ended: [] as StoredHolding[],
    own: [] as DescribedSecurity[],
  };
  const changedAccounts = [];
  let from = 0;
  for (const [index, account] of accounts.entries()) {
    const list = lists[index] ?? [];
    const isIncomplete = isLacking(account.listed.providerAccountId);
    const plan = planAccount(ctx, account, {
      known: known.filter(({ accountPk }) => accountPk === account.pk),
      list,
      securityIds: securityIds.slice(from, from + list.length),
      isIncomplete,
    });
    from += list.length;
    changes.holdings.push(...plan.changed);
    changes.ended.push(...plan.ended);
    changes.own.push(...plan.ownSecurities);
    const isChanged = plan.changed.length > 0 || plan.ended.length > 0;
    if (isChanged || plan.body !== account.body || plan.convention !== account.convention)
      changedAccounts.push({ pk: account.pk, convention: plan.convention, body: plan.body });
  }
  await writeSecurities(ctx, tx, link, changes.own);
  await writeHoldings(ctx, tx, day, changes.holdings);
  await endHoldings(tx, day, changes.ended);
  await writeAccounts(tx, changedAccounts);
  await recordDays(
    tx,
    day,
    changedAccounts.map(({ pk }) => pk),
  );
  return { changed: changes.holdings.length + changes.ended.length, unlisted };
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

interface AccountList {
  /** Held and lately ended ones of this account. */
  known: readonly StoredHolding[];
  list: readonly FetchedHolding[];
  securityIds: readonly (string | null)[];
  isIncomplete: boolean;
}

/** Compares the list of one account with what is stored of it. */
function planAccount(
  ctx: Context,
  account: HoldingsAccountRow,
  { known, list, securityIds, isIncomplete }: AccountList,
) {
  const stored = recognizeStored(known, list, securityIds);
  const { holdings, convention } = resolveHoldings(list, {
    convention: account.convention as CostConvention | null,
    earlier: stored.map((row) => row?.earlierCost ?? null),
  });
  let place = account.lastPlace;
  const ownSecurities: DescribedSecurity[] = [];
  const changed = holdings.flatMap((holding, index): PlacedHolding[] => {
    const before = stored[index] ?? null;
    const holdingId = before?.holdingId ?? makeId('holding', ctx.random);
    const own =
      (securityIds[index] ?? null) === null ? ownSecurity(ctx, before, holdingId, holding) : null;
    if (own !== null && own.isChanged) ownSecurities.push(own.security);
    const securityId = securityIds[index] ?? own?.security.securityId ?? '';
    const ids = { holdingId, accountId: account.accountId, securityId };
    const body = renderHolding(ids, holding);
    if (before !== null && before.body === body && before.ended === null) return [];
    return [
      {
        ...ids,
        accountPk: account.pk,
        place: before?.place ?? ++place,
        holding,
        body,
      },
    ];
  });
  const kept = new Set(stored.map((row) => row?.holdingId));
  const ended = isIncomplete
    ? []
    : known.filter((row) => row.ended === null && !kept.has(row.holdingId));
  const cash = accountCash(account.listed, holdings, isIncomplete);
  return {
    changed,
    ended,
    ownSecurities,
    convention,
    body: renderHoldingsAccount(account.accountId, account.listed, cash),
  };
}

/** The security of a holding that nothing identifies: it belongs to the holding alone. */
function ownSecurity(
  ctx: Context,
  before: StoredHolding | null,
  holdingId: string,
  { security }: FetchedHolding,
): { security: DescribedSecurity; isChanged: boolean } {
  const known = before?.ownFacts ?? null;
  if (before === null || known === null) {
    const securityId = makeId('security', ctx.random);
    return { security: { securityId, belongsTo: holdingId, facts: security }, isChanged: true };
  }
  const facts = updatedSecurity(known, security);
  return {
    security: { securityId: before.storedSecurityId, belongsTo: holdingId, facts },
    isChanged: encodeSecurity(facts) !== encodeSecurity(known),
  };
}

/** Holdings that are held before those that ended. */
function recognizeStored(
  known: readonly StoredHolding[],
  list: readonly FetchedHolding[],
  securityIds: readonly (string | null)[],
): (StoredHolding | null)[] {
  const byId = new Map(known.map((row) => [row.holdingId, row]));
  const held = recognizeHoldings(
    known.filter(({ ended }) => ended === null),
    list,
    securityIds,
  );
  const rest = list.flatMap((_, index) => (held[index] === null ? [index] : []));
  const returned = recognizeHoldings(
    known.filter(({ ended }) => ended !== null),
    rest.flatMap((index) => list[index] ?? []),
    rest.map((index) => securityIds[index] ?? null),
  );
  const ids = new Map(rest.map((index, position) => [index, returned[position] ?? null]));
  return list.map((_, index) => byId.get(held[index] ?? ids.get(index) ?? '') ?? null);
}
