import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair } from 'jose';
import { createFdxBank } from '../../../simulators/vendors/fdx/create-fdx-bank.js';
import type { FdxBank } from '../../../simulators/vendors/fdx/fdx-bank.types.js';
import { Ledger } from '../../../simulators/vendors/ledger/ledger.js';
import { createFdxClient } from '../../support/actors/fdx-client.js';

describe('An FDX authorization server', () => {
  let bank: FdxBank;
  const clientOf = (institution: string, of = bank) => createFdxClient(of, institution);

  beforeAll(async () => {
    bank = await createFdxBank({ ledger: new Ledger() });
  });
  afterAll(() => bank.close());

  it('completes a FAPI 2.0 login with PAR, PKCE, private_key_jwt and DPoP', async () => {
    const client = await clientOf('first-fdx');
    const { address, returned, checks } = await client.authorize();
    expect([...address.searchParams.keys()].sort()).toEqual(['client_id', 'request_uri']);
    expect(returned.searchParams.get('iss')).toBe(client.trial.issuer);
    const tokens = await client.redeem(returned, checks);
    expect(tokens).toMatchObject({ token_type: 'dpop', expires_in: 300 });
    expect(tokens.claims()).toMatchObject({ sub: 'trial', iss: client.trial.issuer });
    expect((await client.get(tokens.access_token, '/accounts')).status).toBe(200);
  });

  // OpenID Connect Core 11.
  it.each([
    ['openid offline_access fdx:accountbasic:read', 'consent', expect.any(String)],
    ['openid offline_access fdx:accountbasic:read', null, undefined],
    ['openid offline_access fdx:accountbasic:read', 'login', undefined],
    ['openid fdx:accountbasic:read', 'consent', undefined],
  ])(
    'issues a refresh token only for offline_access with prompt=consent: %s, %s',
    async (scope, prompt, refreshToken) => {
      for (const institution of ['first-fdx', 'plain-fdx']) {
        const tokens = await (await clientOf(institution)).logIn({ scope, prompt });
        expect(tokens.refresh_token).toEqual(refreshToken);
      }
    },
  );

  it.each(['meridian-fdx', 'plain-fdx', 'mtls-fdx', 'wealth-fdx'])(
    'completes a login at %s',
    async (institution) => {
      const client = await clientOf(institution);
      const { access_token: token } = await client.logIn();
      expect((await client.get(token, '/customers/current')).json.customerId).toBe('trial');
    },
  );

  it('publishes in its metadata the features of each institution', async () => {
    const offered = async (institution: string) => {
      const metadata = (await clientOf(institution)).config.serverMetadata();
      return {
        par: metadata.pushed_authorization_request_endpoint !== undefined,
        isParRequired: metadata.require_pushed_authorization_requests ?? false,
        dpop: metadata.dpop_signing_alg_values_supported !== undefined,
        revocation: metadata.revocation_endpoint !== undefined,
        authentication: metadata.token_endpoint_auth_methods_supported,
      };
    };
    expect(await offered('first-fdx')).toEqual({
      par: true,
      isParRequired: true,
      dpop: true,
      revocation: true,
      authentication: ['private_key_jwt'],
    });
    expect(await offered('plain-fdx')).toEqual({
      par: false,
      isParRequired: false,
      dpop: false,
      revocation: false,
      authentication: ['client_secret_basic'],
    });
    expect(await offered('mtls-fdx')).toEqual({
      par: true,
      isParRequired: false,
      dpop: false,
      revocation: true,
      authentication: ['tls_client_auth'],
    });
  });

  it('refuses a request that was not pushed where PAR is required', async () => {
    const client = await clientOf('first-fdx');
    const returned = await client.openPlainly();
    expect(returned.searchParams.get('error')).toBe('invalid_request');
  });

  it('accepts a request that was not pushed where PAR is optional', async () => {
    const returned = await (await clientOf('wealth-fdx')).openPlainly();
    expect(returned.searchParams.get('code')).toEqual(expect.any(String));
  });

  it('refuses a request without PKCE', async () => {
    const client = await clientOf('plain-fdx');
    const returned = await client.openPlainly({ code_challenge: '' });
    expect(returned.searchParams.get('error')).toBe('invalid_request');
    expect(returned.searchParams.get('iss')).toBe(client.trial.issuer);
  });

  it.each([
    ['on the consent page', {}],
    ['on the sign-in page', { cancelsSignIn: true }],
  ])('returns access_denied to a customer who refuses %s', async (_, how) => {
    const client = await clientOf('first-fdx');
    const { returned } = await client.authorize({ decision: 'deny', ...how });
    expect(returned.searchParams.get('error')).toBe('access_denied');
    expect(returned.searchParams.has('code')).toBe(false);
  });

  it.each([
    ['a wrong password', { password: 'guess' }],
    ['an unknown user', { userName: 'nemo' }],
  ])('keeps a customer with %s on the sign-in page', async (_, login) => {
    const client = await clientOf('first-fdx');
    await expect(client.authorize(login)).rejects.toThrow(
      /^The bank shows \(422\): .*User name or password is not right/,
    );
  });

  it('requests an account when the customer chose none', async () => {
    const client = await clientOf('first-fdx');
    await expect(client.authorize({ accountIds: [] })).rejects.toThrow(
      /Choose at least one account/,
    );
  });

  it('lets a customer without accounts through with an empty list', async () => {
    const client = await clientOf('first-fdx');
    const { access_token: token } = await client.logIn({ userName: 'empty' });
    expect((await client.get(token, '/accounts')).json.accounts).toEqual([]);
  });

  it('shares only the accounts that the customer chose', async () => {
    const client = await clientOf('first-fdx');
    const { access_token: token } = await client.logIn({ accountIds: ['trial-harbour-2'] });
    const { json } = await client.get(token, '/accounts');
    expect(json.accounts.map(({ accountId }: { accountId: string }) => accountId)).toEqual([
      'trial-harbour-2',
    ]);
    expect((await client.get(token, '/accounts/trial-harbour-1')).json.code).toBe(701);
  });

  it('redeems a code once, and a second use revokes the tokens of the first one', async () => {
    const client = await clientOf('plain-fdx');
    const { returned, checks } = await client.authorize();
    const tokens = await client.redeem(returned, checks);
    await expect(client.redeem(returned, checks)).rejects.toMatchObject({ error: 'invalid_grant' });
    expect((await client.get(tokens.access_token, '/accounts')).status).toBe(401);
  });

  it('names its issuer in the redirect, so that a client refuses that of another', async () => {
    const client = await clientOf('first-fdx');
    const { returned, checks } = await client.authorize();
    returned.searchParams.set('iss', `${bank.url}/plain-fdx`);
    await expect(client.redeem(returned, checks)).rejects.toMatchObject({
      cause: { message: expect.stringContaining('"iss"') },
    });
  });

  it('refuses a redirect address until it is registered', async () => {
    const other = await createFdxBank({ ledger: new Ledger() });
    try {
      const client = await clientOf('first-fdx', other);
      const redirectUri = 'https://tributary.example/connect/oauth/callback';
      await expect(client.authorize({ redirectUri })).rejects.toMatchObject({
        error: 'invalid_request',
        error_description: expect.stringContaining('redirect_uri'),
      });
      other.registerClient({ redirectUris: [redirectUri] }, 'first-fdx');
      const { returned } = await client.authorize({ redirectUri });
      expect(returned.origin).toBe('https://tributary.example');
    } finally {
      await other.close();
    }
  });

  it('refuses a client with another key, and finds the keys that the client publishes', async () => {
    const keys = await generateKeyPair('ES256', { extractable: true });
    const publicKey = { ...(await exportJWK(keys.publicKey)), kid: 'published', alg: 'ES256' };
    const publisher = createServer((_, response) =>
      response
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify({ keys: [publicKey] })),
    );
    await new Promise<void>((resolve) => publisher.listen(0, '127.0.0.1', resolve));
    const other = await createFdxBank({ ledger: new Ledger() });
    try {
      other.trial.clientKey = { ...(await exportJWK(keys.privateKey)), kid: 'published' };
      const client = await clientOf('first-fdx', other);
      await expect(client.logIn()).rejects.toMatchObject({ error: 'invalid_client' });
      const { port } = publisher.address() as AddressInfo;
      other.registerClient({ jwksUri: `http://127.0.0.1:${port}/keys` });
      expect((await client.logIn()).access_token).toEqual(expect.any(String));
    } finally {
      publisher.close();
      await other.close();
    }
  });
});
