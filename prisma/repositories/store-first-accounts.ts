import type { Decimal } from 'decimal.js';
import { makeId } from '../../domain/ids.js';
import type { Context } from '../context.js';
import type { Tx } from '../database.js';
import { recordOrHoldDataEvent, type LinkRow } from './webhook-event.js';

/** An account as the bank showed it while linking. */
export interface FirstAccount {
  providerAccountId: string;
  accountType: string;
  name: string;
  mask: string | null;
  currency: string;
  available: Decimal | null;
  current: Decimal | null;
  limit: Decimal | null;
  balanceDate: Date | null;
}

/**
 * Stores the accounts of a new link and completes its `accounts` product, whose event waits for the exchange
 * (link-lifecycle 5). A repetition finds the accounts there and announces nothing again.
 */
export async function storeFirstAccounts(ctx: Context, tx: Tx, link: LinkRow, accounts: readonly FirstAccount[]): Promise<void> {
  const now = ctx.clock();
  await tx.account.createMany({
    data: accounts.map((account, position) => ({
      accountId: makeId('account', ctx.random),
      linkPk: link.pk,
      providerAccountId: account.providerAccountId,
      accountType: account.accountType,
      name: account.name,
      mask: account.mask,
      currency: account.currency,
      available: account.available?.toFixed() ?? null,
      current: account.current?.toFixed() ?? null,
      limit: account.limit?.toFixed() ?? null,
      balanceDate: account.balanceDate,
      position,
      createdAt: now,
    })),
    skipDuplicates: true,
  });
  const { count } = await tx.linkProduct.updateMany({
    where: { linkPk: link.pk, product: 'accounts', OR: [{ state: null }, { state: { not: 'completed' } }] },
    data: { state: 'completed', stateChangedAt: now, refreshedAt: now, lastAttemptedAt: now, errorCode: null, errorMessage: null },
  });
  if (count === 0) return;
  await tx.link.update({ where: { pk: link.pk }, data: { lastSyncedAt: now, revision: { increment: 1 } } });
  await recordOrHoldDataEvent(ctx, tx, link, {
    webhook_event: 'link.product_refresh',
    product: 'accounts',
    state: 'completed',
    state_changed_at: now.toISOString(),
    error_message: null,
  });
}
