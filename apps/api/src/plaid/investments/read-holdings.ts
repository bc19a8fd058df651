import {
  FIRST_PLACE,
  type HoldingPlace,
  type HoldingRepository,
} from '../../../../../prisma/links/investments/holding.repository.js';
import { mapInTurns } from '../../http/in-turns.js';
import type {
  StoredHolding,
  StoredHoldingsAccount,
  StoredSecurity,
} from '../shapes/stored-investments.js';

/** Holdings and their lots of one reading. */
const PAGE_SIZE = 1000;

export interface HoldingsOfAccounts {
  holdings: StoredHolding[];
  /** By their ids. */
  securities: Map<string, StoredSecurity>;
  accounts: Map<string, StoredHoldingsAccount>;
}

/** All that these accounts of a link hold now. */
export async function readHoldings(
  repository: HoldingRepository,
  linkPk: bigint,
  accountIds: readonly string[],
): Promise<HoldingsOfAccounts> {
  const read: HoldingsOfAccounts = { holdings: [], securities: new Map(), accounts: new Map() };
  let from: HoldingPlace | null = FIRST_PLACE;
  while (from !== null) {
    const page = await repository.page(linkPk, { accountIds, from, limit: PAGE_SIZE });
    const [holdings, securities, accounts] = [
      await mapInTurns(page.holdings, (body) => JSON.parse(body) as StoredHolding),
      page.securities.map((body) => JSON.parse(body) as StoredSecurity),
      page.accounts.map((body) => JSON.parse(body) as StoredHoldingsAccount),
    ];
    read.holdings.push(...holdings);
    for (const security of securities) read.securities.set(security.security_id, security);
    for (const account of accounts) read.accounts.set(account.account_id, account);
    from = page.next;
  }
  return read;
}
