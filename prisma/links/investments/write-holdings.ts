import type { ResolvedHolding } from '../../../domain/investments/resolve-holdings.js';
import type { Context } from '../../base/context.js';
import { loadSql } from '../../base/database/load-sql.js';
import type { Tx } from '../../base/database/tx.js';
import type { StoredHolding } from './known-holdings.js';

/** A holding of a list, under its id. */
export interface PlacedHolding {
  holdingId: string;
  accountPk: bigint;
  accountId: string;
  securityId: string;
  place: number;
  holding: ResolvedHolding;
  body: string;
}

/** Writes new and changed holdings, whose securities are stored. */
export async function writeHoldings(
  ctx: Pick<Context, 'clock'>,
  tx: Tx,
  day: string,
  rows: readonly PlacedHolding[],
): Promise<void> {
  if (rows.length === 0) return;
  const held = rows.map(({ holding }) => holding);
  const written = await tx.$executeRawUnsafe(
    loadSql('store-holdings'),
    day,
    ctx.clock(),
    rows.map(({ holdingId }) => holdingId),
    rows.map(({ accountPk }) => accountPk),
    rows.map(({ securityId }) => securityId),
    rows.map(({ place }) => place),
    held.map(({ providerHoldingId }) => providerHoldingId),
    held.map(({ quantity }) => quantity.toFixed()),
    held.map(({ value }) => value?.toFixed() ?? null),
    held.map(({ currency }) => currency),
    held.map(({ isCash }) => isCash),
    held.map(({ acquiredOn }) => acquiredOn),
    held.map(({ contributionSource }) => contributionSource),
    held.map(({ subAccount }) => subAccount),
    held.map(({ cost }) => cost.reported),
    held.map(({ costBasis }) => costBasis?.toFixed() ?? null),
    held.map(({ costBasisSource }) => costBasisSource),
    held.map(({ costBasisEvidence }) => costBasisEvidence),
    held.map(({ lots }) => 1 + lots.length),
    // A line for each row, since JSON has no line breaks: an array would escape every quote.
    rows.map(({ body }) => body).join('\n'),
  );
  // The deletion of the only other link with a security erased it meanwhile: the fetch is repeated.
  if (written !== rows.length) throw new Error('a security of the holdings was erased meanwhile');
}

export async function endHoldings(
  tx: Tx,
  day: string,
  ended: readonly StoredHolding[],
): Promise<void> {
  if (ended.length === 0) return;
  await tx.$executeRawUnsafe(
    loadSql('end-holdings'),
    ended.map(({ pk }) => pk),
    day,
  );
}

/** An account with the balance and cash of its last list. */
export interface ListedAccount {
  pk: bigint;
  convention: string | null;
  body: string;
}

export async function writeAccounts(tx: Tx, accounts: readonly ListedAccount[]): Promise<void> {
  if (accounts.length === 0) return;
  await tx.$executeRawUnsafe(
    loadSql('store-holdings-accounts'),
    accounts.map(({ pk }) => pk),
    accounts.map(({ convention }) => convention),
    accounts.map(({ body }) => body).join('\n'),
  );
}

/** Keeps the holdings of accounts for a day, as they are after all writes of a fetch. */
export async function recordDays(
  tx: Tx,
  day: string,
  accountPks: readonly bigint[],
): Promise<void> {
  if (accountPks.length === 0) return;
  await tx.$executeRawUnsafe(loadSql('record-holding-days'), accountPks, day);
}
