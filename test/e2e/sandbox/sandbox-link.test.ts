import { errorOf } from '../../support/services/api-client.js';
import { eventually } from '../../support/assertions/eventually.js';
import { representatives } from '../../support/runner/representatives.js';
import type { SyncPage, TransactionsPage } from '../../support/actors/response-bodies.js';
import {
  app,
  sandbox,
  service,
  serviceOfFile,
  truth,
} from '../../support/fixtures/sandbox-service.js';

const CREDENTIALS = 'sandbox-credentials-bank';
const LINKED = [
  'state connecting',
  'state awaiting_token_exchange',
  'state connected',
  'accounts completed',
];

serviceOfFile();

const rowsOf = (linkId: string) =>
  app.get<TransactionsPage>(`/links/${linkId}/transactions?size=1000&start_date=1900-01-01`);

describe('POST /sandbox/link', () => {
  it.each(['sandbox-instant-bank', CREDENTIALS, 'sandbox-oauth-bank'])(
    'links at %s as Connect does, with the prefetched products',
    async (institutionId) => {
      const { link_id: linkId, link } = await sandbox.link({
        institution_id: institutionId,
        tags: ['tier:gold'],
        customer_user: { id: `user-of-${institutionId}` },
      });
      expect(link).toMatchObject({
        link_id: linkId,
        state: 'connected',
        institution_id: institutionId,
        tags: ['tier:gold'],
      });
      expect(Object.values(link.products).map(({ refreshed_at: at }) => at === null)).not.toContain(
        true,
      );
      expect((await truth.story(linkId)).slice(0, 4)).toEqual(LINKED);
      expect(await truth.story(linkId)).toContain(
        'transactions.updates_available has_history=false',
      );
      expect((await rowsOf(linkId)).total).toBe(60);
    },
  );

  // test/integration/sandbox-bank/credentials-bank.test.ts has the steps of every user.
  it.each(
    representatives(
      [
        'mfa_sms',
        'mfa_email',
        'mfa_choice',
        'mfa_questions',
        'mfa_image',
        'mfa_push',
        'slow_3',
        'user_dynamic',
        'auth_expires',
      ],
      (username) => ['mfa_choice', 'mfa_push'].includes(username),
    ),
  )('links %s', async (username) => {
    expect((await sandbox.link({ username, customer_user: { id: username } })).link).toMatchObject({
      state: 'connected',
    });
  });

  it.each(
    representatives<[username: string, error: string]>(
      [
        ['locked', 'user_error'],
        ['no_accounts', 'institution_error'],
        ['error_system_error', 'system_error'],
        ['error_provider_error', 'provider_error'],
        ['error_institution_error', 'institution_error'],
        ['error_user_error', 'user_error'],
        ['error_incomplete', 'incomplete'],
        ['no_one', 'user_error'],
      ],
      ([username]) => ['locked', 'error_institution_error', 'error_incomplete'].includes(username),
    ),
  )('ends for %s in error %s', async (username, error) => {
    const { link_id: linkId, link } = await sandbox.link({
      username,
      customer_user: { id: username },
    });
    expect(link).toMatchObject({ state: 'error', error_code: error });
    expect(await truth.story(linkId)).toEqual(['state connecting', `state error/${error}`]);
    const refused = await sandbox.send('POST', '/sandbox/link', {
      username,
      customer_user: { id: username },
      result: 'exchangeable_token',
    });
    expect({ error: errorOf(refused), body: refused.body }).toEqual({
      error: { status: 422, code: 'link_error.bad_state', locations: [] },
      body: expect.objectContaining({ link_error_code: error }),
    });
  });

  it('ends with one wrong password as Connect does after three', async () => {
    expect((await sandbox.link({ password: 'wrong-canary' })).link).toMatchObject({
      state: 'error',
      error_code: 'user_error',
    });
  });

  it('returns an exchangeable token, and does not wait for products on request', async () => {
    const response = await sandbox.ask<{ exchangeable_token: string; expires_in: number }>(
      'POST',
      '/sandbox/link',
      { result: 'exchangeable_token', wait_for_products: false },
    );
    expect(response).toEqual({
      result: 'exchangeable_token',
      exchangeable_token: expect.stringMatching(/^sandbox_xt_/),
      expires_in: 1800,
    });
    const { status, body } = await app.exchange(response.exchangeable_token);
    expect({ status, state: body.link.state }).toEqual({ status: 201, state: 'connected' });
  });

  it('prefetches products that are named without settings, and those whose settings do not decline it', async () => {
    const { link } = await sandbox.link({
      settings: { products: ['transactions'] },
      products_settings: { identity: { prefetch: false } },
    });
    expect(link.products['transactions']?.refreshed_at).not.toBeNull();
    expect(link.products['identity']?.refreshed_at).toBeNull();
  });

  it('creates the accounts and transactions of user_custom', async () => {
    const custom = {
      accounts: [
        {
          account_type: 'depository.checking',
          name: 'Pot',
          account_number: '12340001',
          routing_number: '999000014',
        },
      ],
      transactions: [{ account: 0, date: '2024-01-05', amount: 3, type: 'debit' }],
    };
    const { link_id: linkId } = await sandbox.link({
      username: 'user_custom',
      custom_sandbox_data: custom,
      products_settings: { transactions: { prefetch: true, extend_history: true } },
    });
    expect(
      (await app.get<{ accounts: { name: string }[] }>(`/links/${linkId}/accounts`)).accounts,
    ).toMatchObject([{ name: 'Pot', account_mask: '0001' }]);
  });

  it('connects error_auth_expired, whose next fetch finds the permission expired', async () => {
    const { link_id: linkId, link } = await sandbox.link({ username: 'error_auth_expired' });
    expect(link).toMatchObject({
      state: 'connected',
      products: { transactions: { error_code: 'auth_expired' } },
    });
    await sandbox.script(linkId, [{ verb: 'post', ref: 'any', amount: 1 }]);
    expect(await app.link(linkId)).toMatchObject({ state: 'error', error_code: 'auth_expired' });
  });

  it('keeps passwords out of logs', () => {
    expect(service.logs()).not.toContain('wrong-canary');
  });
});

