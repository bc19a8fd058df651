import { randomUUID } from 'node:crypto';
import { FIRST_PRODUCTS, PRODUCTS, type Product } from '../../../domain/link/products.js';
import type {
  FaultKind,
  FaultOperation,
  NewSandboxFault,
} from '../../../domain/sandbox/sandbox-fault.js';
import type {
  ProviderAccess,
  SandboxControls,
  SourceFault,
} from '../../../providers/contract/provider.js';
import {
  createSandboxProvider,
  type SandboxProvider,
} from '../../../providers/sandbox/sandbox-provider.js';
import { createTestDatabase } from '../../support/services/embedded-services.js';
import { openSandboxBank, connectionTo, type TestSandboxBank } from './support/sandbox-bank.js';
import { bankCustomer, refusal, rowsOf } from './bank-customer.js';

const BANK = 'sandbox-credentials-bank';
const WINDOW = { from: '2025-12-03', to: '2026-03-02' };
const NOW = new Date('2026-03-02T10:00:00Z');
const signal = new AbortController().signal;

/**
 * The effect of each kind on a login and on a fetch; null means none. Source: link-lifecycle 14.
 */
const CAUSES: readonly [FaultKind, string | null, string | null][] = [
  ['slow', null, null],
  ['timeout', 'institution_timeout', 'institution_timeout'],
  ['server_error', 'institution_down', 'institution_down'],
  ['rate_limited', 'rate_limited', 'rate_limited'],
  ['provider_down', 'provider_down', 'provider_down'],
  ['malformed', 'malformed', 'malformed'],
  ['auth_expired', 'consent_expired', 'consent_expired'],
  ['not_supported', null, 'not_supported'],
  ['no_permission', 'no_permission', 'no_permission'],
  ['no_accounts', 'no_accounts', 'no_accounts'],
];

