import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { routesOf } from '../../../../apps/api/src/http/routes-of.js';
import { CONTROLLERS } from '../../../../apps/api/src/server/api.module.js';
import { permits, SCOPES, type Scope } from '../../../../domain/api/scopes.js';
import { errorOf } from '../../../support/services/api-client.js';
import {
  clientSecret,
  connectedLink,
  forceLink,
  grantProducts,
  openSession,
  startApiInProcess,
  type ApiInProcess,
} from '../../../support/services/api-in-process.js';
import { storedRows } from '../../../support/assertions/stored-rows.js';
import { ofInstitutions, ofUsers } from './directory-refusals.js';
import { ofLinks } from './link-refusals.js';
import { ofProducts } from './product-refusals.js';
import {
  badState,
  deletedLink,
  foreignLink,
  invalid,
  unauthorized,
  type Refusal,
  type Response,
} from './refusal.js';
import { ofRoutes } from './route-refusals.js';
import { ofSessions, user } from './session-refusals.js';
import { basic, form, ofTokens } from './token-refusals.js';
import { expectLoss } from '../../../support/services/expect-loss.mjs';

/** Every call that needs a scope, as its route declares it, with an unknown id for each parameter. */
const CALL_SCOPES = CONTROLLERS.flatMap(routesOf).flatMap(
  ({ method, path, scopes }): [string, string, readonly Scope[]][] =>
    scopes === null ? [] : [[method, path.replaceAll(/:\w+/g, 'unknown'), scopes]],
);

let service: ApiInProcess;
let token: string;
let live: string;
/** Links in the states of link-lifecycle 6.5. */
const links: Record<string, string> = {};

beforeAll(async () => {
  service = await startApiInProcess();
  token = await service.token('pocket-ledger');
  live = await service.token('pocket-ledger', 'live');
  for (const state of [
    'connected',
    'connecting',
    'awaiting_token_exchange',
    'failed',
    'broken',
    'deleted',
    'without_transactions',
  ]) {
    links[state] = await connectedLink(
      service,
      token,
      state === 'without_transactions' ? { settings: { products: [] } } : {},
    );
  }
  for (const [state, linkId] of Object.entries(links))
    if (state !== 'without_transactions')
      await grantProducts(service, linkId, ['account_numbers', 'identity']);
  links['foreign'] = await connectedLink(service, await service.token('rival'));
  await forceLink(service, links['connecting'] ?? '', { state: 'connecting', connectedAt: null });
  await forceLink(service, links['awaiting_token_exchange'] ?? '', {
    state: 'awaiting_token_exchange',
    connectedAt: null,
  });
  await forceLink(service, links['failed'] ?? '', {
    state: 'error',
    errorCode: 'user_error',
    connectedAt: null,
  });
  await forceLink(service, links['broken'] ?? '', { state: 'error', errorCode: 'auth_expired' });
  await service.api.as(token).delete(`/links/${links['deleted']}`);
});

afterAll(async () => {
  await service?.close();
});

function refuses(rows: Refusal[]): void {
  /** Each refusal leaves the rows to the next one. */
  let before: Record<string, string> | undefined;
  for (const [title, call, { status, code, locations = [] }, request] of rows)
    it(`refuses ${title}: ${call}`, async () => {
      const [method = '', path = ''] = call.split(' ');
      const resolved = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => links[name] ?? name);
      before ??= await storedRows(service.database.pool);
      const response = await service.api.as(token).send(method, resolved, request);
      expect(errorOf(response)).toEqual({ status, code, locations });
      expect(response.body).toMatchObject({
        error_message: expect.any(String),
        documentation_url: expect.stringMatching(`^http://[^/]+/docs#error-${code}$`),
      });
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(response.headers.get('service-request-id')).toMatch(/^[\w-]{1,64}$/);
      if (status === 401)
        expect(response.headers.get('www-authenticate')).toMatch(/^(Bearer|Basic)/);
      expect(await storedRows(service.database.pool)).toEqual(before);
    });
}

