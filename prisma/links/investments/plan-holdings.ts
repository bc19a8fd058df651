import { makeId, type RandomBytes } from '../../../domain/api/ids.js';
import { accountCash } from '../../../domain/investments/account-cash.js';
import type { FetchedHolding } from '../../../domain/investments/fetched-holding.js';
import {
  renderHolding,
  renderHoldingsAccount,
} from '../../../domain/investments/present-holding.js';
import { recognizeHoldings } from '../../../domain/investments/recognize-holdings.js';
import { resolveHoldings } from '../../../domain/investments/resolve-holdings.js';
import { encodeSecurity, updatedSecurity } from '../../../domain/investments/security-facts.js';
import type { HoldingsAccountRow, StoredHolding } from './known-holdings.js';
import type { DescribedSecurity } from './store-securities.js';
import type { ListedAccount, PlacedHolding } from './write-holdings.js';

interface AccountList {
  /** Held and lately ended ones of this account. */
  known: readonly StoredHolding[];
  list: readonly FetchedHolding[];
  /** In the order of the list; null = nothing identifies the security. */
  securityIds: readonly (string | null)[];
  /** The list may lack holdings. */
  isIncomplete: boolean;
}

/** The writes for an account. */
interface HoldingsPlan {
  changed: PlacedHolding[];
  ended: StoredHolding[];
  /** New and changed securities that nothing identifies. */
  ownSecurities: DescribedSecurity[];
  /** Null = nothing of the account changed. */
  account: ListedAccount | null;
}

/** Compares the list of an account with what is stored of it. */
export function planHoldings(
  { random }: { random: RandomBytes },
  account: HoldingsAccountRow,
  { known, list, securityIds, isIncomplete }: AccountList,
): HoldingsPlan {
  const stored = recognizeStored(known, list, securityIds);
  const { holdings, convention } = resolveHoldings(list, {
    convention: account.convention,
    earlier: stored.map((row) => row?.earlierCost ?? null),
  });
  let place = account.lastPlace;
  const ownSecurities: DescribedSecurity[] = [];
  const changed = holdings.flatMap((holding, index): PlacedHolding[] => {
    const before = stored[index] ?? null;
    const isNew = before === null || before.ended !== null;
    const holdingId = before?.holdingId ?? makeId('holding', random);
    let securityId = securityIds[index] ?? null;
    if (securityId === null) {
      const own = ownSecurity(random, before, holdingId, holding);
      if (own.isChanged) ownSecurities.push(own.security);
      ({ securityId } = own.security);
    }
    const ids = { holdingId, accountId: account.accountId, securityId };
    const body = renderHolding(ids, holding);
    if (!isNew && before.body === body) return [];
    const placed = { accountPk: account.pk, place: before?.place ?? ++place };
    return [{ ...ids, ...placed, holding, body, isNew }];
  });
  const kept = new Set(stored.map((row) => row?.holdingId));
  const missing = known.filter((row) => row.ended === null && !kept.has(row.holdingId));
  const ended = isIncomplete ? [] : missing;
  const cash = accountCash(account.listed, holdings, isIncomplete);
  const body = renderHoldingsAccount(account.accountId, account.listed, cash);
  const isChanged =
    changed.length > 0 ||
    ended.length > 0 ||
    body !== account.body ||
    convention !== account.convention;
  return {
    changed,
    ended,
    ownSecurities,
    account: isChanged ? { pk: account.pk, convention, body } : null,
  };
}

/** The security of a holding that nothing identifies: it belongs to the holding alone. */
function ownSecurity(
  random: RandomBytes,
  before: StoredHolding | null,
  holdingId: string,
  { security }: FetchedHolding,
): { security: DescribedSecurity; isChanged: boolean } {
  const known = before?.ownFacts ?? null;
  if (before === null || known === null) {
    const securityId = makeId('security', random);
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