describe('Faults of the sandbox banks', () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let bank: TestSandboxBank;
  let provider: SandboxProvider;
  let controls: SandboxControls;
  /** A world for each test. */
  let world: { worldId: string; worldSeed: string; worldTime: Date };

  beforeAll(async () => {
    database = await createTestDatabase();
    bank = await openSandboxBank({ databaseUrl: database.url });
    provider = createSandboxProvider(connectionTo(bank));
    if (provider.sandbox === undefined) throw new Error('the sandbox provider has no controls');
    controls = provider.sandbox;
  });
  afterAll(async () => {
    await bank.stop();
    await database.drop();
  });
  beforeEach(() => {
    world = { worldId: `wld_${randomUUID()}`, worldSeed: '7', worldTime: NOW };
  });

  const place = (remoteId = BANK) => ({ remoteId, ...world, signal });
  const fault = (operation: FaultOperation, kind: FaultKind, more: Partial<NewSandboxFault> = {}) =>
    controls.createFault(place(), {
      faultId: `flt_${randomUUID()}`,
      operation,
      kind,
      count: 1,
      delaySeconds: kind === 'slow' ? 1 : 0,
      retryAfterSeconds: kind === 'rate_limited' ? 60 : null,
      ...more,
    });
  const logIn = (requestedProducts: readonly Product[] = FIRST_PRODUCTS) =>
    bankCustomer(provider, BANK).logIn('user_good', [], { ...world, requestedProducts });
  const linked = async (products?: readonly Product[]): Promise<ProviderAccess> => ({
    ...bankCustomer(provider, BANK).accessOf(await logIn(products)),
    worldTime: NOW,
  });
  const listed = async () =>
    (await controls.listFaults(place())).map(({ faultId, remaining }) => ({ faultId, remaining }));

  it.each(CAUSES)('%s means %s to a login', async (kind, cause) => {
    await fault('login', kind);
    if (cause !== null) await expect(logIn()).rejects.toMatchObject(refusal(cause));
    expect(await logIn()).toMatchObject({ kind: 'linked' });
  });

  it.each(CAUSES)('%s means %s to a login and %s to a fetch', async (kind, _login, cause) => {
    const access = await linked();
    await fault('transactions', kind);
    if (cause === null) expect(await rowsOf(provider, access, WINDOW)).toHaveLength(60);
    else await expect(rowsOf(provider, access, WINDOW)).rejects.toMatchObject(refusal(cause));
    expect(await rowsOf(provider, access, WINDOW)).toHaveLength(60);
    expect((await provider.fetchAccounts(access)).accounts).toHaveLength(3);
  });

  it('report when to retry', async () => {
    const access = await linked();
    await fault('accounts', 'rate_limited', { retryAfterSeconds: 17 });
    await expect(provider.fetchAccounts(access)).rejects.toMatchObject({ retryAfterSeconds: 17 });
  });

  /** One fetch of each product with a permission of all, and the amount of data it returns. */
  const FETCHES: Readonly<
    Record<
      Product,
      { fetch: (access: ProviderAccess) => Promise<unknown[] | undefined>; brings: number }
    >
  > = {
    accounts: {
      fetch: async (access) => (await provider.fetchAccounts(access)).accounts,
      brings: 8,
    },
    account_numbers: { fetch: async (access) => provider.fetchAccountNumbers?.(access), brings: 2 },
    identity: { fetch: async (access) => provider.fetchIdentity?.(access), brings: 8 },
    transactions: { fetch: (access) => rowsOf(provider, access, WINDOW), brings: 60 },
    investments: {
      fetch: async (access) => (await provider.fetchHoldings?.(access))?.accounts.slice(),
      brings: 3,
    },
    liabilities: { fetch: async (access) => provider.fetchLiabilities?.(access), brings: 3 },
  };

  it.each(PRODUCTS)(
    'of %s are consumed by fetches, not by the retries of one fetch',
    async (product) => {
      const access = await linked(PRODUCTS);
      const made = await fault(product, 'server_error', { count: 2 });
      const fetch = (fetchKey: string) => FETCHES[product].fetch({ ...access, fetchKey });
      for (const _try of [1, 2, 3])
        await expect(fetch('first')).rejects.toMatchObject(refusal('institution_down'));
      expect(await listed()).toEqual([{ faultId: made.faultId, remaining: 1 }]);
      await expect(fetch('second')).rejects.toMatchObject(refusal('institution_down'));
      expect(await listed()).toEqual([]);
      await expect(fetch('second')).rejects.toMatchObject(refusal('institution_down'));
      expect(await fetch('third')).toHaveLength(FETCHES[product].brings);
    },
  );

  it.each(PRODUCTS)('end a permission by the time of its world: %s', async (product) => {
    const access = bankCustomer(provider, BANK).accessOf(
      await bankCustomer(provider, BANK).logIn('auth_expires', [], {
        ...world,
        requestedProducts: PRODUCTS,
      }),
    );
    const at = (hours: number) =>
      FETCHES[product].fetch({
        ...access,
        worldTime: new Date(NOW.getTime() + hours * 3_600_000),
      });
    expect(await at(23)).toHaveLength(FETCHES[product].brings);
    await expect(at(24)).rejects.toMatchObject(refusal('consent_expired'));
  });

  it('unreadable_holding costs one holding and makes its account incomplete', async () => {
    const notes: SourceFault[] = [];
    const access = await linked(PRODUCTS);
    access.note = (noted) => void notes.push(noted);
    const complete = await provider.fetchHoldings?.(access);
    await fault('investments', 'unreadable_holding');
    const fetchKey = 'untidy';
    expect(await provider.fetchHoldings?.({ ...access, fetchKey })).toEqual({
      ...complete,
      holdings: complete?.holdings.slice(1),
    });
    const [account] = complete?.accounts ?? [];
    expect(notes).toMatchObject([
      { scope: 'row', account: account?.providerAccountId, field: 'quantity' },
    ]);
  });

  it('unreadable_liability costs one debt and makes its account incomplete', async () => {
    const notes: SourceFault[] = [];
    const access = await linked(PRODUCTS);
    access.note = (noted) => void notes.push(noted);
    const complete = await provider.fetchLiabilities?.(access);
    await fault('liabilities', 'unreadable_liability');
    expect(await provider.fetchLiabilities?.(access)).toEqual(complete?.slice(0, -1));
    expect(notes).toMatchObject([
      { scope: 'row', account: complete?.at(-1)?.providerAccountId, field: 'currency' },
    ]);
  });

  it.each(['investments', 'liabilities'] as const)(
    'are not needed for a permission without %s, which is refused',
    async (product) => {
      await expect(FETCHES[product].fetch(await linked())).rejects.toMatchObject(
        refusal('no_permission'),
      );
    },
  );

  it('last until they are removed when they have no count', async () => {
    const access = await linked();
    const made = await fault('accounts', 'timeout', { count: null });
    for (const fetchKey of ['a', 'b', 'c'])
      await expect(provider.fetchAccounts({ ...access, fetchKey })).rejects.toMatchObject(
        refusal('institution_timeout'),
      );
    expect(await controls.worldOfFault(made.faultId, signal)).toBe(world.worldId);
    await controls.liftFault(made.faultId, signal);
    await controls.liftFault(made.faultId, signal);
    expect(await controls.worldOfFault(made.faultId, signal)).toBeNull();
    expect((await provider.fetchAccounts({ ...access, fetchKey: 'c' })).accounts).toHaveLength(3);
  });

  it('are created once per id and apply in order of creation', async () => {
    const access = await linked();
    const faultId = `flt_${randomUUID()}`;
    await fault('any', 'no_permission', { faultId });
    await fault('any', 'no_permission', { faultId, count: 5 });
    await fault('accounts', 'no_accounts');
    expect(await listed()).toMatchObject([{ faultId, remaining: 1 }, { remaining: 1 }]);
    await expect(provider.fetchAccounts(access)).rejects.toMatchObject(refusal('no_permission'));
    await expect(provider.fetchAccounts(access)).rejects.toMatchObject(refusal('no_accounts'));
    expect((await provider.fetchAccounts(access)).accounts).toHaveLength(3);
  });

  it('stay in their world and at their institution', async () => {
    const access = await linked();
    await fault('any', 'server_error', { count: null });
    const elsewhere = await bankCustomer(provider, BANK).logIn('user_good', [], {
      worldId: 'default',
    });
    expect(
      (await provider.fetchAccounts(bankCustomer(provider, BANK).accessOf(elsewhere))).accounts,
    ).toHaveLength(3);
    expect(
      await provider.begin(bankCustomer(provider, 'sandbox-instant-bank').contextOf(world)),
    ).toMatchObject({ kind: 'linked' });
    expect(await controls.listFaults(place('sandbox-instant-bank'))).toEqual([]);
    await expect(provider.fetchAccounts(access)).rejects.toMatchObject(refusal('institution_down'));
  });

  it('are deleted with their world', async () => {
    const access = await linked();
    const made = await fault('any', 'server_error');
    await controls.forgetWorld(world.worldId, signal);
    await controls.forgetWorld(world.worldId, signal);
    expect(await controls.worldOfFault(made.faultId, signal)).toBeNull();
    await expect(provider.fetchAccounts(access)).rejects.toMatchObject(refusal('consent_expired'));
  });
});
