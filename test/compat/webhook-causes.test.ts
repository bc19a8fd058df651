import { randomUUID } from 'node:crypto';
import { Decimal } from 'decimal.js';
import { NO_NUMBERS } from '../../domain/accounts/account-numbers.js';
import type { Owner } from '../../domain/accounts/account-owner.js';
import type { LinkEvent } from '../../domain/link/link-transitions.js';
import { pendingId } from '../../apps/api/src/plaid/shapes/pending-id.js';
import { transitionLink } from '../../prisma/links/link-transition.js';
import { announceDueEnds } from '../../prisma/links/announce-coming-end.js';
import { connectedLink, grantProducts, OAUTH_BANK } from '../support/services/api-in-process.js';
import { refusalOf } from '../support/actors/plaid-client.js';
import { plaidServiceOfFile } from '../support/fixtures/plaid-service.js';
import { StoredItem } from '../support/fixtures/stored-item.js';

const WEBHOOK = 'https://app.example/hook';
const service = plaidServiceOfFile();

async function item(over: object = {}): Promise<StoredItem> {
  const { item_id: linkId, access_token: token } = await service.item({
    webhook: WEBHOOK,
    ...over,
  });
  return new StoredItem(service.api, linkId, token);
}

/** The logged events of an Item in order, without the fields that all of them have. */
async function announced(linkId: string): Promise<Record<string, unknown>[]> {
  const events = await service.api.database.prisma.webhookEvent.findMany({
    where: { linkId },
    orderBy: { pk: 'asc' },
    include: { deliveries: true },
  });
  return events.map(({ body, webhookEvent, format }) => {
    const {
      webhook_type: type,
      webhook_code: code,
      item_id: itemId,
      environment,
      ...fields
    } = JSON.parse(body) as Record<string, unknown>;
    expect({ itemId, environment, webhookEvent, format }).toEqual({
      itemId: linkId,
      environment: 'sandbox',
      webhookEvent: `${String(type)}.${String(code)}`,
      format: 'plaid',
    });
    return { code: `${String(type)}/${String(code)}`, ...fields };
  });
}
/** Only the events recorded during `act`. */
async function announcedBy(
  { linkId }: StoredItem,
  act: () => Promise<unknown>,
): Promise<Record<string, unknown>[]> {
  const before = await announced(linkId);
  await act();
  return (await announced(linkId)).slice(before.length);
}
const happen = ({ linkId }: StoredItem, event: LinkEvent, detail: { errorCause?: string } = {}) =>
  service.api.database.transaction(async (tx) => {
    const { pk } = await tx.link.findUniqueOrThrow({ where: { linkId }, select: { pk: true } });
    await transitionLink(service.api.ctx, tx, pk, event, detail);
  });
const atAnOAuthBank = ({ linkId }: StoredItem) =>
  service.api.database.prisma.link.update({
    where: { linkId },
    data: { institutionId: OAUTH_BANK },
  });
const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
const ROWS = [0, 10, 40, 80].map((ago) => ({
  providerTransactionId: `row-${ago}`,
  date: day(ago),
}));
const idOf = async (providerTransactionId: string) =>
  (
    await service.api.database.prisma.transactionVersion.findFirstOrThrow({
      where: { providerTransactionId },
      orderBy: { seq: 'desc' },
    })
  ).transactionId;
const counted = (code: string, count: number) => ({
  code: `TRANSACTIONS/${code}`,
  new_transactions: count,
  error: null,
});
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);
const disconnectAt = (end: Date) => ({
  code: 'ITEM/PENDING_DISCONNECT',
  reason: 'INSTITUTION_TOKEN_EXPIRATION',
  disconnect_time: end.toISOString(),
});
const endOf = async ({ accessToken }: StoredItem) =>
  (await service.plaid.itemGet({ access_token: accessToken })).data.item.consent_expiration_time;
const sweepAt = (now: Date) => announceDueEnds({ ...service.api.ctx, clock: () => now }, now, 100);
const sync = ({ accessToken }: StoredItem) =>
  service.plaid.transactionsSync({ access_token: accessToken });

