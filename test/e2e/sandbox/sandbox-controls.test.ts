import { errorOf } from '../../support/services/api-client.js';
import { AppBackEnd } from '../../support/actors/link-journey.js';
import type { LinkBody } from '../../support/actors/response-bodies.js';
import { SandboxCaller } from '../../support/actors/sandbox-caller.js';
import { representatives } from '../../support/runner/representatives.js';
import {
  app,
  sandbox,
  service,
  serviceOfFile,
  truth,
} from '../../support/fixtures/sandbox-service.js';

const CREDENTIALS = 'sandbox-credentials-bank';

serviceOfFile();

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
  // test/integration/sandbox-bank/faults.test.ts has what every kind does to a login and to a fetch.
  it.each(
    representatives<[kind: string, error: string | null]>(
      [
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
      ],
      ([kind]) => ['slow', 'server_error', 'auth_expired'].includes(kind),
    ),
  )('%s on login ends in %s', async (kind, error) => {
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

  it.each(
    representatives<[kind: string, error: string | null]>(
      [
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
      ],
      ([kind]) => ['slow', 'server_error', 'auth_expired', 'not_supported'].includes(kind),
    ),
  )('%s on a fetch leaves the product with the error %s', async (kind, error) => {
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
