import { addDays } from '../../../domain/api/timestamps.js';
import { errorOf } from '../../support/services/api-client.js';
import { eventually } from '../../support/assertions/eventually.js';
import {
  AppBackEnd,
  type LinkBody,
  type SyncPage,
  type TransactionsPage,
} from '../../support/actors/link-journey.js';
import { SandboxCaller } from '../../support/actors/sandbox-caller.js';
import {
  app,
  sandbox,
  service,
  shareSandboxService,
  truth,
} from '../../support/fixtures/sandbox-service.js';

const CREDENTIALS = 'sandbox-credentials-bank';
const LINKED = [
  'state connecting',
  'state awaiting_token_exchange',
  'state connected',
  'accounts completed',
];

shareSandboxService();

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

  it.each([
    'mfa_sms',
    'mfa_email',
    'mfa_choice',
    'mfa_questions',
    'mfa_image',
    'mfa_push',
    'slow_3',
    'user_dynamic',
    'auth_expires',
  ])('links %s', async (username) => {
    expect((await sandbox.link({ username, customer_user: { id: username } })).link).toMatchObject({
      state: 'connected',
    });
  });

  it.each([
    ['locked', 'user_error'],
    ['no_accounts', 'institution_error'],
    ['error_system_error', 'system_error'],
    ['error_provider_error', 'provider_error'],
    ['error_institution_error', 'institution_error'],
    ['error_user_error', 'user_error'],
    ['error_incomplete', 'incomplete'],
    ['no_one', 'user_error'],
  ])('ends for %s in error %s', async (username, error) => {
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

describe('POST /sandbox/links/{id}/transactions', () => {
  it('creates transactions that are readable at once, under one id from pending to posted', async () => {
    const { link_id: linkId } = await sandbox.link({ customer_user: { id: 'scripted' } });
    const first = await sandbox.script(linkId, [
      { verb: 'authorize', ref: 'coffee', amount: 4.5, description: 'Corner Cafe' },
    ]);
    expect(first).toEqual({
      link_id: linkId,
      applied: 1,
      refreshed: true,
      rows: [{ ref: 'coffee', transaction_id: expect.stringMatching(/^txn_/), status: 'pending' }],
    });
    const { pages, cursor } = await app.walk(linkId, { size: 500 });
    expect(pages.flatMap(({ transactions }) => transactions.created)).toContainEqual(
      expect.objectContaining({
        transaction_id: first.rows[0]?.transaction_id,
        amount: 4.5,
        pending: true,
      }),
    );

    const second = await sandbox.script(linkId, [
      { verb: 'post', ref: 'coffee', amount: 5.25 },
      { verb: 'reverse', ref: 'coffee' },
    ]);
    expect(second.rows).toEqual([
      { ...first.rows[0], status: 'posted' },
      { ref: 'coffee.reversal', transaction_id: expect.stringMatching(/^txn_/), status: 'posted' },
    ]);
    const [page] = (await app.walk(linkId, { cursor, size: 500 })).pages;
    expect(page).toMatchObject({
      transactions: {
        created: [{ transaction_id: second.rows[1]?.transaction_id, type: 'credit', amount: 5.25 }],
        updated: [{ transaction_id: first.rows[0]?.transaction_id, amount: 5.25, pending: false }],
        removed: [],
      },
    });

    const gone = await sandbox.script(linkId, [{ verb: 'drop', ref: 'coffee' }]);
    expect(gone.rows).toEqual([{ ...first.rows[0], status: 'gone' }]);
    expect((await rowsOf(linkId)).transactions.map(({ transaction_id: id }) => id)).not.toContain(
      first.rows[0]?.transaction_id,
    );
  });

  it('changes transactions in place, backdates them, and adjusts the balances', async () => {
    const { link_id: linkId } = await sandbox.link({ customer_user: { id: 'amended' } });
    const balances = async () =>
      (
        await app.get<{ accounts: { balances: { available: number; current: number } }[] }>(
          `/links/${linkId}/accounts`,
        )
      ).accounts[0]?.balances;
    const today = new Date().toISOString().slice(0, 10);
    const dayOf = (daysAgo: number) => addDays(today, -daysAgo);
    const scripted = await sandbox.script(linkId, [
      { verb: 'authorize', ref: 'hold', amount: 10, date: dayOf(3) },
      { verb: 'post', ref: 'born', amount: 5, type: 'credit', date: dayOf(3) },
      { verb: 'backdate', ref: 'late', amount: 7, date: dayOf(40) },
    ]);
    await sandbox.script(linkId, [
      {
        verb: 'amend',
        ref: 'hold',
        amount: 12,
        description: 'Corrected',
        raw_description: 'CORRECTED 1',
        category: 'food_and_drink.restaurants',
        date: dayOf(4),
      },
      { verb: 'backdate', ref: 'born', date: dayOf(20) },
    ]);
    const { transactions } = await rowsOf(linkId);
    const shown = scripted.rows.map(({ transaction_id: id }) =>
      transactions.find((row) => row.transaction_id === id),
    );
    expect(shown).toMatchObject([
      {
        amount: 12,
        description: 'Corrected',
        raw_description: 'CORRECTED 1',
        category: 'food_and_drink.restaurants',
        date: `${dayOf(4)}T00:00:00`,
        pending: true,
        type: 'debit',
      },
      { amount: 5, type: 'credit', date: `${dayOf(20)}T00:00:00`, pending: false },
      { amount: 7, date: `${dayOf(40)}T00:00:00`, pending: false },
    ]);
    await app.call('POST', `/links/${linkId}/products`, { body: { products: ['accounts'] } });
    // A pending row changes the available balance, a row created as posted changes both.
    await eventually(async () =>
      expect(await balances()).toMatchObject({ available: 2196.52, current: 2348 }),
    );
  });

  it('fetches nothing on request, and then returns no ids', async () => {
    const { link_id: linkId } = await sandbox.link({ customer_user: { id: 'unfetched' } });
    expect(
      await sandbox.script(linkId, [{ verb: 'post', ref: 'later', amount: 2 }], { refresh: false }),
    ).toMatchObject({ refreshed: false, rows: [{ transaction_id: null, status: 'posted' }] });
    expect((await rowsOf(linkId)).total).toBe(60);
  });

  it('writes to the named account, and writes nothing when the script is impossible', async () => {
    const { link_id: linkId } = await sandbox.link({ customer_user: { id: 'named' } });
    const { accounts } = await app.get<{
      accounts: { account_id: string; account_type: string }[];
    }>(`/links/${linkId}/accounts`);
    const savings =
      accounts.find(({ account_type: type }) => type === 'depository.savings')?.account_id ?? '';
    const { rows } = await sandbox.script(linkId, [
      { verb: 'post', ref: 'saved', amount: 9, account_id: savings, type: 'credit' },
    ]);
    expect(
      (await rowsOf(linkId)).transactions.find(
        ({ transaction_id: id }) => id === rows[0]?.transaction_id,
      ),
    ).toMatchObject({ account_id: savings });

    const failed = await sandbox.send('POST', `/sandbox/links/${linkId}/transactions`, {
      script: [
        { verb: 'post', ref: 'new', amount: 1 },
        { verb: 'drop', ref: 'never' },
      ],
    });
    expect({ error: errorOf(failed), text: failed.text }).toEqual({
      error: { status: 422, code: 'sandbox_error.script_failed', locations: [] },
      text: expect.stringContaining('Step 1 '),
    });
    expect(
      await sandbox.script(linkId, [{ verb: 'authorize', ref: 'new', amount: 1 }]),
    ).toMatchObject({ applied: 1 });
  });

  it.each<[string, unknown, string]>([
    ['an unknown verb', [{ verb: 'burn', ref: 'a' }], 'body.script.0.verb'],
    ['an empty script', [], 'body.script'],
    [
      'more than 100 verbs',
      Array.from({ length: 101 }, (_, index) => ({ verb: 'post', ref: `r${index}`, amount: 1 })),
      'body.script',
    ],
    ['an amount of 0', [{ verb: 'authorize', ref: 'a', amount: 0 }], 'body.script.0.amount'],
    ['a ref of 65 characters', [{ verb: 'drop', ref: 'x'.repeat(65) }], 'body.script.0.ref'],
    ['backdate without a date', [{ verb: 'backdate', ref: 'a' }], 'body.script.0.date'],
  ])('refuses %s', async (_what, script, location) => {
    expect(
      errorOf(await sandbox.send('POST', '/sandbox/links/mk_any/transactions', { script })),
    ).toEqual({ status: 422, code: 'api_error.request.validation_failed', locations: [location] });
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

describe('POST /sandbox/links/{id}/expire-auth', () => {
  it('lets the next fetch find the permission expired', async () => {
    const { link_id: linkId } = await sandbox.link({ customer_user: { id: 'expiring' } });
    expect(
      await sandbox.ask<LinkBody>('POST', `/sandbox/links/${linkId}/expire-auth`, {}),
    ).toMatchObject({ link_id: linkId, state: 'connected' });
    expect(await sandbox.script(linkId, [{ verb: 'post', ref: 'a', amount: 1 }])).toMatchObject({
      refreshed: false,
    });
    expect(await app.link(linkId)).toMatchObject({ state: 'error', error_code: 'auth_expired' });
    expect((await truth.story(linkId)).slice(-2)).toEqual([
      'transactions failed',
      'state error/auth_expired',
    ]);
  });

  it('moves the link to auth_expired at once on request', async () => {
    const { link_id: linkId } = await sandbox.link({ customer_user: { id: 'expired' } });
    expect(
      await sandbox.ask<LinkBody>('POST', `/sandbox/links/${linkId}/expire-auth`, { mode: 'now' }),
    ).toMatchObject({ state: 'error', error_code: 'auth_expired' });
  });
});

describe('A sandbox fault', () => {
  it.each([
    ['slow', null],
    ['timeout', 'institution_error'],
    ['server_error', 'institution_error'],
    ['rate_limited', 'provider_error'],
    ['provider_down', 'provider_error'],
    ['malformed', 'provider_error'],
    ['auth_expired', 'user_error'],
    ['not_supported', null],
    ['no_permission', 'user_error'],
    ['no_accounts', 'institution_error'],
  ])('%s on login ends in %s', async (kind, error) => {
    const fault = await sandbox.fault(CREDENTIALS, {
      operation: 'login',
      kind,
      ...(kind === 'slow' ? { delay_seconds: 1 } : {}),
    });
    const { link } = await sandbox.link({
      customer_user: { id: `login-${kind}` },
      settings: { products: ['accounts'] },
    });
    expect(link).toMatchObject({
      state: error === null ? 'connected' : 'error',
      error_code: error,
    });
    await sandbox.send('DELETE', `/sandbox/faults/${fault.fault_id}`);
  });

  it.each([
    ['slow', null],
    ['timeout', 'timeout'],
    ['server_error', 'institution_error'],
    ['rate_limited', 'rate_limit'],
    ['provider_down', 'unknown'],
    ['malformed', 'unknown'],
    ['auth_expired', 'auth_expired'],
    ['not_supported', 'not_supported'],
    ['no_permission', 'no_permission'],
    ['no_accounts', 'no_accounts'],
  ])('%s on a fetch leaves the product with the error %s', async (kind, error) => {
    const { link_id: linkId } = await sandbox.link({
      customer_user: { id: `fetch-${kind}` },
      settings: { products: ['accounts', 'transactions'] },
    });
    await sandbox.fault(CREDENTIALS, {
      operation: 'transactions',
      kind,
      ...(kind === 'slow' ? { delay_seconds: 1 } : {}),
    });
    expect(await sandbox.script(linkId, [{ verb: 'post', ref: 'a', amount: 1 }])).toMatchObject({
      refreshed: error === null,
    });
    const link = await app.link(linkId);
    expect(link.products['transactions']).toMatchObject({
      error_code: error,
      error_message: error === null ? null : expect.any(String),
      unavailable: kind === 'not_supported' ? expect.any(String) : null,
    });
    expect(link).toMatchObject(
      kind === 'auth_expired'
        ? { state: 'error', error_code: 'auth_expired' }
        : { state: 'connected', error_code: null },
    );
    expect(await sandbox.ask('GET', `/sandbox/institutions/${CREDENTIALS}/faults`)).toEqual({
      faults: [],
    });
  });

  it('is shown as it was created until it is deleted', async () => {
    const fault = await sandbox.fault(CREDENTIALS, {
      operation: 'identity',
      kind: 'rate_limited',
      count: null,
      delay_seconds: 1.5,
    });
    expect(fault).toEqual({
      fault_id: expect.stringMatching(/^flt_[2-9A-HJ-NP-Za-kmnop-z]{22}$/),
      institution_id: CREDENTIALS,
      world_id: 'default',
      operation: 'identity',
      kind: 'rate_limited',
      remaining: null,
      delay_seconds: 1.5,
      retry_after_seconds: 60,
      created_at: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T[\d:.]{12}$/),
    });
    expect(await sandbox.ask('GET', `/sandbox/institutions/${CREDENTIALS}/faults`)).toEqual({
      faults: [fault],
    });
    expect((await sandbox.send('DELETE', `/sandbox/faults/${fault.fault_id}`)).status).toBe(204);
    expect(
      errorOf(await sandbox.send('DELETE', `/sandbox/faults/${fault.fault_id}`)),
    ).toMatchObject({ status: 404, code: 'sandbox_error.not_found' });
    expect(await sandbox.ask('GET', `/sandbox/institutions/${CREDENTIALS}/faults`)).toEqual({
      faults: [],
    });
  });
});

describe('The sandbox calls', () => {
  it.each<[string, string, unknown]>([
    ['POST', '/sandbox/link', {}],
    ['POST', '/sandbox/links/mk_x/transactions', { script: [] }],
    ['POST', '/sandbox/links/mk_x/expire-auth', {}],
    ['POST', `/sandbox/institutions/${CREDENTIALS}/faults`, { kind: 'nonsense' }],
    ['GET', `/sandbox/institutions/${CREDENTIALS}/faults`, undefined],
    ['DELETE', '/sandbox/faults/flt_x', undefined],
    ['POST', '/sandbox/worlds', {}],
    ['GET', '/sandbox/worlds', undefined],
    ['GET', '/sandbox/worlds/wld_x', undefined],
    ['POST', '/sandbox/worlds/wld_x/advance', {}],
    ['DELETE', '/sandbox/worlds/wld_x', undefined],
  ])('refuse %s %s of a Live key pair before the body is checked', async (method, path, json) => {
    const live = new SandboxCaller(new AppBackEnd(app.baseUrl, service.app.live));
    expect(errorOf(await live.send(method, path, json))).toEqual({
      status: 403,
      code: 'api_error.sandbox_only',
      locations: [],
    });
  });

  it.each<[string, string, unknown, number, string, string[]]>([
    [
      'POST',
      '/sandbox/link',
      { institution_id: 'no-bank' },
      404,
      'institution_error.not_found',
      [],
    ],
    ['POST', '/sandbox/link', { world_id: 'wld_none' }, 404, 'sandbox_error.not_found', []],
    [
      'POST',
      '/sandbox/link',
      {
        custom_sandbox_data: {
          accounts: [{ account_type: 'depository.checking', name: 'A', account_number: '1' }],
        },
      },
      422,
      'api_error.request.validation_failed',
      ['body.custom_sandbox_data'],
    ],
    [
      'POST',
      '/sandbox/link',
      { username: 'user_custom', custom_sandbox_data: { accounts: [] } },
      422,
      'api_error.request.validation_failed',
      ['body.custom_sandbox_data.accounts'],
    ],
    [
      'POST',
      '/sandbox/link',
      { result: 'both' },
      422,
      'api_error.request.validation_failed',
      ['body.result'],
    ],
    [
      'POST',
      '/sandbox/links/mk_x/transactions',
      { script: [{ verb: 'drop', ref: 'a' }] },
      404,
      'link_error.not_found',
      [],
    ],
    ['POST', '/sandbox/links/mk_x/expire-auth', {}, 404, 'link_error.not_found', []],
    [
      'POST',
      '/sandbox/links/mk_x/expire-auth',
      { mode: 'soon' },
      422,
      'api_error.request.validation_failed',
      ['body.mode'],
    ],
    [
      'POST',
      '/sandbox/institutions/no-bank/faults',
      { kind: 'timeout' },
      404,
      'institution_error.not_found',
      [],
    ],
    [
      'GET',
      '/sandbox/institutions/no-bank/faults',
      undefined,
      404,
      'institution_error.not_found',
      [],
    ],
    [
      'POST',
      `/sandbox/institutions/${CREDENTIALS}/faults`,
      {},
      422,
      'api_error.request.validation_failed',
      ['body.kind'],
    ],
    [
      'POST',
      `/sandbox/institutions/${CREDENTIALS}/faults`,
      { kind: 'slow' },
      422,
      'api_error.request.validation_failed',
      ['body.delay_seconds'],
    ],
    [
      'POST',
      `/sandbox/institutions/${CREDENTIALS}/faults`,
      { kind: 'timeout', count: 0 },
      422,
      'api_error.request.validation_failed',
      ['body.count'],
    ],
    [
      'POST',
      `/sandbox/institutions/${CREDENTIALS}/faults`,
      { kind: 'timeout', delay_seconds: 121 },
      422,
      'api_error.request.validation_failed',
      ['body.delay_seconds'],
    ],
    [
      'POST',
      `/sandbox/institutions/${CREDENTIALS}/faults`,
      { kind: 'timeout', world_id: 'wld_none' },
      404,
      'sandbox_error.not_found',
      [],
    ],
    ['DELETE', '/sandbox/faults/flt_none', undefined, 404, 'sandbox_error.not_found', []],
    ['DELETE', '/sandbox/faults/%21', undefined, 404, 'sandbox_error.not_found', []],
    [
      'POST',
      '/link-session',
      { customer_user: { id: 'a' }, world_id: 'wld_none' },
      404,
      'sandbox_error.not_found',
      [],
    ],
  ])('refuse %s %s with %j', async (method, path, json, status, code, locations) => {
    expect(errorOf(await sandbox.send(method, path, json))).toEqual({ status, code, locations });
  });

  it('refuse a link that was never connected, and a deleted one', async () => {
    const { link_id: failed } = await sandbox.link({
      username: 'locked',
      customer_user: { id: 'never' },
    });
    for (const [path, json] of [
      ['transactions', { script: [{ verb: 'drop', ref: 'a' }] }],
      ['expire-auth', {}],
    ] as const) {
      const { status, body } = await sandbox.send('POST', `/sandbox/links/${failed}/${path}`, json);
      expect({ path, status, body }).toEqual({
        path,
        status: 422,
        body: expect.objectContaining({
          error_code: 'link_error.bad_state',
          link_error_code: 'user_error',
        }),
      });
    }
    const { link_id: deleted } = await sandbox.link({ customer_user: { id: 'leaving' } });
    await sandbox.send('DELETE', `/links/${deleted}`);
    for (const [path, json] of [
      ['transactions', { script: [{ verb: 'drop', ref: 'a' }] }],
      ['expire-auth', {}],
    ] as const) {
      expect(
        errorOf(await sandbox.send('POST', `/sandbox/links/${deleted}/${path}`, json)),
      ).toMatchObject({ status: 410, code: 'link_error.deleted' });
    }
  });
});
