import { servesNumbers } from '../../domain/plaid/account-type.js';
import {
  authWebhook,
  identityWebhook,
  type NumbersChange,
  type OwnersChange,
} from '../../domain/plaid/changed-data.js';
import type { ItemWebhook } from '../../domain/plaid/webhooks.js';
import type { Context } from '../context.js';
import type { Tx } from '../database/tx.js';
import { announceItem, type LinkRow } from './record-webhook-event.js';

/** Tells the client of the compatibility layer which numbers a fetch changed, of accounts whose numbers it is shown. Source: plaid-compat 8.1, AUTH. */
export async function tellNumbers(
  ctx: Context,
  tx: Tx,
  link: LinkRow,
  changes: readonly (NumbersChange & { accountType: string })[],
): Promise<void> {
  await tell(
    ctx,
    tx,
    link,
    authWebhook(changes.filter(({ accountType }) => servesNumbers(accountType))),
  );
}

/** The same of owners. Source: plaid-compat 8.1, IDENTITY. */
export async function tellOwners(
  ctx: Context,
  tx: Tx,
  link: LinkRow,
  changes: readonly OwnersChange[],
): Promise<void> {
  await tell(ctx, tx, link, identityWebhook(changes));
}

async function tell(
  ctx: Context,
  tx: Tx,
  link: LinkRow,
  webhook: ItemWebhook | null,
): Promise<void> {
  if (webhook !== null) await announceItem(ctx, tx, link, webhook);
}
