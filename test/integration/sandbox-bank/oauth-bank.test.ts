import { randomUUID } from 'node:crypto';
import pg from 'pg';
import {
  createSandboxProvider,
  type SandboxProvider,
} from '../../../providers/sandbox/sandbox-provider.js';
import { createTestDatabase } from '../../support/services/embedded-services.js';
import {
  accountsOnPage,
  signInAtOAuthBank,
  valueOf,
  visitOAuthBank,
  type Visit,
} from '../../support/actors/oauth-bank-visitor.js';
import { startSandboxBank, connectionTo, type TestSandboxBank } from './support/sandbox-bank.js';
import { bankApi } from './bank-api.js';
import { bankCustomer, refusal } from './bank-customer.js';
import { openTcpGate } from '../../support/services/tcp-gate.js';

const BANK = 'sandbox-oauth-bank';
const ALL = ['Everyday Checking', 'Rainy Day Savings', 'Rewards Card'];

describe('OAuth Bank', () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let bank: TestSandboxBank;
  let provider: SandboxProvider;
  let customer: ReturnType<typeof bankCustomer>;

  beforeAll(async () => {
    database = await createTestDatabase();
    bank = await startSandboxBank({ databaseUrl: database.url });
    provider = createSandboxProvider(connectionTo(bank));
    customer = bankCustomer(provider, BANK);
  });
  afterAll(async () => {
    await bank.stop();
    await database.drop();
  });

  const accountsOf = async (outcome: Parameters<typeof customer.accessOf>[0]) =>
    (await provider.fetchAccounts(customer.accessOf(outcome))).accounts.map(({ name }) => name);

  function pageOf(visit: Visit): Extract<Visit, { kind: 'page' }> {
    if (visit.kind !== 'page') throw new Error(`left for ${visit.address}`);
    return visit;
  }

  function addressOf(visit: Visit): URL {
    if (visit.kind !== 'left') throw new Error(`still on a page:\n${visit.html}`);
    return new URL(visit.address);
  }

  it('offers the redirect before it receives any call', async () => {
    expect(await provider.begin(customer.contextOf())).toMatchObject({
      kind: 'step',
      step: { kind: 'redirect', started: false },
    });
  });

  it('is called with PKCE, state, nonce, the scopes of the products, and for a limited time', async () => {
    const { start } = await customer.startRedirect({ requestedProducts: ['accounts', 'identity'] });
    const query = Object.fromEntries(new URL(start.authorizeUrl).searchParams);
    expect(query).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      scope: 'openid accounts owners',
      redirect_uri: 'http://127.0.0.1:9/connect/oauth/callback',
    });
    for (const value of ['state', 'nonce', 'code_challenge', 'client_id', 'login_id'])
      expect(query[value]).toMatch(/^[\w-]{20,}$/);
    expect(start.issuer).toBe(bank.url);
    expect(start.expiresAt.getTime() - Date.now()).toBeGreaterThan(14 * 60_000);
  });

  it('shows the requesting app and the requested data, the user name filled in, and every account selected', async () => {
    const { start } = await customer.startRedirect();
    const { html, headers, status } = pageOf(await visitOAuthBank().open(start.authorizeUrl));
    expect(status).toBe(200);
    expect(html).toContain('Share your accounts with Tributary?');
    expect(valueOf(html, 'user_name')).toBe('user_good');
    expect(accountsOnPage(html).map(({ name, ticked }) => [name, ticked])).toEqual(
      ALL.map((name) => [name, true]),
    );
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; frame-ancestors 'none'",
    );
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(html).not.toMatch(/<script|style="|\son\w+=/i);
  });

  it('redirects back with state and iss, and returns the selected accounts', async () => {
    const { context, start } = await customer.startRedirect();
    const visitor = visitOAuthBank();
    await visitor.open(start.authorizeUrl);
    const back = addressOf(await visitor.press('approve', { accounts: ['Rainy Day Savings'] }));
    expect(Object.fromEntries(back.searchParams)).toEqual({
      code: expect.any(String),
      state: new URL(start.authorizeUrl).searchParams.get('state'),
      iss: bank.url,
    });
    const outcome = await customer.complete(context, start.state, back.href);
    expect(outcome).toMatchObject({ kind: 'linked', consent: 'ask' });
    expect(await accountsOf(outcome)).toEqual(['Rainy Day Savings']);
  });

  it.each(['user_good', 'user_dynamic', 'auth_expires', 'error_auth_expired', 'slow_60'])(
    'links %s',
    async (userName) => {
      expect(await accountsOf(await customer.signInOnPages(userName))).toEqual(ALL);
    },
  );

  it('has no account for no_accounts, who may approve nevertheless', async () => {
    expect(await accountsOf(await customer.signInOnPages('no_accounts'))).toEqual([]);
  });

  it.each([
    ['error_system_error', 'internal'],
    ['error_provider_error', 'provider_down'],
    ['error_institution_error', 'institution_down'],
    ['error_user_error', 'user_action_required'],
    ['error_incomplete', 'incomplete'],
  ])('fails the login of %s with %s', async (userName, cause) => {
    await expect(customer.signInOnPages(userName)).rejects.toMatchObject(refusal(cause));
  });

  it('accepts error_incomplete when a link is repaired', async () => {
    expect(
      await customer.signInOnPages('error_incomplete', { relink: { reference: null } }),
    ).toMatchObject({ kind: 'linked' });
  });

  it('shows user_custom their own accounts before sharing them', async () => {
    const accounts = [
      { account_type: 'liability.mortgage', name: 'House <1>', account_number: '70001234' },
    ];
    const { context, start } = await customer.startRedirect({ sandboxData: { accounts } });
    const visitor = visitOAuthBank();
    await visitor.open(start.authorizeUrl);
    const page = pageOf(await visitor.press('approve', { userName: 'user_custom' }));
    expect(page.html).toContain('House &#60;1&#62;');
    expect(valueOf(page.html, 'user_name')).toBe('user_custom');
    const back = addressOf(await visitor.press('approve'));
    const outcome = await customer.complete(context, start.state, back.href);
    expect((await provider.fetchAccounts(customer.accessOf(outcome))).accounts).toMatchObject([
      { accountType: 'liability.mortgage', name: 'House <1>', mask: '1234' },
    ]);
  });

  it('denies the request when the user denies it', async () => {
    const { context, start } = await customer.startRedirect();
    const visitor = visitOAuthBank();
    await visitor.open(start.authorizeUrl);
    const back = addressOf(await visitor.press('deny'));
    expect(back.searchParams.get('error')).toBe('access_denied');
    await expect(customer.complete(context, start.state, back.href)).rejects.toMatchObject(
      refusal('user_denied'),
    );
  });

  it.each(['mfa_sms', 'mfa_push', 'locked', 'no_one', '', '"><b>x</b>'])(
    'reports an unknown user %j and continues',
    async (userName) => {
      const { start } = await customer.startRedirect();
      const visitor = visitOAuthBank();
      await visitor.open(start.authorizeUrl);
      const page = pageOf(await visitor.press('approve', { userName }));
      expect(page.status).toBe(422);
      expect(page.html).toContain('role="alert"');
      expect(page.html).not.toContain('<b>x');
      expect(
        addressOf(await visitor.press('approve', { userName: 'user_good' })).searchParams.has(
          'code',
        ),
      ).toBe(true);
    },
  );

  it('requires at least one account', async () => {
    const { start } = await customer.startRedirect();
    const visitor = visitOAuthBank();
    await visitor.open(start.authorizeUrl);
    expect(pageOf(await visitor.press('approve', { accounts: [] })).html).toContain(
      'Choose at least one account',
    );
  });

  it('continues for a user who submits twice or returns, and links once', async () => {
    const { context, start } = await customer.startRedirect();
    const visitor = visitOAuthBank();
    await visitor.open(start.authorizeUrl);
    const [first, second] = await Promise.allSettled([
      visitor.press('approve'),
      visitor.press('approve'),
    ]);
    const codes = [first, second].flatMap((visit) =>
      visit.status === 'fulfilled' && visit.value.kind === 'left' ? [visit.value.address] : [],
    );
    expect(codes.length).toBeGreaterThan(0);
    expect(await customer.complete(context, start.state, codes[0] ?? '')).toMatchObject({
      kind: 'linked',
    });
    expect(pageOf(await visitOAuthBank().open(start.authorizeUrl))).toMatchObject({
      status: 400,
      html: expect.stringContaining('This sign-in has expired'),
    });
  });

  it('redeems a code once, and revokes everything when it is used again', async () => {
    const { context, start } = await customer.startRedirect();
    const back = await signInAtOAuthBank(start.authorizeUrl);
    const outcome = await customer.complete(context, start.state, back);
    await expect(customer.complete(context, start.state, back)).rejects.toMatchObject(
      refusal('institution_timeout'),
    );
    await expect(provider.fetchAccounts(customer.accessOf(outcome))).rejects.toMatchObject(
      refusal('consent_expired'),
    );
  });

  it.each<[string, (back: URL) => void]>([
    ['another state', (back) => back.searchParams.set('state', randomUUID())],
    ['no state', (back) => back.searchParams.delete('state')],
    ['another issuer', (back) => back.searchParams.set('iss', 'https://evil.example')],
    ['no issuer', (back) => back.searchParams.delete('iss')],
    ['two codes', (back) => back.searchParams.append('code', 'x')],
  ])('is not trusted with %s', async (_, forge) => {
    const { context, start } = await customer.startRedirect();
    const back = new URL(await signInAtOAuthBank(start.authorizeUrl));
    forge(back);
    await expect(customer.complete(context, start.state, back.href)).rejects.toMatchObject(
      refusal('malformed'),
    );
  });

  it('refuses the code of one redirect on another', async () => {
    const [mine, other] = [await customer.startRedirect(), await customer.startRedirect()];
    const stolen = new URL(await signInAtOAuthBank(other.start.authorizeUrl));
    stolen.searchParams.set(
      'state',
      new URL(mine.start.authorizeUrl).searchParams.get('state') ?? '',
    );
    await expect(
      customer.complete(mine.context, mine.start.state, stolen.href),
    ).rejects.toMatchObject({ name: 'ProviderFailure' });
  });

  it.each<[string, (query: URLSearchParams) => void]>([
    ['without PKCE', (query) => query.delete('code_challenge')],
    ['with plain PKCE', (query) => query.set('code_challenge_method', 'plain')],
    [
      'with another redirect address',
      (query) => query.set('redirect_uri', 'https://evil.example/'),
    ],
    ['for a token at once', (query) => query.set('response_type', 'token')],
    ['of no_one', (query) => query.set('client_id', 'no_one')],
    ['for no login', (query) => query.set('login_id', 'lgn_0')],
  ])('refuses a request %s', async (_, forge) => {
    const url = new URL((await customer.startRedirect()).start.authorizeUrl);
    forge(url.searchParams);
    const visit = await visitOAuthBank().open(url.href);
    if (visit.kind === 'page')
      expect(visit).toMatchObject({
        status: 400,
        html: expect.stringContaining('This sign-in has expired'),
      });
    else expect(visit.address).toMatch(/[?#&]error=(invalid_request|unsupported_response_type)&/);
  });

  it('shows its page only to the browser that made the request', async () => {
    const { start } = await customer.startRedirect();
    const mine = visitOAuthBank();
    const page = pageOf(await mine.open(start.authorizeUrl));
    const address = /action="([^"]+)"/.exec(page.html)?.[1] ?? '';
    expect(pageOf(await visitOAuthBank().open(`${bank.url}${address}`))).toMatchObject({
      status: 400,
    });
  });

  it('cannot be read or answered with the id that a browser knows', async () => {
    const loginId =
      new URL((await customer.startRedirect()).start.authorizeUrl).searchParams.get('login_id') ??
      '';
    const api = bankApi(bank);
    expect((await api.call('GET', `/v1/logins/${loginId}`)).status).toBe(404);
    const answer = {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        step: 1,
        kind: 'PASSWORD',
        user_name: 'user_good',
        password: 'pass_good',
      }),
    };
    expect((await api.call('POST', `/v1/logins/${loginId}/answers`, answer)).status).toBe(404);
  });

  it('asks every visitor again and remembers none', async () => {
    const visitor = visitOAuthBank();
    for (const userName of ['user_good', 'user_dynamic']) {
      const { start } = await customer.startRedirect();
      expect(valueOf(pageOf(await visitor.open(start.authorizeUrl)).html, 'user_name')).toBe(
        'user_good',
      );
      expect(addressOf(await visitor.press('approve', { userName })).searchParams.has('code')).toBe(
        true,
      );
    }
  });

  it('continues after kill -9 at every point', async () => {
    const { context, start } = await customer.startRedirect();
    const visitor = visitOAuthBank();
    await visitor.open(start.authorizeUrl);
    const restart = async () => {
      const { ports } = bank;
      await bank.kill();
      bank = await startSandboxBank({ databaseUrl: database.url, ports });
    };
    await restart();
    const back = addressOf(await visitor.press('approve'));
    await restart();
    const outcome = await customer.complete(context, start.state, back.href);
    await restart();
    expect(await accountsOf(outcome)).toEqual(ALL);
  });

  it('keeps codes and tokens out of its tables and its log', async () => {
    const { context, start } = await customer.startRedirect();
    const back = new URL(await signInAtOAuthBank(start.authorizeUrl));
    const outcome = await customer.complete(context, start.state, back.href);
    const { access_token: token } = JSON.parse(
      new TextDecoder().decode(customer.accessOf(outcome).credential),
    ) as { access_token: string };
    const code = back.searchParams.get('code') ?? '';
    const client = new pg.Client(database.url);
    await client.connect();
    const { rows } = await client.query(
      'select o::text from sandbox_bank.oauth_record o union all select t::text from sandbox_bank.access_token t',
    );
    await client.end();
    expect(rows.length).toBeGreaterThan(10);
    for (const secret of [code, token]) {
      expect(secret.length).toBeGreaterThan(20);
      expect(JSON.stringify(rows)).not.toContain(secret);
      expect(bank.output()).not.toContain(secret);
    }
  });

  it('is reached at one address and known to browsers by another', async () => {
    const gate = await openTcpGate({ host: '127.0.0.1', port: bank.ports.controlPort });
    const inside = bankCustomer(
      createSandboxProvider({ ...connectionTo(bank), baseUrl: `http://127.0.0.1:${gate.port}` }),
      BANK,
    );
    const { context, start } = await inside.startRedirect();
    expect(new URL(start.authorizeUrl).origin).toBe(bank.url);
    const back = await signInAtOAuthBank(start.authorizeUrl);
    gate.set('cut');
    await expect(inside.complete(context, start.state, back)).rejects.toMatchObject(
      refusal('institution_down'),
    );
    gate.set('open');
    expect(await inside.complete(context, start.state, back)).toMatchObject({ kind: 'linked' });
    await gate.close();
  });
});
