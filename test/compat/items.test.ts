import { forceLink } from '../support/services/api-in-process.js';
import { plaidOf, refusalOf } from '../support/actors/plaid-client.js';
import { plaidServiceOfFile } from '../support/fixtures/plaid-service.js';
import { StoredItem } from '../support/fixtures/stored-item.js';

const service = plaidServiceOfFile();
/** One Item, which each test breaks in another way. */
let broken: Promise<StoredItem> | undefined;
const brokenItem = () => (broken ??= StoredItem.linked(service.api));

describe('/item/get', () => {
  it('returns a healthy item', async () => {
    const { accessToken, linkId } = await StoredItem.linked(service.api);
    const { data } = await service.plaid.itemGet({ access_token: accessToken });
    expect(data).toEqual({
      item: {
        item_id: linkId,
        institution_id: 'sandbox-instant-bank',
        institution_name: 'sandbox-instant-bank',
        webhook: null,
        error: null,
        available_products: ['transactions'],
        billed_products: [],
        products: ['balance'],
        consented_products: ['balance', 'transactions'],
        consent_expiration_time: null,
        update_type: 'background',
        auth_method: null,
        created_at: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/),
      },
      status: {
        transactions: { last_successful_update: null, last_failed_update: null },
        investments: { last_successful_update: null, last_failed_update: null },
        last_webhook: null,
      },
      request_id: expect.any(String),
    });
  });

  it('shows when its transactions were updated last, and when an update failed after that', async () => {
    const item = await StoredItem.linked(service.api);
    const { accessToken: access_token, linkId } = item;
    const shown = async () =>
      (await service.plaid.itemGet({ access_token })).data.status?.transactions;
    const stored = async () => {
      const status = await service.api.database.prisma.linkProduct.findFirstOrThrow({
        where: { link: { linkId }, product: 'transactions' },
      });
      return {
        refreshedAt: status.refreshedAt?.toISOString(),
        attemptedAt: status.lastAttemptedAt?.toISOString(),
      };
    };
    await item.fetchAccounts({ providerAccountId: 'checking' });
    await item.fetchTransactions({ providerTransactionId: 'coffee' });
    const { refreshedAt } = await stored();
    expect(refreshedAt).toEqual(expect.any(String));
    expect(await shown()).toEqual({
      last_successful_update: refreshedAt,
      last_failed_update: null,
    });
    await item.failFetch('transactions', 'institution_down');
    expect(await shown()).toEqual({
      last_successful_update: refreshedAt,
      last_failed_update: (await stored()).attemptedAt,
    });
  });

  // plaid-compat 3.7
  it.each([
    ['auth_expired', 'ITEM_ERROR', 'ITEM_LOGIN_REQUIRED', 'user_present_required'],
    ['institution_error', 'INSTITUTION_ERROR', 'INSTITUTION_NOT_RESPONDING', 'background'],
    ['provider_error', 'INSTITUTION_ERROR', 'INSTITUTION_NOT_AVAILABLE', 'background'],
    ['system_error', 'API_ERROR', 'INTERNAL_SERVER_ERROR', 'background'],
    ['user_error', 'ITEM_ERROR', 'USER_SETUP_REQUIRED', 'background'],
    ['incomplete', 'ITEM_ERROR', 'ITEM_LOGIN_REQUIRED', 'background'],
  ])('returns a broken item with the error for %s', async (errorCode, type, code, updateType) => {
    const { accessToken, linkId } = await brokenItem();
    await forceLink(service.api, linkId, { state: 'error', errorCode });
    const {
      status,
      data: { item },
    } = await service.plaid.itemGet({ access_token: accessToken });
    expect(status).toBe(200);
    expect(item).toMatchObject({
      update_type: updateType,
      error: { error_type: type, error_code: code, suggested_action: null },
    });
    expect(Object.keys(item.error ?? {})).not.toContain('request_id');
  });
});