describe('The TRANSACTIONS webhooks (plaid-compat 8.1)', () => {
  it('announce the last 30 days and the rest when one fetch covers the whole depth', async () => {
    const one = await item();
    expect(await announcedBy(one, () => one.fetchTransactions(...ROWS))).toEqual([
      counted('INITIAL_UPDATE', 2),
      counted('HISTORICAL_UPDATE', 2),
    ]);
  });

  it('announce the rest after the second fetch when more depth was requested', async () => {
    const one = await item({ transactions: { days_requested: 365 } });
    expect(await announcedBy(one, () => one.fetchTransactions(...ROWS))).toEqual([
      counted('INITIAL_UPDATE', 4),
    ]);
    await sync(one);
    expect(
      await announcedBy(one, () =>
        one.fetchTransactions(...ROWS, { providerTransactionId: 'old', date: day(200) }),
      ),
    ).toEqual([
      counted('HISTORICAL_UPDATE', 1),
      {
        code: 'TRANSACTIONS/SYNC_UPDATES_AVAILABLE',
        initial_update_complete: true,
        historical_update_complete: true,
      },
    ]);
  });

  it('announce new, posted and removed transactions of later fetches, and changes once sync was called', async () => {
    const one = await item();
    const hold = { providerTransactionId: `hold-${randomUUID()}`, pending: true };
    await one.fetchTransactions(...ROWS);
    expect(await announcedBy(one, () => one.fetchTransactions(...ROWS))).toEqual([]);
    expect(await announcedBy(one, () => one.fetchTransactions(...ROWS, hold))).toEqual([
      counted('DEFAULT_UPDATE', 1),
    ]);
    const id = await idOf(hold.providerTransactionId);
    expect(
      await announcedBy(one, () => one.fetchTransactions(...ROWS, { ...hold, pending: false })),
    ).toEqual([
      counted('DEFAULT_UPDATE', 1),
      {
        code: 'TRANSACTIONS/TRANSACTIONS_REMOVED',
        removed_transactions: [pendingId(id)],
        error: null,
      },
    ]);
    expect(await announcedBy(one, () => one.fetchTransactions(...ROWS))).toEqual([
      { code: 'TRANSACTIONS/TRANSACTIONS_REMOVED', removed_transactions: [id], error: null },
    ]);
    const grown = {
      code: 'TRANSACTIONS/SYNC_UPDATES_AVAILABLE',
      initial_update_complete: true,
      historical_update_complete: true,
    };
    await sync(one);
    expect(await announcedBy(one, () => one.fetchTransactions(...ROWS))).toEqual([]);
    const dearer = ROWS.map((row) => ({ ...row, amount: new Decimal('9.99') }));
    expect(await announcedBy(one, () => one.fetchTransactions(...dearer))).toEqual([grown]);
    expect(
      await announcedBy(one, () =>
        one.fetchTransactions(...dearer, { providerTransactionId: randomUUID() }),
      ),
    ).toEqual([counted('DEFAULT_UPDATE', 1), grown]);
  });

  it('announce transactions that an interrupted fetch stored', async () => {
    const one = await item();
    await one.fetchTransactions(...ROWS);
    const broken = await one.begin('transactions');
    const row = {
      providerAccountId: 'checking',
      amount: new Decimal('1'),
      type: 'debit' as const,
      currency: 'USD',
      date: day(0),
      datetime: null,
      description: 'x',
      rawDescription: 'x',
      pending: false,
      category: null,
    };
    await one.refresh.storeTransactions(one.linkId, broken, {
      transactions: [{ ...row, providerTransactionId: 'early' }],
      last: false,
      window: null,
      seenIds: [],
    });
    await one.refresh.failProduct(one.linkId, broken, 'transactions', 'institution_down');
    expect(
      await announcedBy(one, () =>
        one.fetchTransactions(
          ...ROWS,
          { ...row, providerTransactionId: 'early' },
          { providerTransactionId: 'late' },
        ),
      ),
    ).toEqual([counted('DEFAULT_UPDATE', 2)]);
  });

  it('exclude accounts whose transactions are not served', async () => {
    const one = await item();
    await service.api.database.prisma.account.updateMany({
      where: { link: { linkId: one.linkId }, providerAccountId: 'savings' },
      data: { accountType: 'investment.brokerage' },
    });
    expect(
      await announcedBy(one, () =>
        one.fetchTransactions(...ROWS, {
          providerTransactionId: 'share',
          providerAccountId: 'savings',
          date: day(0),
        }),
      ),
    ).toEqual([counted('INITIAL_UPDATE', 2), counted('HISTORICAL_UPDATE', 2)]);
  });

  it('wait for the exchange', async () => {
    const {
      data: { link_token: token },
    } = await service.create({ webhook: WEBHOOK });
    const { public_token: publicToken } = await service.link(token);
    const { linkId } = await service.api.database.prisma.link.findFirstOrThrow({
      orderBy: { pk: 'desc' },
    });
    await new StoredItem(service.api, linkId).fetchTransactions(...ROWS);
    expect(await announced(linkId)).toEqual([]);
    await service.plaid.itemPublicTokenExchange({ public_token: publicToken });
    expect(await announced(linkId)).toEqual([
      counted('INITIAL_UPDATE', 2),
      counted('HISTORICAL_UPDATE', 2),
    ]);
  });
});

