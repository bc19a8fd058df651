import { randomBytes, randomUUID } from 'node:crypto';
import { Decimal } from 'decimal.js';
import type { Tenant } from '../../../domain/environment.js';
import type {
  FetchedAccount,
  FetchedTransaction,
  TransactionBatch,
} from '../../../domain/fetched-data.js';
import { makeId } from '../../../domain/ids.js';
import { PRODUCTS, type Product } from '../../../domain/products.js';
import { createContext, type Context } from '../../../prisma/context.js';
import { openDatabase } from '../../../prisma/database.js';
import { RefreshRepository } from '../../../prisma/repositories/refresh.repository.js';
import type { RefreshCause } from '../../../prisma/repositories/request-refresh.js';
import { Sealer } from '../../../prisma/sealing/sealer.js';
import { createTestDatabase } from '../../support/embedded-services.js';

export const TENANT: Tenant = { appId: 'pocket-ledger', environment: 'sandbox' };
const CLIENT_ID = 'sandbox_pocket-ledger';
/** Wide enough for every row of these tests. */
export const EVERY_DAY = { from: '2026-01-01', to: '2026-12-31' };

export interface Storage {
  ctx: Context;
  refresh: RefreshRepository;
  close(): Promise<void>;
}

/** A migrated database of its own, with one app and one institution. */
export async function openStorage(clock: () => Date = () => new Date()): Promise<Storage> {
  const test = await createTestDatabase();
  const database = openDatabase({
    url: test.url,
    name: 'data-tests',
    maxConnections: 16,
    onError: () => undefined,
  });
  const ctx = createContext(database, new Sealer([{ id: 'test', key: randomBytes(32) }]), {
    clock,
  });
  const { prisma } = database;
  await prisma.application.create({
    data: {
      appId: TENANT.appId,
      name: 'Pocket Ledger',
      clients: { create: { clientId: CLIENT_ID, environment: TENANT.environment, secretHash: '' } },
    },
  });
  await prisma.institution.create({
    data: {
      institutionId: 'test-bank',
      name: 'Test Bank',
      country: 'US',
      environment: 'sandbox',
      login: 'none',
    },
  });
  await prisma.institutionRoute.create({
    data: {
      institutionId: 'test-bank',
      provider: 'sandbox',
      remoteId: 'bank-1',
      products: [...PRODUCTS],
    },
  });
  const close = async () => {
    await database.close();
    await test.drop();
  };
  return { ctx, refresh: new RefreshRepository(ctx), close };
}

export interface StoredLink {
  pk: bigint;
  linkId: string;
  /** Provider id → our id. */
  accounts: Map<string, string>;
}

export interface LinkOptions {
  state?: string;
  errorCode?: string;
  extendHistory?: boolean;
  webhook?: string | null;
  products?: readonly Product[];
}

/** A link with a checking account `checking`, a card `card`, and an account `private` that the user did not permit. */
export async function storeLink({ ctx }: Storage, options: LinkOptions = {}): Promise<StoredLink> {
  const { prisma } = ctx.database;
  const {
    state = 'connected',
    errorCode = null,
    extendHistory = false,
    webhook = 'https://app.example/hooks',
    products = ['accounts', 'transactions'],
  } = options;
  const user = await prisma.customerUser.create({ data: { ...TENANT, userId: randomUUID() } });
  const link = await prisma.link.create({
    data: {
      linkId: makeId('link', ctx.random),
      ...TENANT,
      clientId: CLIENT_ID,
      customerUserPk: user.pk,
      institutionId: 'test-bank',
      provider: 'sandbox',
      state,
      errorCode,
      webhook,
      connectedAt: state === 'connected' || state === 'error' ? ctx.clock() : null,
    },
  });
  await prisma.linkProduct.createMany({
    data: products.map((product, position) => ({
      linkPk: link.pk,
      product,
      position,
      required: false,
      prefetch: true,
      requirePermission: false,
      extendHistory: product === 'transactions' && extendHistory,
    })),
  });
  const accounts = new Map<string, string>();
  for (const [position, providerAccountId] of ['checking', 'card', 'private'].entries()) {
    const accountId = makeId('account', ctx.random);
    accounts.set(providerAccountId, accountId);
    await prisma.account.create({
      data: {
        accountId,
        linkPk: link.pk,
        providerAccountId,
        accountType: 'depository.checking',
        name: providerAccountId,
        mask: '1101',
        currency: 'USD',
        available: '2210.52',
        current: '2350.00',
        position,
        permitted: providerAccountId !== 'private',
        balanceDate: new Date('2026-03-02T10:15:31Z'),
      },
    });
  }
  return { pk: link.pk, linkId: link.linkId, accounts };
}

