import { CountryCode, Products, type Transaction, type PlaidApi } from 'plaid';
import { INSTITUTION_ALIASES } from '../../apps/api/src/plaid/shapes/institution-aliases.js';
import { addDays } from '../../domain/api/timestamps.js';
import { eventually } from '../support/assertions/eventually.js';
import { expectGolden } from './support/golden.js';
import { AppBackEnd } from '../support/actors/link-journey.js';
import { representatives } from '../support/runner/representatives.js';
import { failureOf, refusalOf, plaidClient } from '../support/actors/plaid-client.js';
import { shareService, type SharedService } from '../support/fixtures/shared-service.js';

let service: SharedService;
/** The official client with the Sandbox keys of the file's app. */
let plaid: PlaidApi;

function startSandboxItems(): void {
  beforeAll(async () => {
    service = await shareService();
    const { client_id: clientId, client_secret: secret } = service.app.sandbox;
    plaid = plaidClient(service.info.base_url, {
      'PLAID-CLIENT-ID': clientId,
      'PLAID-SECRET': secret,
    });
  });
}

const publicToken = (over: object = {}) =>
  plaid.sandboxPublicTokenCreate({
    institution_id: 'ins_109508',
    initial_products: [Products.Transactions, Products.Auth],
    ...over,
  });

/** Creates an Item without a browser; returns its access token. */
async function item(over: object = {}): Promise<string> {
  const { data } = await publicToken(over);
  return (await plaid.itemPublicTokenExchange({ public_token: data.public_token })).data
    .access_token;
}

/** Resolves once the first transactions of an Item are stored. */
async function untilSynced(token: string): Promise<void> {
  await eventually(
    async () =>
      expect((await plaid.transactionsSync({ access_token: token })).data.next_cursor).not.toBe(''),
    { every: 500 },
  );
}

const today = () => new Date().toISOString().slice(0, 10);

startSandboxItems();

/** One institution for each bank and country that stand in. */
const ONE_OF_EACH = ['ins_43', 'ins_109508', 'ins_116834', 'ins_127287'];

describe('/institutions/search for a test institution of Plaid', () => {
  it.each([
    ['First Platypus Bank', 'sandbox-credentials-bank'],
    ['platypus oauth', 'sandbox-oauth-bank'],
  ])('finds by %s the sandbox bank that stands in for it', async (query, id) => {
    const request = { query, country_codes: [CountryCode.Us], products: [Products.Auth] };
    const { data } = await plaid.institutionsSearch(request);
    expect(data.institutions.map(({ institution_id: found }) => found)).toEqual([id]);
  });
});