describe('A link of user_dynamic', () => {
  it('changes by 2, 3 and 1 transactions with each refresh, and sync equals the list', async () => {
    const { link_id: linkId } = await sandbox.link({
      username: 'user_dynamic',
      customer_user: { id: 'dynamo' },
    });
    let { pages, cursor } = await app.walk(linkId, { size: 500 });
    const replica = new Map(
      pages
        .flatMap(({ transactions }) => transactions.created)
        .map((row) => [row.transaction_id, row]),
    );
    expect({
      all: replica.size,
      pending: [...replica.values()].filter(({ pending }) => pending).length,
    }).toEqual({ all: 12, pending: 2 });
    for (let refresh = 0; refresh < 3; refresh += 1) {
      const before = (await app.link(linkId)).products['transactions']?.refreshed_at;
      await app.call('POST', `/links/${linkId}/products`, { body: { products: ['transactions'] } });
      await untilChanged(linkId, before ?? null);
      ({ pages, cursor } = await app.walk(linkId, { cursor, size: 500 }));
      const of = (name: 'created' | 'updated') =>
        pages.flatMap((page: SyncPage) => page.transactions[name]);
      const removed = pages.flatMap((page: SyncPage) => page.transactions.removed);
      expect({
        created: of('created').length,
        updated: of('updated').length,
        removed: removed.length,
      }).toEqual({ created: 2, updated: 3, removed: 1 });
      for (const row of [...of('created'), ...of('updated')]) replica.set(row.transaction_id, row);
      for (const id of removed) replica.delete(id);
      const listed = (await rowsOf(linkId)).transactions;
      expect([...replica.values()].sort(byId)).toEqual([...listed].sort(byId));
    }
  });

  const byId = (a: { transaction_id: string }, b: { transaction_id: string }) =>
    a.transaction_id < b.transaction_id ? -1 : 1;
  async function untilChanged(linkId: string, before: string | null): Promise<void> {
    await eventually(async () =>
      expect((await app.link(linkId)).products['transactions']?.refreshed_at).not.toBe(before),
    );
  }
});
