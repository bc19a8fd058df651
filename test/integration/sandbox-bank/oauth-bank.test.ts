import {
  accountsOnPage,
  valueOf,
  visitOAuthBank,
} from '../../support/actors/oauth-bank-visitor.js';
import { refusal } from './bank-customer.js';
import {
  accountsOf,
  addressOf,
  ALL,
  bank,
  customer,
  pageOf,
  provider,
  startOAuthBank,
} from './support/oauth-bank-stage.js';

startOAuthBank();

describe('OAuth Bank', () => {
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
});
