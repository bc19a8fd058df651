import { createFdxBank } from '../../../simulators/vendors/fdx/create-fdx-bank.js';
import type { FdxBank } from '../../../simulators/vendors/fdx/fdx-bank.types.js';
import { Ledger } from '../../../simulators/vendors/ledger/ledger.js';
import { createFdxProvider } from '../../../providers/fdx/fdx-adapter.js';
import type {
  LinkedOutcome,
  Provider,
  ProviderAccess,
} from '../../../providers/contract/provider.js';
import {
  linkAtFdx,
  pinnedFdxConfiguration,
  withEndedToken,
} from '../../support/fixtures/fdx-bank-configuration.js';
import { accessWith, loginContext } from '../../support/fixtures/provider-calls.js';
import { eventually } from '../../support/assertions/eventually.js';
import { testSimulator } from '../../support/services/vendor-simulators.js';

describe('The renewal of an FDX permission', () => {
  let bank: FdxBank;
  let provider: Provider;
  beforeAll(async () => {
    bank = await createFdxBank({ ledger: new Ledger() });
    provider = createFdxProvider(await pinnedFdxConfiguration(bank));
  });
  afterAll(() => bank.close());

  const link = (remoteId = 'first-fdx') => linkAtFdx(provider, loginContext({ remoteId }));

  /**
   * Renewals one after another for all callers, each of which holds the credential that it read.
   */
  function callersOf({ credential, reference }: LinkedOutcome, remoteId = 'first-fdx') {
    const stored = { credential };
    let turn: Promise<unknown> = Promise.resolve();
    const renewCredential: ProviderAccess['renewCredential'] = (exchange) => {
      const renewed = turn.then(
        async () =>
          (stored.credential = await exchange(stored.credential, AbortSignal.timeout(10_000))),
      );
      turn = renewed.catch(() => undefined);
      return renewed;
    };
    const caller = (): ProviderAccess => ({
      ...accessWith({ credential: stored.credential, reference }, remoteId),
      renewCredential,
      signal: new AbortController().signal,
    });
    return { caller, stored };
  }

  async function tokenRequests(run: () => Promise<unknown>, remoteId = 'first-fdx') {
    const count = async () =>
      (await testSimulator(bank).requests()).filter(({ path }) => path === `/${remoteId}/token`)
        .length;
    const before = await count();
    await run();
    return (await count()) - before;
  }

  it.each(['first-fdx', 'wealth-fdx'])(
    'is one refresh for 20 fetches at once at %s, and loses no permission',
    async (remoteId) => {
      const { caller } = callersOf(await link(remoteId), remoteId);
      const callers = Array.from({ length: 20 }, caller);
      bank.endAccessTokens();
      const refreshes = await tokenRequests(
        () => Promise.all(callers.map((access) => provider.fetchAccounts(access))),
        remoteId,
      );
      expect(refreshes).toBe(1);
      bank.endAccessTokens();
      await provider.fetchAccounts(caller());
    },
  );

  it('happens before a call when the token has expired by our own clock', async () => {
    const linked = await link();
    const { caller, stored } = callersOf({
      ...linked,
      credential: withEndedToken(linked.credential),
    });
    expect(await tokenRequests(() => provider.fetchAccounts(caller()))).toBe(1);
    expect(await tokenRequests(() => provider.fetchAccounts(caller()))).toBe(0);
    expect(stored.credential).not.toEqual(linked.credential);
  });

  it('keeps a refresh token that does not rotate, and the key to which tokens are bound', async () => {
    const held = (credential: Uint8Array) =>
      JSON.parse(new TextDecoder().decode(credential)) as Record<string, unknown>;
    for (const [remoteId, same] of [
      ['plain-fdx', 'refresh_token'],
      ['first-fdx', 'dpop_key'],
    ] as const) {
      const linked = await link(remoteId);
      const { caller, stored } = callersOf(linked, remoteId);
      bank.endAccessTokens();
      await provider.fetchAccounts(caller());
      const [before, after] = [held(linked.credential), held(stored.credential)];
      expect(after[same]).toEqual(before[same]);
      expect(after['access_token']).not.toEqual(before['access_token']);
    }
  });

  it('ends as consent_expired when the response of a rotating bank was lost', async () => {
    const { caller } = callersOf(await link());
    bank.endAccessTokens();
    bank.loseTokenResponses('first-fdx', 1);
    await expect(provider.fetchAccounts(caller())).rejects.toMatchObject({
      providerCause: 'provider_down',
    });
    for (let again = 0; again < 3; again += 1) {
      const fetched = tokenRequests(() =>
        expect(provider.fetchAccounts(caller())).rejects.toMatchObject({
          providerCause: 'consent_expired',
        }),
      );
      expect(await fetched).toBe(1);
    }
  });

  it('survives a lost response of a bank whose refresh tokens stay valid', async () => {
    const { caller } = callersOf(await link('plain-fdx'), 'plain-fdx');
    bank.endAccessTokens();
    bank.loseTokenResponses('plain-fdx', 1);
    await expect(provider.fetchAccounts(caller())).rejects.toMatchObject({
      providerCause: 'provider_down',
    });
    expect((await provider.fetchAccounts(caller())).accounts).not.toHaveLength(0);
  });

  it('is finished and stored although the caller no longer waits', async () => {
    const { caller, stored } = callersOf(await link());
    bank.endAccessTokens();
    const [before, controller] = [stored.credential, new AbortController()];
    const { renewCredential } = caller();
    const access: ProviderAccess = {
      ...caller(),
      signal: controller.signal,
      renewCredential: (exchange) =>
        renewCredential((inForce, signal) => {
          const exchanged = exchange(inForce, signal);
          controller.abort(new Error('no longer wanted'));
          return exchanged;
        }),
    };
    await expect(provider.fetchAccounts(access)).rejects.toThrow('no longer wanted');
    await eventually(async () => expect(stored.credential).not.toEqual(before));
    await provider.fetchAccounts(caller());
  });
});