describe('The token calls', () => {
  refuses(ofTokens);

  it('request Basic authentication when Basic was used', async () => {
    const response = await service.api.post('/auth/token', {
      form: {},
      headers: basic(form.client_id, 'wrong'),
    });
    expect(response.headers.get('www-authenticate')).toMatch(/^Basic /);
    expect(response.text).not.toContain('wrong');
  });

  it.each([
    ['a missing grant_type', { ...form }, 400, 'invalid_request'],
    ['another grant_type', { ...form, grant_type: 'password' }, 400, 'unsupported_grant_type'],
    [
      'an unknown scope',
      { ...form, grant_type: 'client_credentials', scope: 'x' },
      400,
      'invalid_scope',
    ],
    [
      'a wrong secret',
      { ...form, client_secret: 'x', grant_type: 'client_credentials' },
      401,
      'invalid_client',
    ],
  ])(
    'refuses %s at /oauth/token with the error of RFC 6749',
    async (_title, fields, status, error) => {
      const response = await service.api.post('/oauth/token', { form: fields });
      expect({ status: response.status, body: response.body }).toEqual({
        status,
        body: { error, error_description: expect.any(String) },
      });
    },
  );

  it('refuses a malformed request at /oauth/token with the error of RFC 6749', async () => {
    const response = await service.api.post('/oauth/token', { json: {} });
    expect({ status: response.status, body: response.body }).toEqual({
      status: 400,
      body: { error: 'invalid_request', error_description: expect.any(String) },
    });
  });
});

describe('The API', () => {
  refuses(ofRoutes);

  it.each([
    ['/links/x', 'GET, HEAD, PATCH, DELETE'],
    ['/links/import', 'POST'],
    ['/webhooks/events/replay', 'POST'],
  ])('refuses a wrong method at %s with the methods of that address', async (path, allowed) => {
    expect((await service.api.send('PUT', path)).headers.get('allow')).toBe(allowed);
  });

  it('ignores an unknown Expect header', async () => {
    const sent = expectLoss(
      request(`${service.api.baseUrl}/links`, { headers: { expect: 'the-unexpected' } }),
    );
    sent.end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    expect(response.statusCode).toBe(401);
    expect(await json(response)).toMatchObject({ error_code: 'api_error.auth.unauthorized' });
  });
});

describe('A link session', () => {
  refuses(ofSessions);

  it.each([
    ['foreign', foreignLink],
    ['deleted', deletedLink],
    ['connecting', badState],
    ['awaiting_token_exchange', badState],
  ])('refuses to relink a link that is %s', async (state, refusal) => {
    const response = await service.api
      .as(token)
      .post('/link-session', { json: { ...user, existing_link_id: links[state] } });
    expect(errorOf(response)).toMatchObject(refusal);
  });

  it('refuses to relink the link of another user, and takes no session of it over', async () => {
    const link = { existing_link_id: links['connected'] };
    const [own, another] = [{ id: 'user-4711' }, { id: 'user-4712' }];
    const create = (customer: object) =>
      service.api.as(token).post('/link-session', { json: { ...link, customer_user: customer } });
    const sessions = () => service.database.prisma.linkSession.count();
    expect((await create(own)).status).toBe(201);
    const before = await sessions();
    expect(errorOf(await create(another))).toEqual(invalid('body.customer_user.id'));
    expect(await sessions()).toBe(before);
  });

  it('refuses to relink with a required product that the bank does not have', async () => {
    const response = await service.api.as(token).post('/link-session', {
      json: {
        ...user,
        existing_link_id: links['connected'],
        products_settings: { identity: { required: true } },
      },
    });
    expect(errorOf(response)).toEqual(invalid('body.existing_link_id'));
  });

  it.each([
    [
      'sandbox data',
      {
        custom_sandbox_data: {
          accounts: [
            {
              account_type: 'depository.checking',
              name: 'Checking',
              account_number: '100020001101',
            },
          ],
        },
      },
      invalid('body.custom_sandbox_data'),
    ],
    ['a sandbox world', { world_id: 'default' }, invalid('body.world_id')],
    ['an http webhook', { webhook: 'http://app.example/hook' }, invalid('body.webhook')],
    [
      'an http redirect_uri',
      { redirect_uri: 'http://app.example/return' },
      invalid('body.redirect_uri'),
    ],
    [
      'any redirect_uri while the list is empty',
      { redirect_uri: 'https://app.example/return' },
      { status: 403, code: 'link_session_error.forbidden_config', locations: [] },
    ],
  ])('refuses, with a Live key pair, %s', async (_title, fields, refusal: Response) => {
    const response = await service.api
      .as(live)
      .post('/link-session', { json: { ...user, ...fields } });
    expect(errorOf(response)).toEqual(refusal);
  });
});

