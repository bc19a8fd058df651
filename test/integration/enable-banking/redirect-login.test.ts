import { remoteIdOf } from '../../../providers/enable-banking/catalog/remote-id.js';
import { createEnableBankingProvider } from '../../../providers/enable-banking/enable-banking-adapter.js';
import type { Provider, ProviderAccess } from '../../../providers/contract/provider.js';
import {
  enableBankingConfiguration,
  enableBankingFor,
  linkAtEnableBanking,
  orderError,
  registerApplication,
  returnFromBank,
  type TestApplication,
} from '../../support/fixtures/enable-banking-application.js';
import {
  accessWith,
  loginContext,
  PRESENT_USER,
  redirectRequest,
} from '../../support/fixtures/provider-calls.js';
import {
  startVendorSimulator,
  type TestSimulator,
} from '../../support/services/vendor-simulators.js';
import { representatives } from '../../support/runner/representatives.js';

const NOW = new Date('2026-11-25T10:00:00Z');
const MERIDIAN = remoteIdOf({ name: 'Meridian Bank', country: 'DE' });
const RIVIERE = remoteIdOf({ name: 'Banque de la Rivière', country: 'FR' });
const context = (remoteId = MERIDIAN) => loginContext({ remoteId });
const failure = (cause: string) => ({ name: 'ProviderFailure', providerCause: cause });