describe('The ITEM webhooks (plaid-compat 8.1)', () => {
  it.each([
    ['auth_lost', { type: 'auth_lost' }, 'consent_expired', ['ITEM_ERROR', 'ITEM_LOGIN_REQUIRED']],
    [
      'institution_error',
      { type: 'fetch_faulty', error: 'institution_error' },
      'institution_timeout',
      ['INSTITUTION_ERROR', 'INSTITUTION_NOT_RESPONDING'],
    ],
    [
      'institution_error of an institution known to be down',
      { type: 'fetch_faulty', error: 'institution_error' },
      'institution_down',
      ['INSTITUTION_ERROR', 'INSTITUTION_DOWN'],
    ],
    [
      'an institution without accounts',
      { type: 'fetch_faulty', error: 'institution_error' },
      'no_accounts',
      ['ITEM_ERROR', 'NO_ACCOUNTS'],
    ],
    [
      'provider_error',
      { type: 'fetch_faulty', error: 'provider_error' },
      'provider_down',
      ['INSTITUTION_ERROR', 'INSTITUTION_NOT_AVAILABLE'],
    ],
    [
      'system_error',
      { type: 'fetch_faulty', error: 'system_error' },
      'malformed',
      ['API_ERROR', 'INTERNAL_SERVER_ERROR'],
    ],
  ] as const)(
    'send ERROR for %s, and nothing when it recovers',
    async (_, event, errorCause, [type, code]) => {
      const one = await item();
      const [webhook, ...others] = await announcedBy(one, () => happen(one, event, { errorCause }));
      expect(others).toEqual([]);
      expect(webhook).toEqual({
        code: 'ITEM/ERROR',
        error: {
          error_type: type,
          error_code: code,
          error_message: expect.any(String),
          display_message: code === 'INTERNAL_SERVER_ERROR' ? null : expect.any(String),
          suggested_action: null,
          status: 400,
        },
      });
      const {
        data: { item: shown },
      } = await service.plaid.itemGet({ access_token: one.accessToken });
      expect(shown.error?.error_code).toBe(code);
      if (event.type === 'fetch_faulty')
        expect(await announcedBy(one, () => happen(one, { type: 'fetch_recovered' }))).toEqual([]);
    },
  );

  it('send ERROR with the reason why the consent ended for an item at an OAuth bank', async () => {
    const one = await item();
    await atAnOAuthBank(one);
    expect(
      await announcedBy(one, () =>
        happen(one, { type: 'auth_lost' }, { errorCause: 'consent_expired' }),
      ),
    ).toMatchObject([
      { error: { error_code: 'ITEM_LOGIN_REQUIRED', error_code_reason: 'OAUTH_CONSENT_EXPIRED' } },
    ]);
  });

  it('send LOGIN_REPAIRED only when the client did not repair the login itself', async () => {
    const one = await item();
    await happen(one, { type: 'auth_lost' });
    expect(
      (await announcedBy(one, () => happen(one, { type: 'relink_done' }))).map(({ code }) => code),
    ).toEqual(['ITEM/LOGIN_REPAIRED']);
    await service.plaid.sandboxItemResetLogin({ access_token: one.accessToken });
    const update = await service.create({ products: undefined, access_token: one.accessToken });
    expect(await announcedBy(one, () => service.link(update.data.link_token))).toEqual([]);
    expect(
      (await service.plaid.itemGet({ access_token: one.accessToken })).data.item.error,
    ).toBeNull();
  });

  it('send USER_PERMISSION_REVOKED once when the user withdraws the whole permission', async () => {
    const one = await item();
    expect(await announcedBy(one, () => one.failFetch('transactions', 'no_permission'))).toEqual(
      [],
    );
    const [webhook] = await announcedBy(one, () => one.failFetch('accounts', 'no_permission'));
    expect(webhook).toMatchObject({
      code: 'ITEM/USER_PERMISSION_REVOKED',
      error: { error_type: 'INVALID_INPUT', error_code: 'USER_PERMISSION_REVOKED', status: 400 },
    });
    expect(await announcedBy(one, () => one.failFetch('accounts', 'no_permission'))).toEqual([]);
  });

  it('send NEW_ACCOUNTS_AVAILABLE once for an account the bank did not list before', async () => {
    const one = await item();
    const listed = [
      { providerAccountId: 'checking' },
      { providerAccountId: 'savings', accountType: 'depository.savings' as const },
    ];
    expect(await announcedBy(one, () => one.fetchAccounts(...listed))).toEqual([]);
    expect(
      await announcedBy(one, () => one.fetchAccounts(...listed, { providerAccountId: 'card' })),
    ).toEqual([{ code: 'ITEM/NEW_ACCOUNTS_AVAILABLE', error: null }]);
    expect(
      await announcedBy(one, () => one.fetchAccounts(...listed, { providerAccountId: 'card' })),
    ).toEqual([]);
    expect(
      await announcedBy(one, () =>
        one.fetchAccounts(...listed, { providerAccountId: 'card' }, { providerAccountId: 'loan' }),
      ),
    ).toEqual([{ code: 'ITEM/NEW_ACCOUNTS_AVAILABLE', error: null }]);
  });

  it('send USER_ACCOUNT_REVOKED for an account that an OAuth bank no longer lists', async () => {
    const [one, other] = [await item(), await item()];
    await atAnOAuthBank(one);
    const { savings } = await one.accountIds();
    expect(
      await announcedBy(one, () => one.fetchAccounts({ providerAccountId: 'checking' })),
    ).toEqual([{ code: 'ITEM/USER_ACCOUNT_REVOKED', account_id: savings }]);
    expect(
      await announcedBy(one, () => one.fetchAccounts({ providerAccountId: 'checking' })),
    ).toEqual([]);
    expect(
      await announcedBy(other, () => other.fetchAccounts({ providerAccountId: 'checking' })),
    ).toEqual([]);
  });

  it('send PENDING_DISCONNECT when a permission expires within 7 days, once for each expiration', async () => {
    const one = await item();
    const [soon, renewed] = [inDays(3), inDays(5)];
    expect(await announcedBy(one, () => one.fetchPermissionEnd(soon))).toEqual([
      disconnectAt(soon),
    ]);
    expect(await announcedBy(one, () => one.fetchPermissionEnd(soon))).toEqual([]);
    expect(await endOf(one)).toBe(soon.toISOString());
    expect(await announcedBy(one, () => one.fetchPermissionEnd(renewed))).toEqual([
      disconnectAt(renewed),
    ]);
    expect(await announcedBy(one, () => one.fetchPermissionEnd(null))).toEqual([]);
    expect(await endOf(one)).toBeNull();
    // A provider that does not report an expiration changes nothing.
    await one.fetchPermissionEnd(soon);
    await one.fetchAccounts({ providerAccountId: 'checking' }, { providerAccountId: 'savings' });
    expect(await endOf(one)).toBe(soon.toISOString());
    const { data } = await service.plaid.accountsGet({ access_token: one.accessToken });
    expect(data.item.consent_expiration_time).toBe(soon.toISOString());
  });

  it('send PENDING_EXPIRATION instead in the UK and the EU, 7 days before the expiration and without a fetch', async () => {
    const one = await item();
    const end = inDays(8);
    expect(await announcedBy(one, () => one.fetchPermissionEnd(end))).toEqual([]);
    await service.api.database.prisma.institution.create({
      data: {
        institutionId: 'old-london-bank',
        name: 'Old London Bank',
        country: 'GB',
        environment: 'sandbox',
        login: 'oauth',
      },
    });
    await service.api.database.prisma.link.update({
      where: { linkId: one.linkId },
      data: { institutionId: 'old-london-bank' },
    });
    expect(await endOf(one)).toBe(end.toISOString());
    expect(await announcedBy(one, () => sweepAt(inDays(0.9)))).toEqual([]);
    expect(await announcedBy(one, () => sweepAt(inDays(1.1)))).toEqual([
      { code: 'ITEM/PENDING_EXPIRATION', consent_expiration_time: end.toISOString() },
    ]);
    expect(await announcedBy(one, () => sweepAt(inDays(2)))).toEqual([]);
  });

  it('send no pending expiration for a permission that has ended or was replaced by a repaired login', async () => {
    const [over, broken, repaired] = [await item(), await item(), await item()];
    expect(await announcedBy(over, () => over.fetchPermissionEnd(inDays(-1)))).toEqual([]);
    await broken.fetchPermissionEnd(inDays(8));
    await service.plaid.sandboxItemResetLogin({ access_token: broken.accessToken });
    expect(await announcedBy(broken, () => sweepAt(inDays(2)))).toEqual([]);
    await repaired.fetchPermissionEnd(inDays(8));
    await service.plaid.sandboxItemResetLogin({ access_token: repaired.accessToken });
    await service.link(
      (await service.create({ products: undefined, access_token: repaired.accessToken })).data
        .link_token,
    );
    expect(await endOf(repaired)).toBeNull();
    expect(await announcedBy(repaired, () => sweepAt(inDays(2)))).toEqual([]);
    // Its new permission has its own expiration, which may be at the same moment.
    expect(await announcedBy(repaired, () => repaired.fetchPermissionEnd(inDays(1)))).toMatchObject(
      [{ code: 'ITEM/PENDING_DISCONNECT' }],
    );
  });

  it('send the pending expiration of a permission only after the exchange', async () => {
    const {
      data: { link_token: token },
    } = await service.create({ webhook: WEBHOOK });
    const { public_token: publicToken } = await service.link(token);
    const { linkId } = await service.api.database.prisma.link.findFirstOrThrow({
      orderBy: { pk: 'desc' },
    });
    const end = inDays(1);
    await new StoredItem(service.api, linkId).fetchPermissionEnd(end);
    expect(await announced(linkId)).toEqual([]);
    await service.plaid.itemPublicTokenExchange({ public_token: publicToken });
    expect(await announced(linkId)).toEqual([disconnectAt(end)]);
  });

  it('send WEBHOOK_UPDATE_ACKNOWLEDGED to the new address only', async () => {
    const one = await item();
    const { accessToken: access_token, linkId } = one;
    const address = 'https://app.example/another';
    expect(
      await announcedBy(one, () =>
        service.plaid.itemWebhookUpdate({ access_token, webhook: address }),
      ),
    ).toEqual([
      { code: 'ITEM/WEBHOOK_UPDATE_ACKNOWLEDGED', new_webhook_url: address, error: null },
    ]);
    expect(
      (
        await service.api.database.prisma.webhookDelivery.findMany({ where: { event: { linkId } } })
      ).map(({ url }) => url),
    ).toEqual([address]);
    expect(
      await announcedBy(one, () =>
        service.plaid.itemWebhookUpdate({ access_token, webhook: null }),
      ),
    ).toEqual([]);
  });

  it('send nothing for a link that never was an Item, and nothing when an item is removed', async () => {
    const {
      data: { link_token: token },
    } = await service.create({ webhook: WEBHOOK });
    await service.link(token);
    const { linkId } = await service.api.database.prisma.link.findFirstOrThrow({
      orderBy: { pk: 'desc' },
    });
    await happen(new StoredItem(service.api, linkId), { type: 'exchange_window_over' });
    expect(await announced(linkId)).toEqual([]);
    const one = await item();
    expect(
      await announcedBy(one, () => service.plaid.itemRemove({ access_token: one.accessToken })),
    ).toEqual([]);
  });
});

