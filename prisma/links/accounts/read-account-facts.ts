import type { AccountFacts } from '../../../domain/accounts/account-facts.js';
import type { AccountType } from '../../../domain/accounts/account-types.js';
import type { Context } from '../../base/context.js';
import type { Link } from '../../generated/client.js';

/** The facts of a link's accounts as providers receive them, and the provider ids of open ones. */
export async function accountFactsOf(
  { database: { prisma } }: Pick<Context, 'database'>,
  { pk: linkPk }: Pick<Link, 'pk'>,
): Promise<{ open: string[]; facts: Map<string, AccountFacts> }> {
  const rows = await prisma.account.findMany({
    where: { linkPk },
    select: {
      providerAccountId: true,
      closed: true,
      accountType: true,
      currency: true,
      current: true,
      available: true,
      limit: true,
    },
  });
  return {
    open: rows.flatMap(({ providerAccountId: id, closed }) => (closed ? [] : [id])),
    facts: new Map(
      rows.map(({ providerAccountId, accountType, currency, current, available, limit }) => [
        providerAccountId,
        // Only types of domain/accounts/account-types.ts are stored.
        { accountType: accountType as AccountType, currency, current, available, limit },
      ]),
    ),
  };
}
