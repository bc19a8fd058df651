import { createFdxBank } from '../../../simulators/vendors/fdx/create-fdx-bank.js';
import type { FdxBank } from '../../../simulators/vendors/fdx/fdx-bank.types.js';
import { signInAtFdxBank } from '../../../simulators/vendors/fdx/sign-in-at-fdx-bank.js';
import { Ledger } from '../../../simulators/vendors/ledger/ledger.js';
import { createFdxProvider } from '../../../providers/fdx/fdx-adapter.js';
import type { LoginContext, Provider } from '../../../providers/contract/provider.js';
import {
  fdxConfiguration,
  linkAtFdx,
  pinnedFdxConfiguration,
  startFdxRedirect,
  withEndedToken,
} from '../../support/fixtures/fdx-bank-configuration.js';
import {
  accessWith,
  loginContext,
  redirectRequest,
} from '../../support/fixtures/provider-calls.js';
import { testSimulator } from '../../support/services/vendor-simulators.js';

describe('A login at a bank that supports FDX', () => {
  let bank: FdxBank;
  let provider: Provider;
  beforeAll(async () => {
    bank = await createFdxBank({ ledger: new Ledger() });
    provider = createFdxProvider(await pinnedFdxConfiguration(bank));
  });
  afterAll(() => bank.close());

  const context = loginContext({ remoteId: 'first-fdx' });
  const complete = async (state: Uint8Array, returned: URL, at: LoginContext = context) =>
    provider.completeRedirect?.(at, state, returned.href);

  it('pushes its request, so that the address reveals nothing of it', async () => {
    const { authorizeUrl, issuer } = await startFdxRedirect(provider, context);
    expect([...new URL(authorizeUrl).searchParams.keys()].sort()).toEqual([
      'client_id',
      'request_uri',
    ]);
    expect(issuer).toBe(`${bank.url}/first-fdx`);
  });

  it('sends the request in the address where the bank accepts no other form', async () => {
    const { authorizeUrl } = await startFdxRedirect(provider, {
      ...context,
      remoteId: 'plain-fdx',
    });
    const { searchParams } = new URL(authorizeUrl);
    expect(searchParams.get('code_challenge_method')).toBe('S256');
    expect(searchParams.get('scope')?.split(' ')).toContain('fdx:transactions:read');
  });

  it('makes no call without pinned metadata: no start, no completion, no renewal and no revocation', async () => {
    const unpinned = createFdxProvider(fdxConfiguration(bank));
    const start = await startFdxRedirect(provider, context);
    const returned = await signInAtFdxBank(start.authorizeUrl);
    const linked = await linkAtFdx(provider, context);
    const access = accessWith(linked, 'first-fdx');
    const over = accessWith(
      { ...linked, credential: withEndedToken(linked.credential) },
      'first-fdx',
    );
    const before = (await testSimulator(bank).requests()).length;
    for (const call of [
      () => startFdxRedirect(unpinned, context),
      () => unpinned.completeRedirect?.(context, start.state, returned.href),
      () => unpinned.fetchAccounts(over),
      () => unpinned.revoke?.(access),
    ])
      await expect(call()).rejects.toMatchObject({
        providerCause: 'provider_down',
        message: expect.stringContaining('are not pinned: providers check pins them') as string,
      });
    expect(await testSimulator(bank).requests()).toHaveLength(before);
  });

  it('calls only the pinned addresses', async () => {
    const before = (await testSimulator(bank).requests()).length;
    await startFdxRedirect(provider, context);
    const paths = (await testSimulator(bank).requests()).slice(before).map(({ path }) => path);
    expect(paths).toEqual(['/first-fdx/request']);
  });

  it('fails with user_denied when the customer refuses', async () => {
    const start = await startFdxRedirect(provider, context);
    const returned = await signInAtFdxBank(start.authorizeUrl, { decision: 'deny' });
    await expect(complete(start.state, returned)).rejects.toMatchObject({
      providerCause: 'user_denied',
    });
  });

  it('refuses a code that was used before, and creates no second permission', async () => {
    const start = await startFdxRedirect(provider, context);
    const returned = await signInAtFdxBank(start.authorizeUrl);
    await complete(start.state, returned);
    await expect(complete(start.state, returned)).rejects.toMatchObject({
      providerCause: 'invalid_credentials',
    });
  });

  it.each([
    ['the state of another login', { state: 'another' }],
    ['no state', { state: null }],
    ['the issuer of another bank', { iss: 'https://attacker.example' }],
    ['no issuer, although this bank sends one', { iss: null }],
    ['neither a code nor an error', { code: null }],
  ])('refuses a return with %s, without redeeming the code', async (_, changes) => {
    const start = await startFdxRedirect(provider, context);
    const returned = await signInAtFdxBank(start.authorizeUrl);
    const changed = new URL(returned);
    for (const [name, value] of Object.entries(changes))
      if (value === null) changed.searchParams.delete(name);
      else changed.searchParams.set(name, value);
    await expect(complete(start.state, changed)).rejects.toMatchObject({
      name: 'ProviderFailure',
      providerCause: 'malformed',
    });
    // The code still works, because it was not sent anywhere.
    expect(await complete(start.state, returned)).toMatchObject({ kind: 'linked' });
  });

  it('refuses a return of one bank in the login of another (mix-up)', async () => {
    const other = { ...context, remoteId: 'wealth-fdx' };
    const start = await startFdxRedirect(provider, context);
    const elsewhere = await startFdxRedirect(provider, other);
    const returned = await signInAtFdxBank(elsewhere.authorizeUrl);
    returned.searchParams.set('state', await stateOf(start.state));
    await expect(complete(start.state, returned)).rejects.toMatchObject({
      providerCause: 'malformed',
    });
  });

  const stateOf = (sealed: Uint8Array): Promise<string> =>
    Promise.resolve((JSON.parse(new TextDecoder().decode(sealed)) as { state: string }).state);

  it('reports that the redirect address may not be registered when the bank refuses the request', async () => {
    const redirect = redirectRequest('https://elsewhere.example/callback');
    const started = provider.startRedirect?.(context, redirect);
    await expect(started).rejects.toMatchObject({
      providerCause: 'internal',
      message: expect.stringContaining('redirect'),
    });
  });

  it('ends with a permission that can be renewed, and reports when the bank issues no refresh token', async () => {
    const at = { ...context, remoteId: 'wealth-fdx' };
    const refreshTokenOf = ({ credential }: { credential: Uint8Array }) =>
      (JSON.parse(new TextDecoder().decode(credential)) as { refresh_token: string | null })
        .refresh_token;
    const renewable = await linkAtFdx(provider, at);
    expect(renewable.isRenewable).toBe(true);
    expect(refreshTokenOf(renewable)).toEqual(expect.any(String));

    bank.registerClient({ mayRenew: false }, 'wealth-fdx');
    const single = await linkAtFdx(provider, at);
    expect(single.isRenewable).toBe(false);
    expect(refreshTokenOf(single)).toBeNull();
    expect((await provider.fetchAccounts(accessWith(single, 'wealth-fdx'))).accounts).not.toEqual(
      [],
    );
    bank.registerClient({ mayRenew: true }, 'wealth-fdx');
  });

  it('requests consent exactly where it requests a refresh token', async () => {
    const promptOf = async (scopes?: string[]) => {
      const changes = scopes === undefined ? {} : { institution: { scopes } };
      const asking = createFdxProvider(await pinnedFdxConfiguration(bank, changes));
      const { authorizeUrl } = await startFdxRedirect(asking, {
        ...context,
        remoteId: 'plain-fdx',
      });
      return new URL(authorizeUrl).searchParams.get('prompt');
    };
    expect(await promptOf()).toBe('consent');
    expect(await promptOf(['openid'])).toBeNull();
    const once = createFdxProvider(
      await pinnedFdxConfiguration(bank, { institution: { scopes: ['openid'] } }),
    );
    // It was not requested, so its absence causes no warning.
    expect(await linkAtFdx(once, { ...context, remoteId: 'plain-fdx' })).not.toHaveProperty(
      'isRenewable',
    );
  });

  it('binds the tokens to a key of each permission where the configuration requires it', async () => {
    const keyOf = async (remoteId: string) => {
      const { credential } = await linkAtFdx(provider, { ...context, remoteId });
      return (
        JSON.parse(new TextDecoder().decode(credential)) as { dpop_key: { d?: string } | null }
      ).dpop_key?.d;
    };
    const [first, second, plain] = [
      await keyOf('first-fdx'),
      await keyOf('first-fdx'),
      await keyOf('plain-fdx'),
    ];
    expect(first).toEqual(expect.any(String));
    expect(second).not.toBe(first);
    expect(plain).toBeUndefined();
  });

  it('keeps the permission at a bank that cannot revoke, and ends it at one that can', async () => {
    const linkAt = async (remoteId: string) =>
      accessWith(await linkAtFdx(provider, { ...context, remoteId }), remoteId);
    const [plain, first] = [await linkAt('plain-fdx'), await linkAt('first-fdx')];
    expect(await provider.revoke?.(plain)).toBe('not_offered');
    expect(await provider.revoke?.(first)).toBe('revoked');
    expect((await provider.fetchAccounts(plain)).accounts).not.toHaveLength(0);
    await expect(provider.fetchAccounts(first)).rejects.toMatchObject({
      providerCause: 'consent_expired',
    });
  });
});
