import {
  hasNumbers,
  presentNumbers,
  type PresentedNumbers,
} from '../../../domain/accounts/account-numbers.js';
import type { FetchedAccountNumbers } from '../../../domain/refresh/fetched-data.js';
import { keepsStored, type IncompleteAccount } from '../../../domain/refresh/incomplete-answer.js';
import type { NumbersChange } from '../../../domain/accounts/account-change.js';
import type { Context } from '../../base/context.js';
import { bytesColumn } from '../../base/database/bytes.js';
import type { Tx } from '../../base/database/tx.js';
import type { Link } from '../../generated/client.js';

export type ChangedNumbers = NumbersChange & { accountType: string };

/** The seal context of an account's numbers. */
export function numbersPlace(accountId: string) {
  return { table: 'account_numbers', column: 'sealed', row: accountId };
}

/**
 * Replaces the numbers of the open, permitted accounts of a locked link with the fetched ones. An
 * account missing from the result loses its numbers, and one whose data is incomplete keeps them;
 * unchanged rows are not written. Returns the accounts that changed.
 */
export async function storeAccountNumbers(
  ctx: Context,
  tx: Tx,
  link: Link,
  fetched: readonly FetchedAccountNumbers[],
  incomplete: readonly IncompleteAccount[] = [],
): Promise<ChangedNumbers[]> {
  const given = new Map(
    fetched
      .filter(({ numbers }) => hasNumbers(numbers))
      .map(({ providerAccountId, numbers }) => [
        providerAccountId,
        JSON.stringify(presentNumbers(numbers)),
      ]),
  );
  const accounts = await tx.account.findMany({
    where: { linkPk: link.pk, permitted: true, closed: false },
    include: { numbers: true },
  });
  const changed: ChangedNumbers[] = [];
  const keeps = keepsStored(incomplete, given);
  for (const { pk: accountPk, accountId, accountType, ...account } of accounts) {
    const { providerAccountId, numbers } = account;
    if (numbers !== null && keeps(account)) continue;
    const [at, owner] = [numbersPlace(accountId), `link/${link.linkId}`];
    const stored =
      numbers === null
        ? undefined
        : (await ctx.sealer.openUnder(tx, owner, at, numbers.sealed)).toString('utf8');
    const text = given.get(providerAccountId);
    if (text === stored) continue;
    changed.push({ accountId, accountType, before: read(stored), after: read(text) });
    if (text === undefined) {
      await tx.accountNumber.delete({ where: { accountPk } });
      continue;
    }
    const sealed = bytesColumn(
      await ctx.sealer.sealUnder(tx, owner, at, Buffer.from(text, 'utf8')),
    );
    await tx.accountNumber.upsert({
      where: { accountPk },
      create: { accountPk, sealed, createdAt: ctx.clock() },
      update: { sealed },
    });
  }
  return changed;
}

function read(text: string | undefined): PresentedNumbers | null {
  // Only storeAccountNumbers writes this column.
  return text === undefined ? null : (JSON.parse(text) as PresentedNumbers);
}
