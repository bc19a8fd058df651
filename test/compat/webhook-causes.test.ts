import { NO_NUMBERS } from '../../domain/accounts/account-numbers.js';
import type { LinkEvent } from '../../domain/link/link-transitions.js';
import { transitionLink } from '../../prisma/links/link/link-transition.js';
import { announceDueEnds } from '../../prisma/links/link/announce-coming-end.js';
import { connectedLink, grantProducts } from '../support/services/api-in-process.js';
import { OAUTH_BANK } from '../support/services/row-steps.js';
import { representatives } from '../support/runner/representatives.js';
import { refusalOf } from '../support/actors/plaid-client.js';
import { StoredItem } from '../support/fixtures/stored-item.js';
import {
  announced,
  announcedBy,
  item,
  ROWS,
  service,
  startCauses,
  WEBHOOK,
} from './support/webhook-causes.js';

startCauses();

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
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);
const disconnectAt = (end: Date) => ({
  code: 'ITEM/PENDING_DISCONNECT',
  reason: 'INSTITUTION_TOKEN_EXPIRATION',
  disconnect_time: end.toISOString(),
});
const endOf = async ({ accessToken }: StoredItem) =>
  (await service.plaid.itemGet({ access_token: accessToken })).data.item.consent_expiration_time;
const sweepAt = (now: Date) => announceDueEnds({ ...service.api.ctx, clock: () => now }, now, 100);

describe('The ITEM webhooks (plaid-compat 8.1)', () => {
  it.each(
    // test/unit/api/plaid/item-faults.test.ts has the error of every cause.
    representatives<[string, LinkEvent, string, [type: string, code: string]]>(
      [
        [
          'auth_lost',
          { type: 'auth_lost' },
          'consent_expired',
          ['ITEM_ERROR', 'ITEM_LOGIN_REQUIRED'],
        ],
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
      ],
      ([cause]) => ['auth_lost', 'institution_error', 'system_error'].includes(cause),
    ),
  )(
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
