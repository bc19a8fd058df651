import {
  AppBackEnd,
  call,
  ConnectVisit,
  expectStatus,
  INSTANT_BANK,
} from '../../support/actors/link-journey.js';
import type { LinkBody } from '../../support/actors/response-bodies.js';
import { errorOf } from '../../support/services/api-client.js';
import { operate } from '../../support/actors/operator.js';
import { SandboxCaller } from '../../support/actors/sandbox-caller.js';
import { shareService, type SharedService } from '../../support/fixtures/shared-service.js';
import type { StandaloneApp } from '../../support/services/standalone.js';
import { NATIVE_CALLS, type RestrictedCall } from '../restricted-keys/support/restricted-calls.js';
import { StoredTruth } from '../../support/assertions/stored-truth.js';
import { WebhookReceiver } from '../../support/receivers/webhook-receiver.js';

const REDIRECT = 'ledger://return';

const CALLS_OF_A_LINK = NATIVE_CALLS.filter(([call]) => call.includes('/{link}'));
/** In Live refused for everyone. */
const isOfSandbox = ([call]: RestrictedCall) => / \/(sandbox|webhooks\/test)\//.test(call);

interface Tenant {
  name: string;
  app: AppBackEnd;
  linkId: string;
  exchangeableToken: string;
  connectToken: string;
  linkSessionToken: string;
  hooks: string;
}

let service: SharedService;
let receiver: WebhookReceiver;
let truth: StoredTruth;
let tenants: Tenant[];
let apps: string[];

/**
 * One exchanged link, and one session waiting for its exchange. In Live the sandbox banks stand in
 * for real ones.
 */
async function setUpTenant(name: string, app: AppBackEnd, sandbox: boolean): Promise<Tenant> {
  const hooks = `/${name}`;
  const fields = {
    customer_user: { id: 'the-same-user' },
    tags: [name],
    ...(sandbox ? { webhook: receiver.url(hooks) } : {}),
  };
  const linkedUp = async () => {
    const { link_session_token: linkSessionToken } = await app.createSession(fields);
    const { connect_token: connectToken, ...view } = await expectStatus(
      200,
      ConnectVisit.openCall(app.baseUrl, linkSessionToken, { platform: 'ios' }),
    );
    const bearer = connectToken;
    const step = {
      seq: view.seq,
      request_id: crypto.randomUUID(),
      input: { kind: 'select_institution', institution_id: INSTANT_BANK },
    };
    await expectStatus(
      200,
      call(app.baseUrl, 'POST', '/connect/api/session/step', { bearer, body: step }),
    );
    const finish = { request_id: crypto.randomUUID() };
    const { exchangeable_token } = await expectStatus(
      200,
      call<{ exchangeable_token: string }>(app.baseUrl, 'POST', '/connect/api/session/finish', {
        bearer,
        body: finish,
      }),
    );
    return { linkSessionToken, connectToken, exchangeableToken: exchangeable_token };
  };
  const { link_id: linkId } = await expectStatus(
    201,
    app.exchange((await linkedUp()).exchangeableToken),
  );
  await app.untilRefreshed(linkId, 'transactions');
  return { name, app, linkId, hooks, ...(await linkedUp()) };
}

beforeAll(async () => {
  service = await shareService();
  const { base_url: baseUrl } = service.info;
  receiver = await WebhookReceiver.start({ verify: baseUrl });
  truth = new StoredTruth(() => service.info.database_url);
  const second = await operate<StandaloneApp>(
    service.dataDir,
    'apps',
    'create',
    '--name',
    'Second',
    '--redirect-origin',
    REDIRECT,
  );
  for (const app of [service.app, second])
    await operate(service.dataDir, 'apps', 'update', app.app_id, '--page-origin', 'native');
  apps = [service.app.app_id, second.app_id];
  tenants = [];
  for (const app of [service.app, second]) {
    tenants.push(
      await setUpTenant(`${app.app_id}-sandbox`, new AppBackEnd(baseUrl, app.sandbox), true),
    );
    tenants.push(await setUpTenant(`${app.app_id}-live`, new AppBackEnd(baseUrl, app.live), false));
  }
});

