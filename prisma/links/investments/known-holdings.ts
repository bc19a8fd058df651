import { Decimal } from 'decimal.js';
import type { FetchedHoldingsAccount } from '../../../domain/investments/fetched-holding.js';
import type { FetchedSecurity } from '../../../domain/investments/fetched-security.js';
import type { KnownHolding } from '../../../domain/investments/recognize-holdings.js';
import type {
  CostBasisEvidence,
  CostBasisSource,
  CostConvention,
  EarlierCost,
} from '../../../domain/investments/cost-basis.js';
import { decodeSecurity } from '../../../domain/investments/security-facts.js';
import { loadSql } from '../../base/database/load-sql.js';
import type { Tx } from '../../base/database/tx.js';

/** An account of a list of holdings, with what is known of it. */
export interface HoldingsAccountRow {
  pk: bigint;
  accountId: string;
  listed: FetchedHoldingsAccount;
  convention: CostConvention | null;
  /** Its public JSON; null = its holdings were never listed. */
  body: string | null;
  /** The last place that a holding was given. */
  lastPlace: number;
}

/**
 * The open, permitted accounts of a list; `unlisted`: the provider ids of others that have holdings.
 */
export async function holdingsAccounts(
  tx: Tx,
  linkPk: bigint,
  listed: readonly FetchedHoldingsAccount[],
): Promise<{ accounts: HoldingsAccountRow[]; unlisted: string[] }> {
  const byId = new Map(listed.map((account) => [account.providerAccountId, account]));
  const rows = await tx.$queryRawUnsafe<
    {
      pk: bigint;
      account_id: string;
      provider_account_id: string;
      convention: CostConvention | null;
      body: string | null;
      last_place: number;
    }[]
  >(loadSql('holdings-accounts'), linkPk, [...byId.keys()]);
  const accounts = rows.flatMap((row) => {
    const account = byId.get(row.provider_account_id);
    if (account === undefined) return [];
    const { pk, account_id: accountId, convention, body, last_place: lastPlace } = row;
    return [{ pk, accountId, listed: account, convention, body, lastPlace }];
  });
  const unlisted = rows.map(({ provider_account_id: id }) => id).filter((id) => !byId.has(id));
  return { accounts, unlisted };
}

/** A stored holding that a list is compared with. */
export interface StoredHolding extends KnownHolding {
  pk: bigint;
  accountPk: bigint;
  /** The id of its security, also if nothing identifies it. */
  storedSecurityId: string;
  /** The known facts of a security that nothing identifies; null = its identifiers do. */
  ownFacts: FetchedSecurity | null;
  body: string;
  earlierCost: EarlierCost;
  ended: string | null;
}

interface HoldingRow {
  pk: bigint;
  holding_id: string;
  account_pk: bigint;
  place: number;
  provider_holding_id: string | null;
  security_id: string;
  name: string | null;
  own_facts: string | null;
  quantity: string;
  acquired_on: string | null;
  contribution_source: string | null;
  sub_account: string | null;
  cost_reported: string | null;
  cost_basis: string | null;
  cost_source: string | null;
  cost_evidence: string | null;
  body: string;
  ended: string | null;
}

/** The holdings of accounts, with those that ended on a day or later. */
export async function knownHoldings(
  tx: Tx,
  accountPks: readonly bigint[],
  endedSince: string,
): Promise<StoredHolding[]> {
  const rows = await tx.$queryRawUnsafe<HoldingRow[]>(
    loadSql('known-holdings'),
    accountPks,
    endedSince,
  );
  return rows.map((row) => ({
    pk: row.pk,
    accountPk: row.account_pk,
    holdingId: row.holding_id,
    providerHoldingId: row.provider_holding_id,
    securityId: row.own_facts === null ? row.security_id : null,
    storedSecurityId: row.security_id,
    name: row.name,
    ownFacts: row.own_facts === null ? null : decodeSecurity(row.own_facts),
    acquiredOn: row.acquired_on,
    contributionSource: row.contribution_source,
    subAccount: row.sub_account,
    quantity: new Decimal(row.quantity),
    costReported: row.cost_reported,
    place: row.place,
    body: row.body,
    earlierCost: {
      reported: row.cost_reported,
      costBasis: row.cost_basis === null ? null : new Decimal(row.cost_basis),
      // Only writeHoldings writes these columns.
      source: row.cost_source as CostBasisSource | null,
      evidence: row.cost_evidence as CostBasisEvidence | null,
    },
    ended: row.ended,
  }));
}
