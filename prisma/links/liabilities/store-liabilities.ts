import type { LiabilityChange } from '../../../domain/liabilities/liability-change.js';
import type { FetchedLiability } from '../../../domain/liabilities/liability.js';
import {
  renderLiability,
  type PresentedLiability,
} from '../../../domain/liabilities/present-liability.js';
import { keepsStored, type IncompleteAccount } from '../../../domain/refresh/incomplete-answer.js';
import type { Context } from '../../base/context.js';
import type { Tx } from '../../base/database/tx.js';
import type { Link } from '../../generated/client.js';

/**
 * Replaces the debts of the open, permitted accounts of a locked link with the fetched ones. An
 * account missing from a complete result loses its debt, and one whose data is incomplete keeps it;
 * unchanged rows are not written. Returns the changes.
 */
export async function storeLiabilities(
  ctx: Context,
  tx: Tx,
  { pk: linkPk }: Pick<Link, 'pk'>,
  fetched: readonly FetchedLiability[],
  incomplete: readonly IncompleteAccount[],
): Promise<LiabilityChange[]> {
  const given = new Map(fetched.map((debt) => [debt.providerAccountId, debt]));
  const accounts = await tx.account.findMany({
    where: { linkPk, permitted: true, closed: false },
    include: { liability: true },
  });
  const changed: LiabilityChange[] = [];
  const keeps = keepsStored(incomplete, given);
  for (const { pk: accountPk, accountId, liability, ...account } of accounts) {
    if (liability !== null && keeps(account)) continue;
    const debt = given.get(account.providerAccountId);
    const body = debt === undefined ? undefined : renderLiability(accountId, debt);
    if (body === liability?.body) continue;
    changed.push({ accountId, before: read(liability?.body), after: read(body) });
    if (body === undefined) {
      await tx.liability.delete({ where: { accountPk } });
      continue;
    }
    const now = ctx.clock();
    await tx.liability.upsert({
      where: { accountPk },
      create: { accountPk, body, updatedAt: now, createdAt: now },
      update: { body, updatedAt: now },
    });
  }
  return changed;
}

function read(body: string | undefined): PresentedLiability | null {
  // Only storeLiabilities writes this column.
  return body === undefined ? null : (JSON.parse(body) as PresentedLiability);
}