describe('/accounts/balance/get and /transactions/refresh', () => {
  it.each([
    ['auth_expired', [400, 'ITEM_ERROR', 'ITEM_LOGIN_REQUIRED']],
    ['institution_error', [400, 'INSTITUTION_ERROR', 'INSTITUTION_NOT_RESPONDING']],
    ['provider_error', [400, 'INSTITUTION_ERROR', 'INSTITUTION_NOT_AVAILABLE']],
    ['system_error', [500, 'API_ERROR', 'INTERNAL_SERVER_ERROR']],
  ])('refuse an item in the error state %s', async (errorCode, refusal) => {
    const { accessToken, linkId } = await brokenItem();
    await forceLink(service.api, linkId, { state: 'error', errorCode });
    expect(
      await refusalOf(service.plaid.accountsBalanceGet({ access_token: accessToken })),
    ).toEqual(refusal);
    expect(
      await refusalOf(service.plaid.transactionsRefresh({ access_token: accessToken })),
    ).toEqual(refusal);
  });

  it('request a fetch outside the hourly limits', async () => {
    const { accessToken, linkId } = await StoredItem.linked(service.api);
    const asked = () =>
      service.api.database.prisma.refreshRequest.count({
        where: { link: { linkId }, product: 'transactions' },
      });
    const before = await asked();
    for (let call = 0; call < 3; call += 1)
      expect(
        Object.keys((await service.plaid.transactionsRefresh({ access_token: accessToken })).data),
      ).toEqual(['request_id']);
    expect(await asked()).toBe(before + 3);
  });

  it('return their own errors for products and accounts that the item does not have', async () => {
    const { accessToken, linkId } = await StoredItem.linked(service.api);
    await service.api.database.prisma.linkProduct.deleteMany({
      where: { link: { linkId }, product: 'transactions' },
    });
    expect(
      await refusalOf(service.plaid.transactionsRefresh({ access_token: accessToken })),
    ).toEqual([400, 'ITEM_ERROR', 'PRODUCTS_NOT_SUPPORTED']);
    expect(
      await refusalOf(
        service.plaid.accountsBalanceGet({
          access_token: accessToken,
          options: { account_ids: ['no_one'] },
        }),
      ),
    ).toEqual([400, 'INVALID_INPUT', 'INVALID_ACCOUNT_ID']);
  });
});

describe('/item/webhook/update', () => {
  it('sets and clears the webhook of an item of this layer', async () => {
    const { accessToken, linkId } = await StoredItem.linked(service.api);
    await service.api.database.prisma.link.update({
      where: { linkId },
      data: { webhookFormat: 'plaid' },
    });
    const {
      data: { item },
    } = await service.plaid.itemWebhookUpdate({
      access_token: accessToken,
      webhook: 'https://app.example/hook',
    });
    expect(item).toMatchObject({ item_id: linkId, webhook: 'https://app.example/hook' });
    expect(
      (await service.plaid.itemWebhookUpdate({ access_token: accessToken, webhook: null })).data
        .item.webhook,
    ).toBeNull();
    expect(
      await refusalOf(
        service.plaid.itemWebhookUpdate({ access_token: accessToken, webhook: 'nonsense' }),
      ),
    ).toEqual([400, 'INVALID_REQUEST', 'INVALID_FIELD']);
  });

  it('works for a broken item', async () => {
    const { accessToken, linkId } = await StoredItem.linked(service.api);
    await forceLink(service.api, linkId, { state: 'error', errorCode: 'auth_expired' });
    expect(
      (
        await service.plaid.itemWebhookUpdate({
          access_token: accessToken,
          webhook: 'https://app.example/hook',
        })
      ).status,
    ).toBe(200);
  });
});

describe('/sandbox/item/reset_login', () => {
  it('expires the login, and may be repeated', async () => {
    const { accessToken } = await StoredItem.linked(service.api);
    for (const call of [1, 2])
      expect({
        call,
        reset_login: (await service.plaid.sandboxItemResetLogin({ access_token: accessToken })).data
          .reset_login,
      }).toEqual({ call, reset_login: true });
    expect(await refusalOf(service.plaid.accountsGet({ access_token: accessToken }))).toEqual([
      400,
      'ITEM_ERROR',
      'ITEM_LOGIN_REQUIRED',
    ]);
  });

  it('is refused for Live keys', async () => {
    expect(
      await refusalOf(
        plaidOf(service.api, 'pocket-ledger', 'live').sandboxItemResetLogin({ access_token: 'x' }),
      ),
    ).toEqual([400, 'INVALID_REQUEST', 'SANDBOX_ONLY']);
  });
});