describe('A Sandbox Item', () => {
  it('keeps the id under which it was created, for every alias', async () => {
    const aliases = representatives(Object.entries(INSTITUTION_ALIASES), ([alias]) =>
      ONE_OF_EACH.includes(alias),
    );
    const reported = await Promise.all(
      aliases.map(async ([alias, { country }]) => {
        const token = await item({ institution_id: alias });
        const { item: found } = (await plaid.itemGet({ access_token: token })).data;
        const { institution } = (
          await plaid.institutionsGetById({
            institution_id: found.institution_id ?? '',
            country_codes: [country as CountryCode],
          })
        ).data;
        return [found.institution_id, institution.institution_id, institution.country_codes];
      }),
    );
    expect(reported).toEqual(aliases.map(([alias, { country }]) => [alias, alias, [country]]));
  });

  it('is created without a browser, read, refreshed and removed', async () => {
    const token = await item({ options: { webhook: 'https://app.example/hook' } });
    expect((await plaid.itemGet({ access_token: token })).data.item).toMatchObject({
      institution_id: 'ins_109508',
      webhook: 'https://app.example/hook',
      error: null,
    });
    const {
      data: { accounts },
    } = await plaid.accountsBalanceGet({ access_token: token });
    expect(accounts.length).toBeGreaterThan(1);
    const {
      data: { numbers },
    } = await plaid.authGet({ access_token: token });
    expect(numbers.ach.length).toBeGreaterThan(0);
    await untilSynced(token);

    const day = today();
    await plaid.sandboxTransactionsCreate({
      access_token: token,
      transactions: [
        {
          date_transacted: day,
          date_posted: day,
          amount: 12.34,
          description: 'Created Coffee',
        },
      ],
    });
    const {
      data: { transactions },
    } = await plaid.transactionsGet({
      access_token: token,
      start_date: day,
      end_date: day,
    });
    expect(transactions).toContainEqual(
      expect.objectContaining({ name: 'Created Coffee', amount: 12.34, pending: false }),
    );
    expect(
      await refusalOf(
        plaid.sandboxTransactionsCreate({
          access_token: token,
          transactions: [
            { date_transacted: '2020-01-01', date_posted: today(), amount: 1, description: 'x' },
          ],
        }),
      ),
    ).toEqual([400, 'INVALID_REQUEST', 'INVALID_FIELD']);

    await plaid.transactionsRefresh({ access_token: token });
    await plaid.itemRemove({ access_token: token });
    expect(await refusalOf(plaid.itemGet({ access_token: token }))).toEqual([
      400,
      'ITEM_ERROR',
      'ITEM_NOT_FOUND',
    ]);
  });

  it('matches the golden responses', async () => {
    const { data } = await publicToken();
    expectGolden('/sandbox/public_token/create', data);
    const {
      data: { access_token: token },
    } = await plaid.itemPublicTokenExchange({ public_token: data.public_token });
    await untilSynced(token);
    const transactions = [
      {
        date_transacted: today(),
        date_posted: today(),
        amount: -7.5,
        description: 'Created Refund',
      },
    ];
    expectGolden(
      '/sandbox/transactions/create',
      (await plaid.sandboxTransactionsCreate({ access_token: token, transactions })).data,
    );
  });

  it('returns every product directly after the exchange, each time', async () => {
    const { Auth, Identity, Transactions } = Products;
    const rounds = process.env['LONG_RUNS'] ? 10 : 2;
    for (let round = 1; round <= rounds; round += 1) {
      const token = await item({ initial_products: [Auth, Identity, Transactions] });
      const { data: auth } = await plaid.authGet({ access_token: token });
      expect(auth.numbers.ach.length).toBeGreaterThan(0);
      const { data: identity } = await plaid.identityGet({ access_token: token });
      expect(identity.accounts.every(({ owners }) => owners.length > 0)).toBe(true);
      const { data: balances } = await plaid.accountsBalanceGet({ access_token: token });
      expect(balances.accounts.length).toBeGreaterThan(1);
      // Transactions have their own response while there are none (plaid-compat 5.4).
      const { data: sync } = await plaid.transactionsSync({ access_token: token });
      expect(sync.added.length > 0).toBe(sync.next_cursor !== '');
    }
  });

  it('gets more transactions with each call of /sandbox/transactions/create, also with concurrent calls', async () => {
    const token = await item();
    const day = today();
    const add = (description: string) =>
      plaid.sandboxTransactionsCreate({
        access_token: token,
        transactions: [{ date_transacted: day, date_posted: day, amount: 2.5, description }],
      });
    const created = async () => {
      const { data } = await plaid.transactionsGet({
        access_token: token,
        start_date: day,
        end_date: day,
      });
      return data.transactions.map(({ name }) => name).filter((name) => name.startsWith('Created'));
    };
    await add('Created First');
    expect(await created()).toEqual(['Created First']);
    await add('Created Second');
    expect((await created()).sort()).toEqual(['Created First', 'Created Second']);
    await Promise.all(['Created A', 'Created B', 'Created C'].map(add));
    expect((await created()).sort()).toEqual([
      'Created A',
      'Created B',
      'Created C',
      'Created First',
      'Created Second',
    ]);
  });

  // plaid-compat 6.1, 7: the depth is fixed when the item is created.
  it.each([
    ['10 days', () => ({ days_requested: 10 }), 3, 9],
    ['365 days', () => ({ days_requested: 365 }), 330, 364],
    ['the days since a date', (day: string) => ({ start_date: addDays(day, -9) }), 3, 9],
  ])(
    'has %s of transactions when that depth was requested',
    async (_, transactions, atLeast, atMost) => {
      const linkedOn = today();
      const token = await item({
        initial_products: [Products.Transactions],
        options: { transactions: transactions(linkedOn) },
      });
      await eventually(
        async () =>
          expect(
            (await plaid.transactionsSync({ access_token: token, count: 1 })).data
              .transactions_update_status,
          ).toBe('HISTORICAL_UPDATE_COMPLETE'),
        { every: 500 },
      );
      const all = { access_token: token, start_date: '2000-01-01', end_date: today() };
      const {
        data: { total_transactions: total },
      } = await plaid.transactionsGet({ ...all, options: { count: 1 } });
      const {
        data: {
          transactions: [oldest],
        },
      } = await plaid.transactionsGet({ ...all, options: { count: 1, offset: total - 1 } });
      const back = (Date.parse(linkedOn) - Date.parse(oldest?.date ?? '')) / 86_400_000;
      expect(back).toBeGreaterThanOrEqual(atLeast);
      expect(back).toBeLessThanOrEqual(atMost);
    },
  );

  // plaid-compat 8.1; link-lifecycle 13.3
  it('of auth_expires shows when its permission expires, and receives the webhook for it', async () => {
    const token = await item({
      initial_products: [Products.Transactions],
      options: { override_username: 'auth_expires', webhook: service.info.base_url },
    });
    const {
      data: { item: shown },
    } = await plaid.itemGet({ access_token: token });
    expect(
      Date.parse(shown.consent_expiration_time ?? '') - Date.parse(shown.created_at ?? ''),
    ).toBeGreaterThan(86_300_000);
    expect(Date.parse(shown.consent_expiration_time ?? '') - Date.now()).toBeLessThanOrEqual(
      86_400_000,
    );
    const app = new AppBackEnd(service.info.base_url, service.app.sandbox);
    const { events } = await app.get<{ events: { webhook_event: string }[] }>(
      `/webhooks/events?link_id=${shown.item_id}`,
    );
    expect(
      events.filter(({ webhook_event: name }) => name === 'ITEM.PENDING_DISCONNECT'),
    ).toHaveLength(1);
  });

  // plaid-compat 9
  it('of user_transactions_dynamic adds, changes and removes transactions at every refresh', async () => {
    const options = {
      override_username: 'user_transactions_dynamic',
      override_password: 'any password',
    };
    const token = await item({ initial_products: [Products.Transactions], options });
    const held = new Map<string, Transaction>();
    let cursor = '';
    /** The changes since the last call; waits until the whole fetch is stored. */
    const update = async (entries: number) => {
      const { data } = await eventually(
        async () => {
          const response = await plaid.transactionsSync({
            access_token: token,
            cursor,
            count: 500,
          });
          const { added, modified, removed } = response.data;
          expect(added.length + modified.length + removed.length).toBeGreaterThanOrEqual(entries);
          return response;
        },
        { every: 300 },
      );
      cursor = data.next_cursor;
      return data;
    };
    for (const { transaction_id: id, ...row } of (await update(1)).added)
      held.set(id, { transaction_id: id, ...row });
    for (const refresh of [1, 2]) {
      const oldest = [...held.values()]
        .filter(({ pending }) => !pending)
        .sort((a, b) => (a.date < b.date ? -1 : 1))[0];
      const waiting = [...held.values()]
        .filter(({ pending }) => pending)
        .map(({ transaction_id: id }) => id);
      await plaid.transactionsRefresh({ access_token: token });
      const { added, modified, removed } = await update(8);
      expect({
        refresh,
        added: added.filter(({ pending }) => pending).length,
        modified: modified.length,
        removed: removed.length,
      }).toEqual({ refresh, added: 2, modified: 1, removed: 3 });
      const posted = added.filter(({ pending }) => !pending);
      expect(posted.map(({ pending_transaction_id: id }) => id).sort()).toEqual(
        [...waiting].sort(),
      );
      const gone = removed.map(({ transaction_id: id }) => id);
      expect(gone.filter((id) => !waiting.includes(id)).map((id) => held.get(id)?.date)).toEqual([
        oldest?.date,
      ]);
      const [changed] = modified;
      expect(
        Math.abs((changed?.amount ?? 0) - (held.get(changed?.transaction_id ?? '')?.amount ?? 0)),
      ).toBeCloseTo(1, 10);
      for (const id of gone) held.delete(id);
      for (const row of [...added, ...modified]) held.set(row.transaction_id, row);
    }
    // Once nothing changes anymore, both calls agree.
    const {
      data: { transactions },
    } = await plaid.transactionsGet({
      access_token: token,
      start_date: '2000-01-01',
      end_date: today(),
      options: { count: 500 },
    });
    expect(new Map(transactions.map((row) => [row.transaction_id, row]))).toEqual(held);
  });

  it.each([
    ['locked', 'ITEM_ERROR', 'ITEM_LOCKED'],
    ['error_user_error', 'ITEM_ERROR', 'USER_SETUP_REQUIRED'],
    ['error_incomplete', 'ITEM_ERROR', 'INSUFFICIENT_CREDENTIALS'],
    ['no_accounts', 'ITEM_ERROR', 'NO_ACCOUNTS'],
    ['error_provider_error', 'INSTITUTION_ERROR', 'INSTITUTION_NOT_AVAILABLE'],
  ])('is not created for %s, and its error is returned', async (username, type, code) => {
    const { data } = await failureOf(publicToken({ options: { override_username: username } }));
    expect({ error_type: data.error_type, error_code: data.error_code }).toEqual({
      error_type: type,
      error_code: code,
    });
  });

  it('is created for any other user, and only at a known institution', async () => {
    expect(
      (
        await publicToken({
          options: { override_username: 'custom_user_of_mine', override_password: 'pass_good' },
        })
      ).data.public_token,
    ).toMatch(/^public-sandbox-/);
    expect(await refusalOf(publicToken({ institution_id: 'ins_999999' }))).toEqual([
      400,
      'INVALID_INPUT',
      'INVALID_INSTITUTION',
    ]);
    expect(
      await refusalOf(
        publicToken({ options: { transactions: { start_date: addDays(today(), 1) } } }),
      ),
    ).toEqual([400, 'INVALID_REQUEST', 'INVALID_FIELD']);
    expect(await refusalOf(publicToken({ initial_products: ['assets'] }))).toEqual([
      400,
      'INVALID_INPUT',
      'INVALID_PRODUCT',
    ]);
  });
});