describe('A call of a link', () => {
  refuses(ofLinks);
  refuses(ofProducts);

  it('names the state or the error of a link that cannot be read', async () => {
    const code = async (state: string) =>
      (await service.api.as(token).get(`/links/${links[state]}/accounts`)).body;
    expect(await code('connecting')).toMatchObject({ link_error_code: 'connecting' });
    expect(await code('failed')).toMatchObject({ link_error_code: 'user_error' });
    expect(await service.api.as(token).get(`/links/${links['broken']}/accounts`)).toMatchObject({
      status: 200,
    });
  });

  it('refuses a cursor of another link', async () => {
    const cursor = async (link: string | undefined) =>
      (
        (await service.api.as(token).get(`/links/${link}/transactions/sync`)).body as {
          cursor: { next: string };
        }
      ).cursor.next;
    const other = await connectedLink(service, token);
    const response = await service.api
      .as(token)
      .get(`/links/${other}/transactions/sync?cursor=${await cursor(links['connected'])}`);
    expect(errorOf(response)).toEqual(invalid('query.cursor'));
  });

  it('refuses every link of the other environment', async () => {
    const response = await service.api.as(live).get(`/links/${links['connected']}`);
    expect(errorOf(response)).toMatchObject(foreignLink);
  });
});

describe('A call to institutions', () => {
  refuses(ofInstitutions);
});

describe('A call to users', () => {
  refuses(ofUsers);
});

describe('A token without the scope', () => {
  const tokens = new Map<string, Promise<string>>();
  const tokenWith = (...scopes: string[]): Promise<string> => {
    const scope = scopes.join(' ');
    const shared = tokens.get(scope) ?? service.token('pocket-ledger', 'sandbox', scope);
    tokens.set(scope, shared);
    return shared;
  };

  it.each(CALL_SCOPES)('is refused at %s %s, which needs %s', async (method, path, scopes) => {
    const isNeeded = (other: Scope) => scopes.some((scope) => permits([other], scope));
    const others = await tokenWith(...SCOPES.filter((other) => !isNeeded(other)));
    // An invalid body, so that the authorized call starts nothing.
    const request = ['POST', 'PATCH'].includes(method) ? { json: [] } : {};
    const refused = await service.api.as(others).send(method, path, request);
    expect(errorOf(refused)).toMatchObject(unauthorized);
    expect(refused.headers.get('www-authenticate')).toBe(
      `Bearer error="insufficient_scope", scope="${scopes[0]}"`,
    );
    for (const scope of scopes) {
      const right = await tokenWith(scope);
      expect((await service.api.as(right).send(method, path, request)).status).not.toBe(401);
    }
  });
});

describe('The log of refused requests', () => {
  it('contains no token, secret, query or body', async () => {
    const opened = await openSession(service, token);
    await service.api.get(`/links?cursor=canary-query`, { token });
    const log = service.log();
    expect(log).toContain('http.request');
    for (const secret of [
      token,
      opened.linkSessionToken,
      opened.connectToken,
      'canary-query',
      'user-4711',
      clientSecret('pocket-ledger', 'sandbox'),
    ])
      expect(log).not.toContain(secret);
  });
});
