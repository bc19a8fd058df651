import { presentOwner, type PresentedOwner } from '../../../domain/accounts/account-owner.js';
import type { FetchedAccountOwners } from '../../../domain/refresh/fetched-data.js';
import {
  keepsStored,
  mayLackData,
  type IncompleteAccount,
} from '../../../domain/refresh/incomplete-answer.js';
import type { OwnersChange } from '../../../domain/accounts/account-change.js';
import type { Context } from '../../base/context.js';
import type { Tx } from '../../base/database/tx.js';

/**
 * Replaces the owners of the open, permitted accounts of a locked link with the fetched ones. An
 * account whose data is incomplete keeps its owners; unchanged rows are not written. Returns the
 * ids of the accounts that changed.
 */
export async function storeAccountOwners(
  ctx: Context,
  tx: Tx,
  linkPk: bigint,
  fetched: readonly FetchedAccountOwners[],
  incomplete: readonly IncompleteAccount[] = [],
): Promise<OwnersChange[]> {
  const given = new Map(
    fetched.map(({ providerAccountId, owners }) => [
      providerAccountId,
      owners.map((owner) => JSON.stringify(presentOwner(owner))),
    ]),
  );
  const accounts = await tx.account.findMany({
    where: { linkPk, permitted: true, closed: false },
    include: { owners: { orderBy: { position: 'asc' } } },
  });
  const changed: OwnersChange[] = [];
  const keeps = keepsStored(incomplete, given);
  const isLacking = mayLackData(incomplete);
  for (const { pk: accountPk, accountId, ...account } of accounts) {
    const { providerAccountId, owners } = account;
    if (owners.length > 0 && keeps(account)) continue;
    const bodies = given.get(providerAccountId) ?? [];
    // The missing owner may be the one that could not be read.
    if (bodies.length < owners.length && isLacking(providerAccountId)) continue;
    if (
      bodies.length === owners.length &&
      owners.every(({ body }, index) => body === bodies[index])
    )
      continue;
    changed.push({
      accountId,
      before: owners.map(({ body }) => read(body)),
      after: bodies.map(read),
    });
    await tx.accountOwner.deleteMany({ where: { accountPk } });
    await tx.accountOwner.createMany({
      data: bodies.map((body, position) => ({ accountPk, position, body, createdAt: ctx.clock() })),
    });
  }
  return changed;
}

function read(body: string): PresentedOwner {
  // Only storeAccountOwners writes this column.
  return JSON.parse(body) as PresentedOwner;
}
