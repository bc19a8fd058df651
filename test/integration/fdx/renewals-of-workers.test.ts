import { createFdxBank } from '../../../simulators/vendors/fdx/create-fdx-bank.js';
import type { FdxBank } from '../../../simulators/vendors/fdx/fdx-bank.types.js';
import { Ledger } from '../../../simulators/vendors/ledger/ledger.js';
import { linkAccess } from '../../../activities/link-access.js';
import { PRODUCTS, type Product } from '../../../domain/link/products.js';
import { createContext } from '../../../prisma/base/context.js';
import { openDatabase } from '../../../prisma/base/database/database.js';
import { SessionLocks } from '../../../prisma/base/database/session-locks.js';
import { CredentialRenewals } from '../../../prisma/sources/permissions/credential-renewals.js';
import {
  openCredential,
  storeCredential,
} from '../../../prisma/sources/permissions/provider-credential.js';
import { Sealer } from '../../../prisma/base/sealing/sealer.js';
import { createFdxProvider } from '../../../providers/fdx/fdx-adapter.js';
import type { Provider, ProviderAccess } from '../../../providers/contract/provider.js';
import {
  linkAtFdx,
  pinnedFdxConfiguration,
} from '../../support/fixtures/fdx-bank-configuration.js';
import { NO_SERVICES } from '../../support/fixtures/link-services.js';
import { loginContext } from '../../support/fixtures/provider-calls.js';
import {
  openStorage,
  storeLink,
  type Storage,
  type StoredLink,
} from '../../support/fixtures/stored-link.js';
import { testSimulator } from '../../support/services/vendor-simulators.js';

const RENEWALS = process.env['LONG_RUNS'] ? 20 : 4;
/** Banks whose refresh tokens work once, with and without DPoP. */
const BANKS = ['first-fdx', 'first-fdx', 'wealth-fdx'];

/** A worker of its own on the database: connections, locks and renewals. */
function openWorker({ url, masterKey }: Storage) {
  const options = { url, name: 'worker', maxConnections: 8, onError: () => undefined };
  const database = openDatabase(options);
  const ctx = createContext(database, new Sealer([{ id: 'test', key: masterKey }]));
  const locks = new SessionLocks(database.pool);
  const close = async () => {
    locks.close();
    await database.close();
  };
  return { ctx, renewals: new CredentialRenewals(ctx, locks), close };
}
type Worker = ReturnType<typeof openWorker>;

const day = (daysAgo: number): string =>
  new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);

describe('The links of two workers at banks that rotate refresh tokens', () => {
  let storage: Storage;
  let workers: Worker[];
  let bank: FdxBank;
  let provider: Provider;
  beforeAll(async () => {
    storage = await openStorage();
    workers = [openWorker(storage), openWorker(storage)];
    bank = await createFdxBank({ ledger: new Ledger() });
    provider = createFdxProvider(await pinnedFdxConfiguration(bank));
  });
  afterAll(async () => {
    await bank.close();
    for (const worker of workers) await worker.close();
    await storage.close();
  });

  async function linkAt(remoteId: string): Promise<StoredLink & { remoteId: string }> {
    const link = await storeLink(storage, { provider: 'fdx', products: PRODUCTS });
    const { credential, reference } = await linkAtFdx(provider, loginContext({ remoteId }));
    await storage.ctx.database.transaction((tx) =>
      storeCredential(storage.ctx, tx, link, { provider: 'fdx', reference, credential }),
    );
    return { ...link, remoteId };
  }

  async function accessOf({ ctx, renewals }: Worker, link: StoredLink & { remoteId: string }) {
    const held = await openCredential(ctx, ctx.database.prisma, link);
    if (held === null) throw new Error('the link has no permission');
    const { credential, reference, edition } = held;
    return linkAccess(
      { ...NO_SERVICES, renewals },
      provider,
      {
        linkId: link.linkId,
        remoteId: link.remoteId,
        products: PRODUCTS,
        isScheduled: true,
        credential,
        reference,
        edition,
      },
      new AbortController().signal,
    );
  }

  const fetchers: Record<Product, (access: ProviderAccess) => Promise<unknown>> = {
    accounts: (access) => provider.fetchAccounts(access),
    account_numbers: async (access) => provider.fetchAccountNumbers?.(access),
    identity: async (access) => provider.fetchIdentity?.(access),
    investments: async (access) => provider.fetchHoldings?.(access),
    liabilities: async (access) => provider.fetchLiabilities?.(access),
    transactions: async (access) => {
      const window = { from: day(2), to: day(0) };
      for await (const _ of provider.fetchTransactions?.(access, window) ?? []);
    },
  };

  it(`lose no login over ${RENEWALS} renewals of 3 links with 4 products each`, async () => {
    const links = await Promise.all(BANKS.map(linkAt));
    const tokenRequests = async () =>
      (await testSimulator(bank).requests()).filter(({ path }) => path.endsWith('/token')).length;
    const before = await tokenRequests();
    for (let renewal = 1; renewal <= RENEWALS; renewal += 1) {
      bank.endAccessTokens();
      const outcomes = await Promise.all(
        links.flatMap((link, number) =>
          PRODUCTS.map(async (product, position) => {
            const worker = workers[(number + position + renewal) % workers.length] as Worker;
            const access = await accessOf(worker, link);
            return fetchers[product](access).then(
              () => 'fetched',
              (error: unknown) => `${link.remoteId} ${product}: ${String(error)}`,
            );
          }),
        ),
      );
      expect({ renewal, outcomes: new Set(outcomes) }).toEqual({
        renewal,
        outcomes: new Set(['fetched']),
      });
    }
    expect((await tokenRequests()) - before).toBe(RENEWALS * links.length);
  });
});
