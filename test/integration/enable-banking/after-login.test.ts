import { remoteIdOf } from '../../../providers/enable-banking/catalog/remote-id.js';
import type { Provider } from '../../../providers/contract/provider.js';
import { PRESENT_FOR_MS } from '../../../prisma/work/refresh/login-user.js';
import { QuotaRepository } from '../../../prisma/sources/quotas/quota.repository.js';
import { combineRequestedProducts } from '../../../domain/link/products.js';
import {
  enableBankingFor,
  linkAtEnableBanking,
  registerApplication,
} from '../../support/fixtures/enable-banking-application.js';
import { refreshesAt } from '../../support/fixtures/fetching-link.js';
import {
  ATTEMPT,
  openedSession,
  openStore,
  shown,
  TENANT,
  type Store,
} from '../../support/fixtures/linking-store.js';
import { accessWith, loginContext, PRESENT_USER } from '../../support/fixtures/provider-calls.js';
import {
  startVendorSimulator,
  type TestSimulator,
} from '../../support/services/vendor-simulators.js';

const MERIDIAN = remoteIdOf({ name: 'Meridian Bank', country: 'DE' });
const REQUIRED = ['psu-ip-address', 'psu-user-agent'];

describe('Fetches at Enable Banking after a login', () => {
  let store: Store;
  let simulator: TestSimulator;
  let provider: Provider;
  beforeAll(async () => {
    store = await openStore();
    const now = store.ctx.clock();
    simulator = await startVendorSimulator('enable-banking', { now });
    provider = enableBankingFor(await registerApplication(simulator.url), { now: () => now });
    await store.institutions.syncCatalog(provider.name, [
      {
        institutionId: 'meridian',
        remoteId: MERIDIAN,
        name: 'Meridian Bank',
        country: 'DE',
        domain: null,
        color: null,
        colorDark: null,
        isFeatured: false,
        environment: 'sandbox',
        login: 'oauth',
        products: ['accounts', 'transactions'],
        aliases: [],
      },
    ]);
  });
  afterAll(async () => {
    await simulator.close();
    await store.close();
  });

  /** Logs in a user who is present in Connect, for a new link or to repair one. */
  async function logIn(existingLinkId: string | null = null): Promise<string> {
    const { sessionId } = await openedSession(store, {
      countries: ['DE'],
      ...(existingLinkId === null
        ? {}
        : { mode: 'relink', existingLinkId, products: combineRequestedProducts({}) }),
    });
    await store.sessions.noteEndUser(sessionId, PRESENT_USER);
    const { linkId } = await store.logins.beginLogin(sessionId, 'meridian', ATTEMPT);
    const permission = await linkAtEnableBanking(
      provider,
      loginContext({ remoteId: MERIDIAN }),
      simulator,
    );
    const access = accessWith(permission, MERIDIAN, PRESENT_USER);
    const { accounts } = await provider.fetchAccounts(access);
    await store.bankLogins.storeLinked(sessionId, ATTEMPT, {
      ...permission,
      consent: 'given_at_bank',
      accounts,
    });
    await store.questions.finishLinking(sessionId, shown(2, { kind: 'success' }));
    const finished = await store.exchange.finish(sessionId, 'first');
    if (existingLinkId === null)
      await store.exchange.exchange(TENANT, finished?.token?.exchangeableToken ?? '');
    return linkId;
  }
  /** The headers of the user on each call for transactions of one run. */
  async function headersOf(linkId: string): Promise<string[][]> {
    const quotas = new QuotaRepository(store.ctx);
    const { fetchRequested, refresh } = refreshesAt(store, provider, { quotas });
    const earlier = (await simulator.requests()).length;
    const { run, result } = await fetchRequested(linkId, 'transactions');
    expect(result.kind).toBe('stored');
    await refresh.finishRun(linkId, run, { anySucceeded: true });
    const headers = (await simulator.requests())
      .slice(earlier)
      .filter(({ path }) => path.endsWith('/transactions'))
      .map(({ headerNames }) => headerNames.filter((name) => name.startsWith('psu-')));
    expect(headers.length).toBeGreaterThan(0);
    return headers;
  }
  async function schedule(linkId: string): Promise<void> {
    const { refresh } = refreshesAt(store, provider);
    await store.ctx.database.transaction(async (tx) => {
      const { pk } = await tx.link.findUniqueOrThrow({ where: { linkId } });
      await refresh.requestProducts(tx, pk, ['transactions'], 'scheduled');
    });
  }
  const keptUser = async (linkId: string) =>
    (
      await store.ctx.database.prisma.providerCredential.findFirstOrThrow({
        where: { link: { linkId } },
      })
    ).loginUser;

  it('are made on behalf of the waiting user, and later ones are not', async () => {
    const linkId = await logIn();
    for (const names of await headersOf(linkId)) expect(names).toEqual(REQUIRED);
    expect(await keptUser(linkId)).toBeNull();
    await schedule(linkId);
    for (const names of await headersOf(linkId)) expect(names).toEqual([]);
  });

  it('keep the user sealed, so that the address appears nowhere in the row', async () => {
    const kept = Buffer.from((await keptUser(await logIn())) ?? []);
    expect(kept.length).toBeGreaterThan(0);
    expect(kept.toString('latin1')).not.toContain(PRESENT_USER.ipAddress);
  });

  it('are made without a user when they start long after the login', async () => {
    const linkId = await logIn();
    store.pass(PRESENT_FOR_MS + 1);
    for (const names of await headersOf(linkId)) expect(names).toEqual([]);
    expect(await keptUser(linkId)).toBeNull();
  });

  it('are made on behalf of the user who repairs a link, also when one was already scheduled', async () => {
    const linkId = await logIn();
    await headersOf(linkId);
    await schedule(linkId);
    await logIn(linkId);
    for (const names of await headersOf(linkId)) expect(names).toEqual(REQUIRED);
  });
});
