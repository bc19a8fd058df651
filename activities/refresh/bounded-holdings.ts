import type { FetchedHolding } from '../../domain/investments/fetched-holding.js';
import type { FetchedHoldings } from '../../domain/refresh/fetched-data.js';
import type { SourceFault } from '../../domain/refresh/source-fault.js';

/** Of one account. */
export const MAX_HOLDINGS = 5_000;
/** Of one holding. */
export const MAX_LOTS = 100;

/**
 * The holdings and lots that are stored of a fetch, whatever the adapter. An account with more is
 * incomplete: its further holdings, and the further lots of a holding, are not stored.
 */
export function boundedHoldings(
  fetched: FetchedHoldings,
  note: (fault: SourceFault) => void,
): FetchedHoldings {
  const counts = new Map<string, number>();
  const holdings: FetchedHolding[] = [];
  for (const holding of fetched.holdings) {
    const { providerAccountId: account, lots } = holding;
    const count = (counts.get(account) ?? 0) + 1;
    counts.set(account, count);
    if (count > MAX_HOLDINGS) {
      if (count === MAX_HOLDINGS + 1) note(tooLong(account, ''));
      continue;
    }
    if (lots.length > MAX_LOTS) note(tooLong(account, 'lots'));
    holdings.push(lots.length > MAX_LOTS ? { ...holding, lots: lots.slice(0, MAX_LOTS) } : holding);
  }
  return { ...fetched, holdings };
}

const tooLong = (account: string, field: string): SourceFault => ({
  scope: 'account',
  account,
  resource: 'holding',
  field,
  reason: 'too_long',
});
