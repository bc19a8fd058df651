/** The most that one response of the SimpleFIN server shows. Source: native-api 3.11. */
export const MAX_SHARED = { links: 1_000, accounts: 5_000, rows: 200_000, holdings: 100_000 };

/** What a response would show; numbers beyond the bound may be too small. */
export type SharedCounts = Record<keyof typeof MAX_SHARED, number>;

/** The reason, for the user of the finance app, that a response would be too large; null = it is not. */
export function tooMuchShared({ links, accounts, rows, holdings }: SharedCounts): string | null {
  if (links > MAX_SHARED.links)
    return 'This user has more than 1,000 connections, which is more than one response can show.';
  if (accounts > MAX_SHARED.accounts)
    return 'This user has more than 5,000 accounts: request some of them, by the parameter account.';
  if (rows > MAX_SHARED.rows)
    return 'These dates have more than 200,000 transactions: request fewer days, by start-date and end-date, or single accounts.';
  if (holdings > MAX_SHARED.holdings)
    return 'This user has more than 100,000 holdings: request single accounts, by the parameter account.';
  return null;
}