describe('The AUTH and IDENTITY webhooks (plaid-compat 8.1)', () => {
  const ach = (accountNumber: string, routingNumber = '999000014') => ({
    ...NO_NUMBERS,
    ach: [{ accountNumber, routingNumber, wireRoutingNumber: null }],
  });
  const owner = (name: string): Owner => ({
    names: [name],
    phoneNumbers: [],
    emails: [{ address: 'henry@mail.example', primary: true }],
    addresses: [],
  });

  it('send DEFAULT_UPDATE for numbers that changed, and for accounts that had none', async () => {
    const one = await item();
    await grantProducts(service.api, one.linkId, ['account_numbers']);
    const { checking = '', savings = '' } = await one.accountIds();
    // The first numbers are not a change.
    expect(
      await announcedBy(one, () => one.fetchNumbers({ checking: ach('100020001101') })),
    ).toEqual([]);
    expect(
      await announcedBy(one, () => one.fetchNumbers({ checking: ach('100020001101') })),
    ).toEqual([]);
    expect(
      await announcedBy(one, () =>
        one.fetchNumbers({ checking: ach('100020009999'), savings: ach('100020002202') }),
      ),
    ).toEqual([
      {
        code: 'AUTH/DEFAULT_UPDATE',
        account_ids_with_new_auth: [savings],
        account_ids_with_updated_auth: { [checking]: ['ACCOUNT_NUMBER'] },
        error: null,
      },
    ]);
    const { data } = await service.plaid.authGet({ access_token: one.accessToken });
    expect(data.numbers.ach.map(({ account_id: id, account }) => [id, account])).toEqual([
      [checking, '100020009999'],
      [savings, '100020002202'],
    ]);
  });

  it('send nothing for accounts whose numbers are not served', async () => {
    const one = await item();
    await grantProducts(service.api, one.linkId, ['account_numbers']);
    await service.api.database.prisma.account.updateMany({
      where: { link: { linkId: one.linkId }, providerAccountId: 'savings' },
      data: { accountType: 'investment.brokerage' },
    });
    await one.fetchNumbers({ checking: ach('100020001101'), savings: ach('100020002202') });
    expect(
      await announcedBy(one, () =>
        one.fetchNumbers({ checking: ach('100020001101'), savings: ach('100020009999') }),
      ),
    ).toEqual([]);
  });

  it('send DEFAULT_UPDATE for owners that changed', async () => {
    const one = await item();
    await grantProducts(service.api, one.linkId, ['identity']);
    const { checking = '' } = await one.accountIds();
    expect(
      await announcedBy(one, () =>
        one.fetchOwners({ checking: [owner('Henry Hart')], savings: [owner('Henry Hart')] }),
      ),
    ).toEqual([]);
    expect(
      await announcedBy(one, () =>
        one.fetchOwners({ checking: [owner('Henry Hart-Lee')], savings: [owner('Henry Hart')] }),
      ),
    ).toEqual([
      {
        code: 'IDENTITY/DEFAULT_UPDATE',
        account_ids_with_updated_identity: { [checking]: ['NAMES'] },
        error: null,
      },
    ]);
  });
});