describe('A login through Enable Banking', () => {
  let simulator: TestSimulator;
  let application: TestApplication;
  let provider: Provider;
  beforeAll(async () => {
    simulator = await startVendorSimulator('enable-banking', { now: NOW });
    application = await registerApplication(simulator.url);
    provider = enableBankingFor(application, { now: () => simulator.server.ledger.now() });
  });
  afterAll(() => simulator.close());
  beforeEach(() => simulator.reset());

  const logIn = async (remoteId = MERIDIAN): Promise<ProviderAccess> =>
    accessWith(
      await linkAtEnableBanking(provider, context(remoteId), simulator),
      remoteId,
      PRESENT_USER,
    );
  const complete = (state: Uint8Array, callbackUrl: string) =>
    provider.completeRedirect?.(context(), state, callbackUrl);
  const idsOf = async (access: ProviderAccess) =>
    (await provider.fetchAccounts(access)).accounts.map(({ providerAccountId: id }) => id);
  const pathsOf = async () =>
    (await simulator.requests()).map(({ method, path }) => `${method} ${path}`);

  it('offers the redirect without a call, then sends the user to the bank', async () => {
    expect(await provider.begin(context())).toMatchObject({
      kind: 'step',
      step: { kind: 'redirect', started: false },
    });
    expect(await simulator.requests()).toEqual([]);
    const start = await provider.startRedirect?.(context(), redirectRequest());
    expect(start).toMatchObject({
      kind: 'address',
      returns: 'code_or_error',
      issuer: null,
      expiresAt: new Date('2026-11-25T10:15:00Z'),
    });
    expect(await pathsOf()).toEqual(['GET /aspsps', 'POST /auth']);
  });

  it('reads the accounts under a reference, without another call to the bank', async () => {
    const linked = await linkAtEnableBanking(provider, context(), simulator);
    expect(linked.consent).toBe('ask');
    expect(linked.reference).toMatch(/^[\w-]{36}$/);
    expect((await pathsOf()).at(-1)).toBe('POST /sessions');
  });

  it.each([
    [MERIDIAN, '2027-05-24T09:00:00.000Z'],
    [RIVIERE, '2027-02-23T09:00:00.000Z'],
  ])('at %s requests a permission that ends just before the bound', async (bank, end) => {
    const access = await logIn(bank);
    expect((await provider.fetchPermissionEnd?.(access))?.toISOString()).toBe(end);
  });

  it('of a user who denies access is user_denied', async () => {
    const { state, callbackUrl } = await returnFromBank(provider, context(), {
      ...simulator,
      customer: null,
    });
    await expect(complete(state, callbackUrl)).rejects.toMatchObject(failure('user_denied'));
  });

  it('of a user without accounts is no_accounts', async () => {
    const login = linkAtEnableBanking(provider, context(), { ...simulator, customer: 'empty' });
    await expect(login).rejects.toMatchObject(failure('no_accounts'));
  });

  it.each<[string, () => Promise<unknown>]>([
    [
      'lists no accounts',
      () => linkAtEnableBanking(provider, context(), { ...simulator, customer: 'empty' }),
    ],
    [
      'is one of another bank',
      async () => {
        const mine = await returnFromBank(provider, context(), simulator);
        const foreign = await returnFromBank(provider, context(RIVIERE), simulator);
        const mixed = new URL(mine.callbackUrl);
        mixed.searchParams.set('code', new URL(foreign.callbackUrl).searchParams.get('code') ?? '');
        return complete(mine.state, mixed.href);
      },
    ],
  ])('closes a session that %s, which no one else could close', async (_what, login) => {
    await expect(login()).rejects.toMatchObject({ name: 'ProviderFailure' });
    expect((await pathsOf()).at(-1)).toMatch(/^DELETE \/sessions\/[\w-]+$/);
  });

  it('refuses a replayed return, since its code works only once', async () => {
    const { state, callbackUrl } = await returnFromBank(provider, context(), simulator);
    await complete(state, callbackUrl);
    await expect(complete(state, callbackUrl)).rejects.toMatchObject(
      failure('invalid_credentials'),
    );
  });

  it('refuses the return of another redirect before any call', async () => {
    const mine = await returnFromBank(provider, context(), simulator);
    const foreign = await returnFromBank(provider, context(), simulator);
    const before = await pathsOf();
    await expect(complete(mine.state, foreign.callbackUrl)).rejects.toMatchObject(
      failure('internal'),
    );
    expect(await pathsOf()).toEqual(before);
  });

  it('refuses a code that was issued for another bank', async () => {
    const mine = await returnFromBank(provider, context(), simulator);
    const foreign = await returnFromBank(provider, context(RIVIERE), simulator);
    const mixed = new URL(mine.callbackUrl);
    mixed.searchParams.set('code', new URL(foreign.callbackUrl).searchParams.get('code') ?? '');
    await expect(complete(mine.state, mixed.href)).rejects.toMatchObject(failure('malformed'));
  });

  it('refuses a code of another application, an unknown and a late one', async () => {
    const { state, callbackUrl } = await returnFromBank(provider, context(), simulator);
    const other = enableBankingFor(await registerApplication(simulator.url), { now: () => NOW });
    await expect(other.completeRedirect?.(context(), state, callbackUrl)).rejects.toMatchObject(
      failure('invalid_credentials'),
    );
    const unknown = new URL(callbackUrl);
    unknown.searchParams.set('code', 'unknown');
    await expect(complete(state, unknown.href)).rejects.toMatchObject(
      failure('invalid_credentials'),
    );
    await simulator.advance(11 * 60);
    await expect(complete(state, callbackUrl)).rejects.toMatchObject(failure('consent_expired'));
  });

  it('refuses bytes that it did not write', async () => {
    const { callbackUrl } = await returnFromBank(provider, context(), simulator);
    await expect(complete(new Uint8Array([1, 2]), callbackUrl)).rejects.toMatchObject(
      failure('internal'),
    );
  });

  it.each([
    ['a bank that the vendor does not have', remoteIdOf({ name: 'None', country: 'DE' })],
    ['a bank of another country', remoteIdOf({ name: 'Meridian Bank', country: 'FR' })],
    ['no bank at all', 'no-such-institution'],
  ])('at %s is not_supported', async (_what, remoteId) => {
    const start = provider.startRedirect?.(context(remoteId), redirectRequest());
    await expect(start).rejects.toMatchObject(failure('not_supported'));
  });

  it('at a bank without accounts of the requested kind is not_supported', async () => {
    const business = createEnableBankingProvider(
      enableBankingConfiguration(application, { psuTypes: ['business'] }),
    );
    const start = business.startRedirect?.(context(), redirectRequest());
    await expect(start).rejects.toMatchObject(failure('not_supported'));
    const pages = business.listInstitutions?.({
      countries: ['DE'],
      note: () => undefined,
      signal: new AbortController().signal,
    });
    for await (const page of pages ?? []) expect(page).toEqual([]);
  });

  it.each([
    ['/auth', 'ASPSP_ERROR', 'institution_down'],
    ['/auth', 'ASPSP_TIMEOUT', 'institution_timeout'],
    ['/auth', 'REDIRECT_URI_NOT_ALLOWED', 'internal'],
    ['/aspsps', 'ACCESS_DENIED', 'internal'],
    ['/sessions', 'WRONG_CREDENTIALS_PROVIDED', 'invalid_credentials'],
    ['/sessions', 'NO_ACCOUNTS_ADDED', 'no_accounts'],
    ['/sessions', 'ASPSP_PSU_ACTION_REQUIRED', 'user_action_required'],
  ])('that ends at %s with %s is %s', async (path, code, cause) => {
    await orderError(simulator.url, code, path);
    const login = linkAtEnableBanking(provider, context(), simulator);
    await expect(login).rejects.toMatchObject(failure(cause));
  });

  const misbehaviors = [
    ['refuse', 'provider_down'],
    ['status_500', 'provider_down'],
    ['status_429', 'rate_limited'],
    ['html_403', 'provider_down'],
    ['broken_json', 'malformed'],
    ['wrong_shape', 'malformed'],
    ['redirect', 'malformed'],
    ['huge', 'malformed'],
  ];
  const ofCalls = ['/aspsps', '/auth', '/sessions'].flatMap((path) =>
    misbehaviors.map(([name = '', cause = '']) => [path, name, cause] as const),
  );
  // One client reads every response: each misbehavior once, and each call with two of them.
  const CALLED = ['status_500', 'broken_json'];
  const failing = representatives(
    ofCalls,
    ([path, name]) => path === '/sessions' || CALLED.includes(name),
  );
  const some = representatives(misbehaviors, ([name = '']) => CALLED.includes(name));
  const isUnreadableList = ([path, , cause]: (typeof failing)[number]) =>
    path === '/aspsps' && cause === 'malformed';
  it.each(failing.filter(isUnreadableList))(
    'succeeds although the list of banks cannot be read: %s returns %s',
    async (path, name) => {
      await simulator.script(name, { path });
      const linked = await linkAtEnableBanking(provider, context(), simulator);
      const access = accessWith(linked, MERIDIAN, PRESENT_USER);
      expect(await idsOf(access)).toHaveLength(3);
    },
  );

  it.each(failing.filter((each) => !isUnreadableList(each)))(
    'fails when %s returns %s: %s',
    async (path, name, cause) => {
      await simulator.script(name, { path });
      const login = linkAtEnableBanking(provider, context(), simulator);
      await expect(login).rejects.toMatchObject(failure(cause));
    },
  );

  it('keeps the account ids when it repairs a link, and the old permission is released separately', async () => {
    const old = await logIn();
    const renewed = await logIn();
    expect(renewed.reference).not.toBe(old.reference);
    expect(await idsOf(renewed)).toEqual(await idsOf(old));
    await provider.revoke?.(old);
    await expect(idsOf(old)).rejects.toMatchObject(failure('consent_expired'));
    expect(await idsOf(renewed)).toHaveLength(3);
  });

  it.each(some)('leaves a revocation open when the response is %s', async (name, cause) => {
    const access = await logIn();
    await simulator.script(name ?? '', { path: '/sessions/*', method: 'DELETE' });
    await expect(provider.revoke?.(access)).rejects.toMatchObject(failure(cause ?? ''));
    expect(await idsOf(access)).toHaveLength(3);
    await provider.revoke?.(access);
    await expect(idsOf(access)).rejects.toMatchObject(failure('consent_expired'));
  });

  it.each(some)('rejects a list of institutions when the response is %s', async (name, cause) => {
    await simulator.script(name ?? '', { path: '/aspsps', times: 2 });
    const list = async () => {
      const signal = new AbortController().signal;
      const request = { countries: ['FR', 'DE'], note: () => undefined, signal };
      const pages = provider.listInstitutions?.(request);
      for await (const page of pages ?? []) expect(page).not.toHaveLength(0);
    };
    await expect(list()).rejects.toMatchObject(failure(cause ?? ''));
  });
});