/** Asks for a product and begins its fetch; answers the name of the try. */
export async function beginFetch(
  { ctx, refresh }: Storage,
  link: StoredLink,
  product: Product,
  cause: RefreshCause = 'prefetch',
): Promise<string> {
  await ctx.database.transaction((tx) => refresh.requestProducts(tx, link.pk, [product], cause));
  const run = await refresh.beginRun(link.linkId);
  const name = run === null ? null : await refresh.beginProduct(link.linkId, run.run, product);
  if (name === null) throw new Error('the fetch could not begin');
  return name;
}

/** A whole transactions fetch: it begins, brings `rows` in one batch and covers `window`. */
export async function fetchRows(
  storage: Storage,
  link: StoredLink,
  rows: readonly FetchedTransaction[],
  options: { window?: TransactionBatch['window']; cause?: RefreshCause } = {},
) {
  const { window = EVERY_DAY, cause = 'prefetch' } = options;
  const run = await beginFetch(storage, link, 'transactions', cause);
  return storage.refresh.storeTransactions(link.linkId, run, {
    transactions: rows,
    last: true,
    window,
    seenIds: [],
  });
}

export function row(
  providerTransactionId: string,
  fields: Partial<FetchedTransaction> = {},
): FetchedTransaction {
  return {
    providerTransactionId,
    providerAccountId: 'checking',
    amount: new Decimal('4.50'),
    type: 'debit',
    currency: 'USD',
    date: '2026-03-01',
    datetime: null,
    description: 'Corner Cafe',
    rawDescription: 'POS 0301 CORNER CAFE',
    pending: false,
    category: 'food_and_drink.coffee_shops',
    ...fields,
  };
}

export function account(
  providerAccountId: string,
  fields: Partial<FetchedAccount> = {},
): FetchedAccount {
  return {
    providerAccountId,
    accountType: 'depository.checking',
    name: providerAccountId,
    mask: '1101',
    currency: 'USD',
    available: new Decimal('2210.52'),
    current: new Decimal('2350.00'),
    limit: null,
    balanceDate: new Date('2026-03-02T10:15:31Z'),
    ...fields,
  };
}

/** What was told of a link, oldest first, in short: `product_refresh transactions completed`. */
export async function toldOf({ ctx }: Storage, link: StoredLink): Promise<string[]> {
  const events = await ctx.database.prisma.webhookEvent.findMany({
    where: { linkId: link.linkId },
    orderBy: { pk: 'asc' },
  });
  return events.map(({ body }) => inShort(JSON.parse(body) as Record<string, unknown>));
}

export async function heldFor({ ctx }: Storage, link: StoredLink): Promise<string[]> {
  const events = await ctx.database.prisma.heldEvent.findMany({
    where: { linkPk: link.pk },
    orderBy: { pk: 'asc' },
  });
  return events.map(({ content }) => inShort(content as Record<string, unknown>));
}

function inShort(event: Record<string, unknown>): string {
  const said = [
    event['webhook_event'],
    event['product'],
    event['state'],
    event['error'],
    event['has_history'],
  ];
  return said
    .filter((part) => part !== undefined && part !== null)
    .join(' ')
    .replace(/^(link|transactions)\./, '');
}

export async function versionsOf({ ctx }: Storage, link: StoredLink) {
  return ctx.database.prisma.transactionVersion.findMany({
    where: { linkPk: link.pk },
    orderBy: { seq: 'asc' },
  });
}

export async function currentRows(storage: Storage, link: StoredLink) {
  return (await versionsOf(storage, link)).filter(
    (version) => version.nextSeq === null && !version.removed,
  );
}