afterAll(() => receiver?.stop());

const pairs = () =>
  tenants.flatMap((own) =>
    tenants.filter((other) => other !== own).map((other) => [own, other] as const),
  );

describe('Two apps in two environments (link-lifecycle 15, check 1)', () => {
  it('are four tenants that list only their own link', async () => {
    expect(tenants.map(({ name }) => name)).toEqual(
      apps.flatMap((app) => [`${app}-sandbox`, `${app}-live`]),
    );
    for (const { app, linkId } of tenants) {
      const { links } = await app.get<{ links: { link_id: string }[] }>('/links');
      expect(links.map(({ link_id }) => link_id)).toEqual([linkId]);
    }
  });

  it('never see the link of another tenant through any call', async () => {
    for (const [own, other] of pairs()) {
      for (const [call, , { json } = {}] of CALLS_OF_A_LINK.filter(
        (each) => own.name.endsWith('sandbox') || !isOfSandbox(each),
      )) {
        const [method = '', path = ''] = call
          .replace('{link}', other.linkId)
          .replace('{account}', 'acc_unknown')
          .split(' ');
        const { status, body } = await own.app.call(
          method,
          path,
          json === undefined ? {} : { body: json },
        );
        expect({ call, status, code: body.error_code }).toEqual({
          call,
          status: 401,
          code: 'link_error.unauthorized_access',
        });
        expect(JSON.stringify(body)).not.toContain(other.name);
      }
    }
    for (const { app, linkId, name } of tenants)
      expect(await app.link(linkId)).toMatchObject({
        state: 'connected',
        tags: [name],
      } satisfies Partial<LinkBody>);
  });

  it('see, of a user id they share, only their own data', async () => {
    for (const { app, linkId } of tenants) {
      const [links, accounts] = [
        await app.get<{ links: object }>('/users/the-same-user/links'),
        await app.get<{ links: object }>('/users/the-same-user/accounts'),
      ];
      expect(Object.keys(links.links)).toContain(linkId);
      const owners = await truth.rows<{ tenant: string }>(
        "SELECT DISTINCT app_id || '-' || environment AS tenant FROM links WHERE link_id = ANY($1::text[])",
        [[...Object.keys(links.links), ...Object.keys(accounts.links)]],
      );
      expect(owners).toHaveLength(1);
      const { accounts: named } = await app.get<{ accounts: Record<string, { link_id: string }> }>(
        '/users/the-same-user/transactions?start_date=1900-01-01',
      );
      expect(
        Object.values(named).every(({ link_id: id }) => Object.keys(links.links).includes(id)),
      ).toBe(true);
    }
  });

  it('have separate worlds and faults', async () => {
    const [own, other] = tenants
      .filter(({ name }) => name.endsWith('sandbox'))
      .map(({ app }) => new SandboxCaller(app));
    if (own === undefined || other === undefined) throw new Error('two apps are needed');
    const { world_id: world } = await own.world({ name: 'mine' });
    const fault = await own.fault(INSTANT_BANK, { kind: 'no_permission', operation: 'identity' });
    const listed = (app: SandboxCaller) =>
      Promise.all([
        app.ask<{ worlds: { name: string }[] }>('GET', '/sandbox/worlds'),
        app.ask<{ faults: unknown[] }>('GET', `/sandbox/institutions/${INSTANT_BANK}/faults`),
      ]);
    expect((await listed(other)).map((found) => JSON.stringify(found)).join()).not.toMatch(
      /mine|flt_/,
    );
    for (const [method, path, json] of [
      ['GET', `/sandbox/worlds/${world}`, undefined],
      ['POST', `/sandbox/worlds/${world}/advance`, { by: 'PT1H' }],
      ['DELETE', `/sandbox/worlds/${world}`, undefined],
      ['DELETE', `/sandbox/faults/${fault.fault_id}`, undefined],
      ['POST', '/sandbox/link', { world_id: world }],
      [
        'POST',
        `/sandbox/institutions/${INSTANT_BANK}/faults`,
        { kind: 'timeout', world_id: world },
      ],
    ] as const) {
      expect({ path, ...errorOf(await other.send(method, path, json)) }).toEqual({
        path,
        status: 404,
        code: 'sandbox_error.not_found',
        locations: [],
      });
    }
    expect((await listed(own))[1]).toEqual({ faults: [fault] });
  });

  it('receive 404 for a link that does not exist', async () => {
    for (const { app } of tenants) {
      expect(await app.call('GET', '/links/mk_2222222222222222222222')).toMatchObject({
        status: 404,
        body: { error_code: 'link_error.not_found' },
      });
    }
  });

  it('cannot use the cursor of another tenant', async () => {
    const cursors = await Promise.all(
      tenants.map(async ({ app, linkId }) => (await app.walk(linkId, { size: 500 })).cursor),
    );
    for (const [own] of tenants.entries()) {
      for (const [index, cursor] of cursors.entries()) {
        const { app, linkId } = tenants[own] ?? { app: undefined, linkId: '' };
        const response = await app?.call(
          'GET',
          `/links/${linkId}/transactions/sync?cursor=${encodeURIComponent(cursor)}`,
        );
        expect(response?.status).toBe(own === index ? 200 : 422);
      }
    }
  });

  it('cannot exchange the token of another tenant, which stays valid for its owner', async () => {
    for (const [own, other] of pairs()) {
      expect(await own.app.exchange(other.exchangeableToken)).toMatchObject({
        status: 400,
        body: { error_code: 'link_session_error.invalid_token_exchange' },
      });
    }
    for (const { app, exchangeableToken, name } of tenants) {
      expect(await app.exchange(exchangeableToken)).toMatchObject({
        status: 201,
        body: { link: { tags: [name] }, customer_user: { id: 'the-same-user' } },
      });
    }
  });

  it('cannot start a session for the link of another tenant', async () => {
    for (const [own, other] of pairs()) {
      const body = { customer_user: { id: 'the-same-user' }, existing_link_id: other.linkId };
      expect(await own.app.call('POST', '/link-session', { body })).toMatchObject({
        status: 401,
        body: { error_code: 'link_error.unauthorized_access' },
      });
    }
  });

  it('receive only their own webhooks', async () => {
    const sandbox = tenants.filter(({ name }) => name.endsWith('sandbox'));
    // Two links each, six events each: the second link was exchanged above.
    await receiver.until((received) => received.length >= sandbox.length * 12);
    for (const { hooks, name } of sandbox) {
      const bodies = receiver.received.filter(({ path }) => path === hooks).map(({ body }) => body);
      expect(new Set(bodies.map(({ link_tags }) => JSON.stringify(link_tags)))).toEqual(
        new Set([JSON.stringify([name])]),
      );
    }
  });

  it('have separate customer users', async () => {
    const users = await truth.rows<{ app_id: string; environment: string }>(
      'SELECT app_id, environment FROM customer_users WHERE user_id = $1 AND app_id = ANY($2::text[]) ORDER BY 1, 2',
      ['the-same-user', apps],
    );
    expect(users).toEqual(
      [...apps]
        .sort()
        .flatMap((app_id) => ['live', 'sandbox'].map((environment) => ({ app_id, environment }))),
    );
  });
});

describe('An access token', () => {
  it('ends at once in every process when its client is disabled', async () => {
    const { sandbox } = await operate<StandaloneApp>(
      service.dataDir,
      'apps',
      'create',
      '--name',
      'Short lived',
    );
    const app = new AppBackEnd(service.info.base_url, sandbox);
    expect((await app.call('GET', '/links')).status).toBe(200);
    await operate(service.dataDir, 'clients', 'disable', sandbox.client_id);
    // The process has just looked up the token, and must not rely on its cache.
    expect((await app.call('GET', '/links')).status).toBe(401);
    expect((await app.fetchToken()).status).toBe(401);
    await operate(service.dataDir, 'clients', 'enable', sandbox.client_id);
    expect((await app.call('GET', '/links')).status).toBe(200);
    expect((await app.fetchToken()).status).toBe(201);
  });
});