describe('/sandbox/item/fire_webhook', () => {
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
    const one = await item();
    await grantProducts(service.api, one.linkId, ['account_numbers', 'identity']);
    await one.fetchTransactions(...ROWS);
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

describe('The webhooks of a native link', () => {
  it('stay native, also after an exchange through the compatibility layer', async () => {
    const token = await service.api.token('pocket-ledger');
    const linkId = await connectedLink(service.api, token, { webhook: WEBHOOK });
    const one = new StoredItem(service.api, linkId);
    await one.fetchTransactions(...ROWS);
    await one.fetchAccounts({ providerAccountId: 'checking' }, { providerAccountId: 'another' });
    await one.fetchPermissionEnd(inDays(1));
    await grantProducts(service.api, linkId, ['account_numbers', 'identity']);
    for (const text of ['1', '2']) {
      await one.fetchNumbers({
        checking: { ...NO_NUMBERS, international: [{ iban: text, bic: text }] },
      });
      await one.fetchOwners({
        checking: [{ names: [text], phoneNumbers: [], emails: [], addresses: [] }],
      });
    }
    await happen(one, { type: 'auth_lost' });
    const native = await StoredItem.linked(service.api);
    await service.plaid.itemWebhookUpdate({ access_token: native.accessToken, webhook: WEBHOOK });
    expect(
      await refusalOf(
        service.plaid.sandboxItemFireWebhook({
          access_token: native.accessToken,
          webhook_code: 'LOGIN_REPAIRED',
        } as never),
      ),
    ).toEqual([400, 'SANDBOX_ERROR', 'SANDBOX_WEBHOOK_INVALID']);
    const events = await service.api.database.prisma.webhookEvent.findMany({
      where: { linkId: { in: [linkId, native.linkId] } },
    });
    expect(new Set(events.map(({ webhookEvent, format }) => `${format} ${webhookEvent}`))).toEqual(
      new Set([
        'native link.state_changed',
        'native link.product_refresh',
        'native transactions.updates_available',
        'native link.permission_expiring',
      ]),
    );
  });
});
