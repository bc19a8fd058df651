import { ProviderFailure } from '../../../domain/errors/provider-failure.js';
import type { Provider, ProviderAccess } from '../../../providers/contract/provider.js';
import {
  accessAt,
  enableBankingFor,
  readListing,
  registerApplication,
} from '../../support/fixtures/enable-banking-application.js';
import {
  startVendorSimulator,
  type TestSimulator,
} from '../../support/services/vendor-simulators.js';

const NOW = new Date('2026-11-25T10:00:00Z');
const TWO_YEARS = { from: '2024-11-26', to: '2026-11-25' };
const RECENT = { from: '2026-08-29', to: '2026-11-25' };

describe('The calls through Enable Banking that banks count', () => {
  let simulator: TestSimulator;
  let provider: Provider;
  let access: ProviderAccess;
  beforeAll(async () => {
    simulator = await startVendorSimulator('enable-banking', { now: NOW });
    provider = enableBankingFor(await registerApplication(simulator.url), { now: () => NOW });
  });
  afterAll(() => simulator.close());
  beforeEach(async () => {
    await simulator.reset();
    access = await accessAt(provider, simulator.url, 'meridian');
  });

  const counting = (endUser: ProviderAccess['endUser']) => {
    const acquired: string[] = [];
    const counted: ProviderAccess = {
      ...access,
      endUser,
      acquire: (quota, account) => {
        acquired.push(`${quota} ${account ?? 'none'}`);
        return Promise.resolve();
      },
    };
    return { acquired, counted };
  };
  const psuNamesOf = async (ending: string) =>
    (await simulator.requests())
      .filter(({ path }) => path.endsWith(ending))
      .map(({ headerNames }) => headerNames.filter((name) => name.startsWith('psu-')));

  it('use the quota of the account before each call, once for all pages of a listing', async () => {
    const { acquired, counted } = counting(null);
    const { accounts } = await provider.fetchAccounts(counted);
    const ids = accounts.map(({ providerAccountId: id }) => id);
    expect(acquired).toEqual(ids.flatMap((id) => [`details ${id}`, `balances ${id}`]));
    acquired.length = 0;
    await readListing(provider, counted, TWO_YEARS);
    expect(acquired).toEqual(ids.map((id) => `transactions ${id}`));
    const pages = (await simulator.requests()).filter(({ path }) => path.endsWith('/transactions'));
    expect(pages.length).toBeGreaterThan(3);
    acquired.length = 0;
    await provider.fetchAccountNumbers?.(counted);
    await provider.fetchPermissionEnd?.(counted);
    expect(acquired).toEqual([]);
  });

  it('name every rule whose quota they use', () => {
    expect(
      provider.facts.quotas.map(({ name, per, limit, unattendedOnly }) => [
        name,
        per,
        limit,
        unattendedOnly,
      ]),
    ).toEqual([
      ['details', 'account', 4, true],
      ['balances', 'account', 4, true],
      ['transactions', 'account', 4, true],
    ]);
  });

  it('skip an account whose quota is used up, and continue with the others', async () => {
    const [, second] = (await provider.fetchAccounts(access)).accounts;
    const before = (await simulator.requests()).length;
    const exhausted = { name: 'ProviderFailure', providerCause: 'rate_limited' };
    const partly: ProviderAccess = {
      ...access,
      acquire: (_quota, account) =>
        account === second?.providerAccountId
          ? Promise.reject(new ProviderFailure('rate_limited', 'used up', 60))
          : Promise.resolve(),
    };
    expect((await readListing(provider, partly, RECENT)).unreported).toEqual([
      second?.providerAccountId,
    ]);
    const none: ProviderAccess = {
      ...access,
      acquire: () => Promise.reject(new ProviderFailure('rate_limited', 'used up', 60)),
    };
    const after = (await simulator.requests()).length;
    expect(after).toBeGreaterThan(before);
    await expect(readListing(provider, none, RECENT)).rejects.toMatchObject({
      ...exhausted,
      retryAfterSeconds: 60,
    });
    await expect(provider.fetchAccounts(none)).rejects.toMatchObject(exhausted);
    expect(await simulator.requests()).toHaveLength(after);
  });

  it('are refused by the bank the fifth time without a user, and never with one', async () => {
    const { counted } = counting(null);
    for (let fetch = 0; fetch < 4; fetch += 1) await provider.fetchAccounts(counted);
    await expect(provider.fetchAccounts(counted)).rejects.toMatchObject({
      providerCause: 'rate_limited',
    });
    expect((await provider.fetchAccounts(access)).accounts).toHaveLength(3);
    expect((await psuNamesOf('/details')).filter((names) => names.length > 0)).toEqual(
      Array.from({ length: 3 }, () => ['psu-ip-address', 'psu-user-agent']),
    );
  });

  it.each([
    ['saaristo', ['psu-ip-address']],
    ['faro', ['psu-ip-address']],
    ['riviere', ['psu-ip-address', 'psu-user-agent']],
  ] as const)('send %s all headers that it requires, on every page', async (bank, names) => {
    await readListing(provider, await accessAt(provider, simulator.url, bank), TWO_YEARS);
    const sent = await psuNamesOf('/transactions');
    expect(sent.length).toBeGreaterThan(1);
    for (const page of sent) expect(page).toEqual(names);
  });
});
