import { Decimal } from 'decimal.js';
import { renderAccount } from '../../../domain/accounts/present-account.js';
import { AccountRepository } from '../../../prisma/links/accounts/account.repository.js';
import {
  account,
  beginFetch,
  storeLink,
  TENANT,
  announcementsOf,
  type StoredLink,
  storageOfFile,
  storage,
} from '../../support/fixtures/stored-link.js';

storageOfFile();

describe('The accounts of a link', () => {
  let accounts: AccountRepository;
  beforeAll(() => {
    accounts = new AccountRepository(storage.ctx);
  });

  const refresh = async (link: StoredLink, listed: ReturnType<typeof account>[]) =>
    storage.refresh.storeAccounts(link.linkId, await beginFetch(storage, link, 'accounts'), listed);
  const stamps = async (link: StoredLink) =>
    (
      await storage.ctx.database.pool.query(
        'SELECT account_id, ctid::text FROM accounts WHERE link_pk = $1 ORDER BY pk',
        [link.pk],
      )
    ).rows;
  const namesOf = async (link: StoredLink) =>
    (await accounts.list(TENANT, link.linkId)).map(({ name }) => name);

  it('lists open and permitted accounts in the order of the institution', async () => {
    const link = await storeLink(storage);
    expect(await namesOf(link)).toEqual(['checking', 'card']);
    await refresh(link, [account('card'), account('checking')]);
    expect(await namesOf(link)).toEqual(['card', 'checking']);
    const [checking = '', secret = ''] = [
      link.accounts.get('checking'),
      link.accounts.get('private'),
    ];
    expect(
      (await accounts.list(TENANT, link.linkId, [checking, secret, 'acc_unknown'])).map(
        ({ accountId }) => accountId,
      ),
    ).toEqual([checking]);
  });

  it('writes only the product status when nothing changed', async () => {
    const link = await storeLink(storage);
    const before = await stamps(link);
    const { revision } = await storage.ctx.database.prisma.link.findUniqueOrThrow({
      where: { pk: link.pk },
    });
    expect(
      await refresh(link, [account('checking', { current: new Decimal('2350') }), account('card')]),
    ).toEqual({ changed: 0 });
    expect(await stamps(link)).toEqual(before);
    const after = await storage.ctx.database.prisma.link.findUniqueOrThrow({
      where: { pk: link.pk },
    });
    expect(after.revision).toBeGreaterThan(revision);
    expect(await announcementsOf(storage, link)).toEqual(['product_refresh accounts completed']);
  });

  it('keeps ids and updates every field', async () => {
    const link = await storeLink(storage);
    const fields = {
      name: 'Everyday',
      accountType: 'depository.savings',
      mask: '2202',
      available: null,
      current: new Decimal('-0.5'),
      limit: new Decimal(100),
      balanceDate: null,
    };
    expect(await refresh(link, [account('checking', fields), account('card')])).toEqual({
      changed: 1,
    });
    expect((await accounts.list(TENANT, link.linkId))[0]).toEqual({
      accountId: link.accounts.get('checking'),
      accountType: 'depository.savings',
      name: 'Everyday',
      nickname: null,
      mask: '2202',
      closed: false,
      missingSince: null,
      originalId: null,
      currency: 'USD',
      available: null,
      current: '-0.5',
      limit: '100',
      balanceDate: null,
    });
  });

  it('closes an account the institution no longer lists and reopens it when it returns', async () => {
    const link = await storeLink(storage);
    const card = link.accounts.get('card') ?? '';
    expect(await refresh(link, [account('checking')])).toEqual({ changed: 1 });
    expect(await namesOf(link)).toEqual(['checking']);
    expect(await accounts.list(TENANT, link.linkId, [card])).toEqual([]);
    expect(await accounts.find(TENANT, link.linkId, card)).toMatchObject({
      accountId: card,
      closed: true,
    });
    expect(await accounts.byIds(TENANT, link.linkId, [card])).toMatchObject([
      { accountId: card, closed: true },
    ]);
    expect(await refresh(link, [account('checking'), account('card')])).toEqual({ changed: 1 });
    expect(await accounts.find(TENANT, link.linkId, card)).toMatchObject({ closed: false });
  });

  describe('an account reissued under another id', () => {
    const NUMBER = '100020001101';
    const numbers = (providerAccountId: string) => ({
      providerAccountId,
      numbers: {
        ach: [{ accountNumber: NUMBER, routingNumber: '999000014', wireRoutingNumber: null }],
        eft: [],
        bacs: [],
        international: [],
      },
    });
    const owned = (providerAccountId: string) => ({
      providerAccountId,
      owners: [{ names: ['Robin Vale'], addresses: [], phoneNumbers: [], emails: [] }],
    });
    const idsOf = async (link: StoredLink) =>
      (await accounts.list(TENANT, link.linkId)).map(({ accountId }) => accountId);

    it.each<[string, ReturnType<typeof account>, boolean]>([
      [
        'by its number',
        account('reissued', {
          mask: '9999',
          identifiers: { number: '1000 2000 1101', owners: [] },
        }),
        true,
      ],
      [
        'by type, mask and owner',
        account('reissued', { identifiers: { number: null, owners: ['robin vale'] } }),
        true,
      ],
      [
        'by type, mask and currency, where the source names neither number nor owner',
        account('reissued', { identifiers: { number: null, owners: [] } }),
        true,
      ],
      [
        'not by another number and owner',
        account('reissued', { identifiers: { number: '1', owners: ['Kim Lee'] } }),
        false,
      ],
      [
        'by type, mask and currency, where the source identifies nothing',
        account('reissued'),
        true,
      ],
      ['not in another currency', account('reissued', { currency: 'CAD' }), false],
    ])('is recognized %s', async (_, reissued, keeps) => {
      const link = await storeLink(storage, {
        products: ['accounts', 'account_numbers', 'identity', 'transactions'],
      });
      const [checking = '', card = ''] = [link.accounts.get('checking'), link.accounts.get('card')];
      await storage.ctx.database.prisma.account.updateMany({
        where: { linkPk: link.pk, providerAccountId: 'private' },
        data: { mask: '4404' },
      });
      await storage.refresh.storeAccountNumbers(
        link.linkId,
        await beginFetch(storage, link, 'account_numbers'),
        [numbers('checking')],
      );
      await storage.refresh.storeIdentity(
        link.linkId,
        await beginFetch(storage, link, 'identity'),
        [owned('checking')],
      );
      await refresh(link, [reissued, account('card', { mask: '3303' })]);
      expect(await idsOf(link)).toEqual(keeps ? [checking, card] : [card]);
      expect(
        (await storage.ctx.database.prisma.link.findUniqueOrThrow({ where: { pk: link.pk } }))
          .matchRows,
      ).toBe(keeps);
      // Then reissued under its old id again.
      await refresh(link, [
        account('checking', { identifiers: { number: null, owners: [] } }),
        account('card', { mask: '3303' }),
      ]);
      expect(await idsOf(link)).toEqual(reissued.mask === '1101' ? [checking, card] : [card]);
    });
  });

  it('stores no account that the user was not asked about, and changes none that the user did not permit', async () => {
    const link = await storeLink(storage);
    const before = await stamps(link);
    expect(
      await refresh(link, [
        account('checking'),
        account('card'),
        account('private', { name: 'renamed' }),
        account('new'),
      ]),
    ).toEqual({ changed: 0 });
    expect(await stamps(link)).toEqual(before);
    expect(await accounts.find(TENANT, link.linkId, link.accounts.get('private') ?? '')).toBeNull();
  });

  it('returns nothing of another tenant or of a deleted link', async () => {
    const link = await storeLink(storage);
    const card = link.accounts.get('card') ?? '';
    for (const tenant of [
      { ...TENANT, appId: 'other' },
      { ...TENANT, environment: 'live' as const },
    ]) {
      expect(await accounts.list(tenant, link.linkId)).toEqual([]);
      expect(await accounts.byIds(tenant, link.linkId, [card])).toEqual([]);
    }
    await storage.ctx.database.prisma.link.update({
      where: { pk: link.pk },
      data: { state: 'deleted' },
    });
    expect(await accounts.list(TENANT, link.linkId)).toEqual([]);
  });

  it('renders exact decimals', async () => {
    const link = await storeLink(storage);
    await refresh(link, [
      account('checking', {
        current: new Decimal('12345678901234567890.123456789'),
        available: new Decimal('1e-9'),
      }),
      account('card'),
    ]);
    const [first] = await accounts.list(TENANT, link.linkId);
    expect(first && renderAccount(first)).toBe(
      `{"account_id":"${link.accounts.get('checking')}","account_type":"depository.checking","name":"checking","nickname":null,"account_mask":"1101","closed":false,"missing_since":null,` +
        '"original_id":null,"balances":{"currency":"USD","available":0.000000001,"current":12345678901234567890.123456789,"limit":null,"balance_date":"2026-03-02T10:15:31.000"}}',
    );
  });
});
