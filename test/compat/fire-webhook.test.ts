import { grantProducts } from '../support/services/api-in-process.js';
import { refusalOf } from '../support/actors/plaid-client.js';
import { StoredItem } from '../support/fixtures/stored-item.js';
import {
  announced,
  announcedBy,
  item,
  ROWS,
  service,
  startCauses,
} from './support/webhook-causes.js';

startCauses();

const counted = (code: string, count: number) => ({
  code: `TRANSACTIONS/${code}`,
  new_transactions: count,
  error: null,
});

describe('/sandbox/item/fire_webhook', () => {
  /** A webhook that is fired changes no Item. */
  let one: StoredItem;
  beforeAll(async () => {
    one = await item();
    await grantProducts(service.api, one.linkId, [
      'account_numbers',
      'identity',
      'investments',
      'liabilities',
    ]);
    await one.fetchTransactions(...ROWS);
  });

  it.each([
    [
      'SYNC_UPDATES_AVAILABLE',
      undefined,
      {
        code: 'TRANSACTIONS/SYNC_UPDATES_AVAILABLE',
        initial_update_complete: true,
        historical_update_complete: true,
      },
    ],
    ['DEFAULT_UPDATE', undefined, counted('DEFAULT_UPDATE', 0)],
    ['DEFAULT_UPDATE', 'TRANSACTIONS', counted('DEFAULT_UPDATE', 0)],
    [
      'RECURRING_TRANSACTIONS_UPDATE',
      undefined,
      {
        code: 'TRANSACTIONS/RECURRING_TRANSACTIONS_UPDATE',
        account_ids: [expect.stringMatching(/^acc_/)],
      },
    ],
    [
      'DEFAULT_UPDATE',
      'AUTH',
      {
        code: 'AUTH/DEFAULT_UPDATE',
        account_ids_with_new_auth: [],
        account_ids_with_updated_auth: expect.any(Object),
        error: null,
      },
    ],
    [
      'DEFAULT_UPDATE',
      'IDENTITY',
      {
        code: 'IDENTITY/DEFAULT_UPDATE',
        account_ids_with_updated_identity: expect.any(Object),
        error: null,
      },
    ],
    [
      'DEFAULT_UPDATE',
      'HOLDINGS',
      { code: 'HOLDINGS/DEFAULT_UPDATE', new_holdings: 0, updated_holdings: 0, error: null },
    ],
    ...(['DEFAULT_UPDATE', 'HISTORICAL_UPDATE'] as const).map(
      (code) =>
        [
          code,
          'INVESTMENTS_TRANSACTIONS',
          {
            code: `INVESTMENTS_TRANSACTIONS/${code}`,
            new_investments_transactions: 0,
            cancelled_investments_transactions: 0,
            error: null,
          },
        ] as const,
    ),
    [
      'DEFAULT_UPDATE',
      'LIABILITIES',
      {
        code: 'LIABILITIES/DEFAULT_UPDATE',
        account_ids_with_new_liabilities: [],
        account_ids_with_updated_liabilities: expect.any(Object),
        error: null,
      },
    ],
    ['NEW_ACCOUNTS_AVAILABLE', 'ITEM', { code: 'ITEM/NEW_ACCOUNTS_AVAILABLE', error: null }],
    ['LOGIN_REPAIRED', undefined, { code: 'ITEM/LOGIN_REPAIRED' }],
    [
      'PENDING_DISCONNECT',
      undefined,
      {
        code: 'ITEM/PENDING_DISCONNECT',
        reason: 'INSTITUTION_TOKEN_EXPIRATION',
        disconnect_time: expect.stringMatching(/Z$/),
      },
    ],
    [
      'USER_PERMISSION_REVOKED',
      undefined,
      {
        code: 'ITEM/USER_PERMISSION_REVOKED',
        error: expect.objectContaining({ error_code: 'USER_PERMISSION_REVOKED', status: 400 }),
      },
    ],
    [
      'USER_ACCOUNT_REVOKED',
      undefined,
      { code: 'ITEM/USER_ACCOUNT_REVOKED', account_id: expect.stringMatching(/^acc_/) },
    ],
  ] as const)('sends %s of type %s', async (code, type, webhook) => {
    const request = {
      access_token: one.accessToken,
      webhook_code: code,
      ...(type === undefined ? {} : { webhook_type: type }),
    } as never;
    expect(
      await announcedBy(one, async () =>
        expect((await service.plaid.sandboxItemFireWebhook(request)).data.webhook_fired).toBe(true),
      ),
    ).toEqual([webhook]);
  });

  it('refuses a webhook that cannot be sent', async () => {
    const [one, silent] = [await item(), await item({ webhook: null })];
    const fire = ({ accessToken }: StoredItem, fields: object) =>
      refusalOf(
        service.plaid.sandboxItemFireWebhook({ access_token: accessToken, ...fields } as never),
      );
    expect(await fire(one, { webhook_code: 'ERROR' })).toEqual([
      400,
      'INVALID_REQUEST',
      'INVALID_FIELD',
    ]);
    expect(await fire(one, { webhook_code: 'DEFAULT_UPDATE', webhook_type: 'ITEM' })).toEqual([
      400,
      'INVALID_REQUEST',
      'INVALID_FIELD',
    ]);
    expect(await fire(one, { webhook_type: 'ITEM' })).toEqual([
      400,
      'INVALID_REQUEST',
      'MISSING_FIELDS',
    ]);
    expect(await fire(silent, { webhook_code: 'LOGIN_REPAIRED' })).toEqual([
      400,
      'SANDBOX_ERROR',
      'SANDBOX_WEBHOOK_INVALID',
    ]);
    expect(await fire(one, { webhook_code: 'DEFAULT_UPDATE', webhook_type: 'AUTH' })).toEqual([
      400,
      'SANDBOX_ERROR',
      'SANDBOX_PRODUCT_NOT_ENABLED',
    ]);
    expect([...(await announced(one.linkId)), ...(await announced(silent.linkId))]).toEqual([]);
  });
});
