import { Injectable } from '@nestjs/common';
import { webhookError, type ItemWebhook } from '../../../../../domain/plaid/webhooks.js';
import type { Product } from '../../../../../domain/link/products.js';
import type { Caller } from '../../http/request-state.js';
import type { Item } from '../access/item-access.js';
import { AccountRepository } from '../../../../../prisma/links/accounts/account.repository.js';
import { ItemWebhookRepository } from '../../../../../prisma/views/plaid/item-webhook.repository.js';
import { invalidField, PlaidError } from '../errors/plaid-error.js';
import { updateStatusOf } from '../transactions/update-status.js';
import type { FireWebhookBody } from './webhook.requests.js';

interface Sample {
  /** The product the Item must have; null = any Item. */
  product: Product | null;
  webhook: ItemWebhook;
}

const WEEK_MS = 7 * 86_400_000;

/** Source: plaid-compat 7, `/sandbox/item/fire_webhook`. If a code has several types, the first is the default. */
function samplesOf(item: Item, accountId: string): readonly Sample[] {
  const updated = { webhook_code: 'DEFAULT_UPDATE', error: null } as const;
  const changedNumbers = { [accountId]: ['ACCOUNT_NUMBER', 'ROUTING_NUMBER'] as const };
  const changedOwners = { [accountId]: ['PHONES'] as const };
  const disconnectsAt = new Date(item.link.now.getTime() + WEEK_MS);
  const revoked = item.isOAuth ? 'OAUTH_USER_REVOKED' : undefined;
  const ofItem: readonly ItemWebhook[] = [
    { webhook_type: 'ITEM', webhook_code: 'NEW_ACCOUNTS_AVAILABLE', error: null },
    { webhook_type: 'ITEM', webhook_code: 'LOGIN_REPAIRED' },
    {
      webhook_type: 'ITEM',
      webhook_code: 'PENDING_DISCONNECT',
      reason: 'INSTITUTION_TOKEN_EXPIRATION',
      disconnect_time: disconnectsAt.toISOString(),
    },
    {
      webhook_type: 'ITEM',
      webhook_code: 'USER_PERMISSION_REVOKED',
      error: webhookError('USER_PERMISSION_REVOKED', revoked),
    },
    { webhook_type: 'ITEM', webhook_code: 'USER_ACCOUNT_REVOKED', account_id: accountId },
  ];
  return [
    {
      product: 'transactions',
      webhook: {
        webhook_type: 'TRANSACTIONS',
        webhook_code: 'SYNC_UPDATES_AVAILABLE',
        ...completeness(item),
      },
    },
    {
      product: 'transactions',
      webhook: { webhook_type: 'TRANSACTIONS', new_transactions: 0, ...updated },
    },
    {
      product: 'transactions',
      webhook: {
        webhook_type: 'TRANSACTIONS',
        webhook_code: 'RECURRING_TRANSACTIONS_UPDATE',
        account_ids: [accountId],
      },
    },
    {
      product: 'account_numbers',
      webhook: {
        webhook_type: 'AUTH',
        account_ids_with_new_auth: [],
        account_ids_with_updated_auth: changedNumbers,
        ...updated,
      },
    },
    {
      product: 'identity',
      webhook: {
        webhook_type: 'IDENTITY',
        account_ids_with_updated_identity: changedOwners,
        ...updated,
      },
    },
    {
      product: 'investments',
      webhook: { webhook_type: 'HOLDINGS', new_holdings: 0, updated_holdings: 0, ...updated },
    },
    ...(['DEFAULT_UPDATE', 'HISTORICAL_UPDATE'] as const).map((code): Sample => ({
      product: 'investments',
      webhook: {
        webhook_type: 'INVESTMENTS_TRANSACTIONS',
        webhook_code: code,
        new_investments_transactions: 0,
        cancelled_investments_transactions: 0,
        error: null,
      },
    })),
    {
      product: 'liabilities',
      webhook: {
        webhook_type: 'LIABILITIES',
        account_ids_with_new_liabilities: [],
        account_ids_with_updated_liabilities: { [accountId]: ['next_payment_due_date'] },
        ...updated,
      },
    },
    ...ofItem.map((webhook) => ({ product: null, webhook })),
  ];
}

/** Sends test webhooks. The Item does not change. */
@Injectable()
export class FireWebhook {
  constructor(
    private readonly webhooks: ItemWebhookRepository,
    private readonly accounts: AccountRepository,
  ) {}

  /** @throws PlaidError */
  async fire(
    caller: Caller,
    item: Item,
    { webhook_code: code, webhook_type: type }: FireWebhookBody,
  ): Promise<void> {
    const { link, webhookFormat } = item;
    const [account] = await this.accounts.list(caller, link.linkId);
    const { product, webhook } = chosen(samplesOf(item, account?.accountId ?? ''), code, type);
    if (webhookFormat !== 'plaid' || link.webhook === null)
      throw new PlaidError('SANDBOX_WEBHOOK_INVALID');
    if (product !== null && link.products.every((granted) => granted.product !== product))
      throw new PlaidError('SANDBOX_PRODUCT_NOT_ENABLED');
    if (!(await this.webhooks.fire(caller, link.linkId, webhook)))
      throw new PlaidError('SANDBOX_WEBHOOK_INVALID');
  }
}

function chosen(samples: readonly Sample[], code: string, type: string | undefined): Sample {
  const ofCode = samples.filter(({ webhook }) => webhook.webhook_code === code);
  if (ofCode.length === 0) throw invalidField('webhook_code: is none that can be fired');
  const found = ofCode.find(
    ({ webhook }) => webhook.webhook_type === (type ?? webhook.webhook_type),
  );
  if (found === undefined) throw invalidField('webhook_type: has no such webhook_code');
  return found;
}

function completeness(item: Item) {
  const status = updateStatusOf(item);
  return {
    initial_update_complete: status !== 'NOT_READY',
    historical_update_complete: status === 'HISTORICAL_UPDATE_COMPLETE',
  };
}
