import { readdirSync, readFileSync } from 'node:fs';
import {
  PLAID_WEBHOOK_NAMES,
  plaidWebhookName,
  renderItemWebhook,
  renderSessionWebhook,
  webhookError,
  type ItemWebhook,
} from '../../../../domain/plaid/webhooks.js';

const GOLDEN = new URL('golden/plaid-webhooks/', import.meta.url);
const golden = (name: string) => readFileSync(new URL(`${name}.json`, GOLDEN), 'utf8');
const ITEM = { itemId: 'mk_7hGq2ZtVbXn9KsRw4MfPcD', environment: 'sandbox' } as const;
const ACCOUNT = 'acc_9wVxKq3TnR5sZbYd7HfMpE';

const ITEM_WEBHOOKS: ItemWebhook[] = [
  {
    webhook_type: 'TRANSACTIONS',
    webhook_code: 'INITIAL_UPDATE',
    new_transactions: 28,
    error: null,
  },
  {
    webhook_type: 'TRANSACTIONS',
    webhook_code: 'HISTORICAL_UPDATE',
    new_transactions: 61,
    error: null,
  },
  {
    webhook_type: 'TRANSACTIONS',
    webhook_code: 'SYNC_UPDATES_AVAILABLE',
    initial_update_complete: true,
    historical_update_complete: false,
  },
  {
    webhook_type: 'TRANSACTIONS',
    webhook_code: 'DEFAULT_UPDATE',
    new_transactions: 3,
    error: null,
  },
  {
    webhook_type: 'TRANSACTIONS',
    webhook_code: 'TRANSACTIONS_REMOVED',
    removed_transactions: ['txn_jADYNUMYp97MKW2DfzRHgr', 'txn_7Zq2mXb4KcVd9RtYw3HnPs'],
    error: null,
  },
  {
    webhook_type: 'TRANSACTIONS',
    webhook_code: 'RECURRING_TRANSACTIONS_UPDATE',
    account_ids: [ACCOUNT],
  },
  { webhook_type: 'ITEM', webhook_code: 'ERROR', error: webhookError('ITEM_LOGIN_REQUIRED') },
  { webhook_type: 'ITEM', webhook_code: 'LOGIN_REPAIRED' },
  {
    webhook_type: 'ITEM',
    webhook_code: 'PENDING_DISCONNECT',
    reason: 'INSTITUTION_TOKEN_EXPIRATION',
    disconnect_time: '2026-03-09T10:15:30.000Z',
  },
  {
    webhook_type: 'ITEM',
    webhook_code: 'PENDING_EXPIRATION',
    consent_expiration_time: '2026-03-09T10:15:30.000Z',
  },
  {
    webhook_type: 'ITEM',
    webhook_code: 'USER_PERMISSION_REVOKED',
    error: webhookError('USER_PERMISSION_REVOKED', 'OAUTH_USER_REVOKED'),
  },
  { webhook_type: 'ITEM', webhook_code: 'USER_ACCOUNT_REVOKED', account_id: ACCOUNT },
  { webhook_type: 'ITEM', webhook_code: 'NEW_ACCOUNTS_AVAILABLE', error: null },
  {
    webhook_type: 'ITEM',
    webhook_code: 'WEBHOOK_UPDATE_ACKNOWLEDGED',
    new_webhook_url: 'https://app.example/hook',
    error: null,
  },
  {
    webhook_type: 'AUTH',
    webhook_code: 'DEFAULT_UPDATE',
    account_ids_with_new_auth: [],
    account_ids_with_updated_auth: { [ACCOUNT]: ['ACCOUNT_NUMBER'] },
    error: null,
  },
  {
    webhook_type: 'IDENTITY',
    webhook_code: 'DEFAULT_UPDATE',
    account_ids_with_updated_identity: { [ACCOUNT]: ['PHONES'] },
    error: null,
  },
  {
    webhook_type: 'HOLDINGS',
    webhook_code: 'DEFAULT_UPDATE',
    new_holdings: 2,
    updated_holdings: 11,
    error: null,
  },
  {
    webhook_type: 'INVESTMENTS_TRANSACTIONS',
    webhook_code: 'DEFAULT_UPDATE',
    new_investments_transactions: 3,
    cancelled_investments_transactions: 1,
    error: null,
  },
  {
    webhook_type: 'INVESTMENTS_TRANSACTIONS',
    webhook_code: 'HISTORICAL_UPDATE',
    new_investments_transactions: 240,
    cancelled_investments_transactions: 0,
    error: null,
  },
  {
    webhook_type: 'LIABILITIES',
    webhook_code: 'DEFAULT_UPDATE',
    account_ids_with_new_liabilities: [],
    account_ids_with_updated_liabilities: { [ACCOUNT]: ['next_payment_due_date'] },
    error: null,
  },
];
const SESSION = {
  webhook_type: 'LINK',
  webhook_code: 'SESSION_FINISHED',
  link_session_id: 'ses_4nB8rTqWv2XyZ6cD9eFgHj',
  link_token: 'link-production-0b1c2d3e-4f50-4617-8293-a4b5c6d7e8f9',
} as const;

describe('Bodies of Plaid-format webhooks (plaid-compat 8.1, 8.2)', () => {
  it.each(ITEM_WEBHOOKS.map((webhook) => [plaidWebhookName(webhook), webhook] as const))(
    'keep the recorded form: %s',
    (name, webhook) => {
      expect(renderItemWebhook(webhook, ITEM)).toBe(golden(name));
    },
  );

  it.each([
    [
      'LINK.SESSION_FINISHED',
      {
        ...SESSION,
        status: 'SUCCESS',
        public_tokens: ['public-production-1a2b3c4d-5e6f-4708-9180-a1b2c3d4e5f6'],
      },
    ],
    ['LINK.SESSION_FINISHED.exited', { ...SESSION, status: 'EXITED', public_tokens: [] }],
  ] as const)('keep the recorded form: %s', (name, webhook) => {
    expect(renderSessionWebhook(webhook, 'live')).toBe(golden(name));
  });

  it('exist for every row of the contract', () => {
    expect(
      readdirSync(GOLDEN)
        .map((file) => file.replace(/\.json$/, ''))
        .filter((name) => !name.endsWith('.exited'))
        .sort(),
    ).toEqual([...PLAID_WEBHOOK_NAMES].sort());
  });

  it.each(readdirSync(GOLDEN))(
    '%s is unchanged by a receiver that serializes it again as two-space JSON',
    (file) => {
      const body = readFileSync(new URL(file, GOLDEN), 'utf8');
      expect(JSON.stringify(JSON.parse(body), null, 2)).toBe(body);
      expect(JSON.parse(body)).toMatchObject({
        webhook_type: expect.any(String),
        webhook_code: expect.any(String),
        environment: expect.stringMatching(/^(sandbox|production)$/),
      });
      expect(body).not.toContain('request_id');
    },
  );
});
