import {
  normalizeAccountNumber,
  accountNumberOf,
  normalizeOwnerNames,
} from '../../../domain/accounts/account-identifiers.js';
import type { FetchedAccount } from '../../../domain/refresh/fetched-data.js';
import { mayLackData, type IncompleteAccount } from '../../../domain/refresh/incomplete-answer.js';
import { isImportedKey } from '../../../domain/imports/imported-data.js';
import type { ComparableAccount } from '../../../domain/accounts/recognize-accounts.js';
import type { Context } from '../../base/context.js';
import type { Tx } from '../../base/database/tx.js';
import type { Account } from '../../generated/client.js';
import { numbersPlace } from './store-account-numbers.js';

export interface KnownAccount extends ComparableAccount {
  row: Account;
}

export interface ListedAccount extends ComparableAccount {
  account: FetchedAccount;
}

/** The stored accounts of a link with their identifying facts: numbers and owners, if fetched. */
export async function knownAccounts(
  ctx: Context,
  db: Tx | Context['database']['prisma'],
  { pk: linkPk, linkId }: { pk: bigint; linkId: string },
): Promise<KnownAccount[]> {
  const rows = await db.account.findMany({
    where: { linkPk },
    include: { numbers: true, owners: { orderBy: { position: 'asc' } } },
    orderBy: { pk: 'asc' },
  });
  const sealed = rows.flatMap(({ accountId, numbers }) =>
    numbers === null ? [] : [{ accountId, at: numbersPlace(accountId), value: numbers.sealed }],
  );
  const opened = await ctx.sealer.openAllUnder(db, `link/${linkId}`, sealed);
  // Only storeAccountNumbers and storeAccountOwners write these columns.
  const numbers = new Map(
    sealed.map(({ accountId }, index) => [
      accountId,
      accountNumberOf(
        JSON.parse(opened[index]?.toString('utf8') ?? '{}') as Parameters<
          typeof accountNumberOf
        >[0],
      ),
    ]),
  );
  return rows.map(({ numbers: _, owners, ...row }) => ({
    row,
    providerAccountId: row.providerAccountId,
    accountType: row.accountType,
    mask: row.mask,
    currency: row.currency,
    name: row.name,
    imported: isImportedKey(row.providerAccountId),
    number: normalizeAccountNumber(numbers.get(row.accountId) ?? null),
    owner: normalizeOwnerNames(
      owners.flatMap(({ body }) => (JSON.parse(body) as { names: string[] }).names),
    ),
  }));
}

/**
 * Omits missing accounts where the list is incomplete: such an account has not returned under
 * another id.
 */
export function reportedAccounts<A extends ComparableAccount>(
  accounts: readonly A[],
  listed: readonly Pick<ComparableAccount, 'providerAccountId'>[],
  incomplete: readonly IncompleteAccount[],
): A[] {
  const isLacking = mayLackData(incomplete);
  const isListed = new Set(listed.map(({ providerAccountId }) => providerAccountId));
  return accounts.filter(({ providerAccountId: id }) => isListed.has(id) || !isLacking(id));
}

/** An account as a provider lists it. */
export function listedAccount(account: FetchedAccount): ListedAccount {
  const { providerAccountId, accountType, mask, currency, name, identifiers: marks } = account;
  return {
    account,
    providerAccountId,
    accountType,
    mask,
    currency,
    name,
    number: normalizeAccountNumber(marks?.number ?? null),
    owner: normalizeOwnerNames(marks?.owners ?? []),
  };
}
