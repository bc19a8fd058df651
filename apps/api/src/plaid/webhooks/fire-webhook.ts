import { Injectable } from '@nestjs/common';
import { webhookError, type ItemWebhook } from '../../../../../domain/plaid/webhooks.js';
import type { Product } from '../../../../../domain/link/products.js';
import type { Caller } from '../../http/request-state.js';
import type { Item } from '../access/item-access.js';
import { AccountRepository } from '../../../../../prisma/accounts/account.repository.js';
import { ItemWebhookRepository } from '../../../../../prisma/plaid/item-webhook.repository.js';
import { invalidField, PlaidError } from '../errors/plaid-error.js';
import { updateStatusOf } from '../transactions/update-status.js';
import type { FireWebhookBody } from './webhook.requests.js';

/** The subject of a test webhook. */
interface Subject {
  item: Item;
  accountId: string;
}

interface Fireable {
  /** The product the Item must have; null = any Item. */
  product: Product | null;
  content: (subject: Subject) => ItemWebhook;
}

const WEEK_MS = 7 * 86_400_000;
const updated = { error: null } as const;

/** Source: plaid-compat 7, `/sandbox/item/fire_webhook`. If a code has several types, the first is the default. */
const FIREABLE: Readonly<Record<string, Readonly<Record<string, Fireable>>>> = {
  SYNC_UPDATES_AVAILABLE: {
    TRANSACTIONS: {
      product: 'transactions',
      content: ({ item }) => ({
        webhook_type: 'TRANSACTIONS',
        webhook_code: 'SYNC_UPDATES_AVAILABLE',
        ...completeness(item),
      }),
    },
  },
  DEFAULT_UPDATE: {
    TRANSACTIONS: {
      product: 'transactions',
      content: () => ({
        webhook_type: 'TRANSACTIONS',
        webhook_code: 'DEFAULT_UPDATE',
        new_transactions: 0,
        ...updated,
      }),
    },
    AUTH: {
      product: 'account_numbers',
      content: ({ accountId }) => ({
        webhook_type: 'AUTH',
        webhook_code: 'DEFAULT_UPDATE',
        account_ids_with_new_auth: [],
        account_ids_with_updated_auth: { [accountId]: ['ACCOUNT_NUMBER', 'ROUTING_NUMBER'] },
        ...updated,
      }),
    },
    IDENTITY: {
      product: 'identity',
      content: ({ accountId }) => ({
        webhook_type: 'IDENTITY',
        webhook_code: 'DEFAULT_UPDATE',
        account_ids_with_updated_identity: { [accountId]: ['PHONES'] },
        ...updated,
      }),
    },
  },
  NEW_ACCOUNTS_AVAILABLE: ofItem(() => ({
    webhook_type: 'ITEM',
    webhook_code: 'NEW_ACCOUNTS_AVAILABLE',
    ...updated,
  })),
  LOGIN_REPAIRED: ofItem(() => ({ webhook_type: 'ITEM', webhook_code: 'LOGIN_REPAIRED' })),
  PENDING_DISCONNECT: ofItem(({ item }) => ({
    webhook_type: 'ITEM',
    webhook_code: 'PENDING_DISCONNECT',
    reason: 'INSTITUTION_TOKEN_EXPIRATION',
    disconnect_time: new Date(item.link.now.getTime() + WEEK_MS).toISOString(),
  })),
  USER_PERMISSION_REVOKED: ofItem(({ item }) => ({
    webhook_type: 'ITEM',
    webhook_code: 'USER_PERMISSION_REVOKED',
    error: webhookError('USER_PERMISSION_REVOKED', item.isOAuth ? 'OAUTH_USER_REVOKED' : undefined),
  })),
  USER_ACCOUNT_REVOKED: ofItem(({ accountId }) => ({
    webhook_type: 'ITEM',
    webhook_code: 'USER_ACCOUNT_REVOKED',
    account_id: accountId,
  })),
};

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
    const { product, content } = fireable(code, type);
    const { link, webhookFormat } = item;
    if (webhookFormat !== 'plaid' || link.webhook === null)
      throw new PlaidError('SANDBOX_WEBHOOK_INVALID');
    if (product !== null && link.products.every((granted) => granted.product !== product))
      throw new PlaidError('SANDBOX_PRODUCT_NOT_ENABLED');
    const [account] = await this.accounts.list(caller, link.linkId);
    if (
      !(await this.webhooks.fire(
        caller,
        link.linkId,
        content({ item, accountId: account?.accountId ?? '' }),
      ))
    )
      throw new PlaidError('SANDBOX_WEBHOOK_INVALID');
  }
}

function fireable(code: string, type: string | undefined): Fireable {
  const types = Object.hasOwn(FIREABLE, code) ? FIREABLE[code] : undefined;
  if (types === undefined) throw invalidField('webhook_code: is none that can be fired');
  const chosen = type ?? Object.keys(types)[0] ?? '';
  const found = Object.hasOwn(types, chosen) ? types[chosen] : undefined;
  if (found === undefined) throw invalidField('webhook_type: has no such webhook_code');
  return found;
}

function ofItem(content: Fireable['content']): Readonly<Record<string, Fireable>> {
  return { ITEM: { product: null, content } };
}

function completeness(item: Item) {
  const status = updateStatusOf(item);
  return {
    initial_update_complete: status !== 'NOT_READY',
    historical_update_complete: status === 'HISTORICAL_UPDATE_COMPLETE',
  };
}
