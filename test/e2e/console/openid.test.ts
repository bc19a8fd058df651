import { grantsOfClaim } from '../../../apps/console-server/src/sign-in/grants-of-claim.js';
import { freePort } from '../../../apps/standalone/src/ports.js';
import {
  ConsoleBrowser,
  startConsoleInProcess,
  type ConsoleInProcess,
} from './support/console-in-process.js';
import { CLIENT, startOpenIdProvider, type OpenIdProvider } from './support/openid-provider.js';

let console: ConsoleInProcess;
let provider: OpenIdProvider;
beforeAll(async () => {
  const url = `http://127.0.0.1:${await freePort('127.0.0.1')}`;
  provider = await startOpenIdProvider(`${url}/sign-in/return`);
  console = await startConsoleInProcess({
    CONSOLE_PORT: new URL(url).port,
    CONSOLE_BASE_URL: url,
    CONSOLE_OIDC_ISSUER: provider.issuer,
    CONSOLE_OIDC_CLIENT_ID: CLIENT.id,
    CONSOLE_OIDC_CLIENT_SECRET: CLIENT.secret,
  });
});
afterAll(async () => {
  await console?.close();
  await provider?.close();
});

/** Signs in at the provider, up to the return. */
async function returned(browser: ConsoleBrowser, sub: string, roles: unknown): Promise<string> {
  provider.person = { sub, roles };
  const { body } = await browser.call('POST', '/session/oidc/start', {});
  return (await provider.signIn(String(body['url']))).search.slice(1);
}

async function signIn(browser: ConsoleBrowser, sub: string, roles: unknown) {
  const answer = await browser.call('POST', '/session/oidc/return', {
    query: await returned(browser, sub, roles),
  });
  browser.half = (answer.body['session'] as string | undefined) ?? null;
  return answer;
}

describe('A sign-in at an OpenID provider', () => {
  it('names a person by issuer and subject, with the role of the claim', async () => {
    const browser = new ConsoleBrowser(console.url);
    expect((await browser.get('/session/options')).body).toEqual({ oidc: true });
    expect((await signIn(browser, 'ada-at-provider', ['operator:read'])).status).toBe(201);
    expect((await browser.get('/session')).body).toMatchObject({
      actor: `oidc:${new URL(provider.issuer).host}/ada-at-provider`,
      role: 'operator',
      is_read_only: true,
    });
  });

  it('shows to a person of several apps exactly these', async () => {
    const browser = new ConsoleBrowser(console.url);
    await signIn(browser, 'grace', 'app:rival app:pocket-ledger:read app:unknown');
    expect((await browser.get('/session')).body['apps']).toEqual([
      { app_id: 'pocket-ledger', name: 'pocket-ledger', is_read_only: true },
      { app_id: 'rival', name: 'rival', is_read_only: false },
    ]);
    const reset = (app: string) => browser.call('POST', `/as/${app}/sandbox/links/mk_1/reset`, {});
    expect((await reset('pocket-ledger')).body['error_code']).toBe('console.read_only');
    expect((await reset('rival')).body['error_code']).not.toBe('console.read_only');
  });

  it.each([[[]], [undefined], ['admin'], [['app:']], [{ operator: true }], [7]])(
    'refuses a person whose claim is %j',
    async (roles) => {
      const answer = await signIn(new ConsoleBrowser(console.url), 'mallory', roles);
      expect([answer.status, answer.body['error_code']]).toEqual([403, 'console.no_role']);
      expect(answer.body['errors']).toEqual([
        { field: 'issuer', message: provider.issuer },
        { field: 'subject', message: 'mallory' },
      ]);
    },
  );

  it('is completed once, and only by the browser that began it', async () => {
    const browser = new ConsoleBrowser(console.url);
    const query = await returned(browser, 'ada', ['operator']);
    const other = new ConsoleBrowser(console.url);
    expect((await other.call('POST', '/session/oidc/return', { query })).status).toBe(401);
    // The try of the other browser has used it up.
    expect((await browser.call('POST', '/session/oidc/return', { query })).status).toBe(401);
    const own = await returned(browser, 'ada', ['operator']);
    expect((await browser.call('POST', '/session/oidc/return', { query: own })).status).toBe(201);
    expect((await browser.call('POST', '/session/oidc/return', { query: own })).status).toBe(401);
  });

  it.each([
    ['another issuer', 'iss', 'https://evil.example'],
    ['another state', 'state', 'forged'],
    ['another code', 'code', 'forged'],
  ])('is refused with %s', async (_what, name, value) => {
    const browser = new ConsoleBrowser(console.url);
    const query = new URLSearchParams(await returned(browser, 'ada', ['operator']));
    query.set(name, value);
    const answer = await browser.call('POST', '/session/oidc/return', { query: query.toString() });
    expect(answer.status).toBe(401);
    expect(browser.half).toBeNull();
  });
});

describe('The grants of a claim', () => {
  it.each([
    [['operator'], [{ role: 'operator', appId: null, isReadOnly: false }]],
    ['operator:read', [{ role: 'operator', appId: null, isReadOnly: true }]],
    [['app:a:b:read'], [{ role: 'app', appId: 'a:b', isReadOnly: true }]],
    [['Operator', 'operator ', 'app:', 'app::read', null], []],
  ])('of %j are %j', (claim, grants) => {
    expect(grantsOfClaim(claim)).toEqual(grants);
  });
});
