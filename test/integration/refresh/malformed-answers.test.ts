import { createServer, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import {
  createFetchActivities,
  type FetchResult,
} from '../../../activities/refresh/fetch-activities.js';
import type { UnreadableAnswer } from '../../../activities/source-faults.js';
import type { DayWindow } from '../../../domain/refresh/fetched-data.js';
import { PRODUCTS, type Product } from '../../../domain/link/products.js';
import { ProviderFailure } from '../../../domain/errors/provider-failure.js';
import { encodeCredential } from '../../../providers/sandbox/client/credential.js';
import { createSandboxProvider } from '../../../providers/sandbox/sandbox-provider.js';
import { liveMemory } from '../../support/assertions/live-memory.js';
import { quietEnvironment } from '../../support/fixtures/quiet-environment.js';
import {
  attemptOf,
  openStorage,
  storeLink,
  announcementsOf,
  currentRows,
  versionsOf,
  type Storage,
  type StoredLink,
} from '../../support/fixtures/stored-link.js';
import { NO_SERVICES } from '../../support/fixtures/link-services.js';
import { representatives } from '../../support/runner/representatives.js';

type Handler = (response: ServerResponse, page: number) => void;

const MEGABYTE = 1024 * 1024;
/** The size of the parts in which the bank responds endlessly. */
const PIECE = Buffer.alloc(64 * 1024, ' ');

let storage: Storage;
let bank: Server;
let answer: Handler;
let pages: number;
let sent: number;
let unreadable: UnreadableAnswer[];
let fetchProduct: ReturnType<typeof createFetchActivities>['fetchProduct'];

beforeAll(async () => {
  storage = await openStorage();
  bank = createServer((_request, response) => {
    response.on('error', () => undefined);
    answer(response, pages);
    pages += 1;
  }).listen(0, '127.0.0.1');
  await once(bank, 'listening');
  const { port } = bank.address() as AddressInfo;
  const providerWith = (http: { silenceTimeoutMs: number; callTimeoutMs: number }) =>
    createSandboxProvider({ baseUrl: `http://127.0.0.1:${port}`, secret: 'unused', http });
  const patient = providerWith({ silenceTimeoutMs: 10_000, callTimeoutMs: 15_000 });
  // A response that drips uses up all the time there is.
  const impatient = providerWith({ silenceTimeoutMs: 1_500, callTimeoutMs: 2_000 });
  ({ fetchProduct } = createFetchActivities({
    refresh: storage.refresh,
    providers: { get: () => (answer === dripping ? impatient : patient) },
    ...NO_SERVICES,
    observeFaults: (fault) => unreadable.push(fault),
  }));
});
afterAll(async () => {
  bank?.closeAllConnections();
  bank?.close();
  await storage?.close();
});
beforeEach(() => {
  pages = 0;
  sent = 0;
  unreadable = [];
});

/** A connected link with a permission, whose transactions contain the one row `kept`. */
async function linkedWithRow(): Promise<StoredLink> {
  const link = await storeLink(storage);
  const { prisma } = storage.ctx.database;
  await prisma.linkProduct.createMany({
    data: (['identity', 'account_numbers', 'investments', 'liabilities'] as const).map(
      (product, index) => ({
        linkPk: link.pk,
        product,
        position: 2 + index,
        required: false,
        prefetch: true,
        requirePermission: false,
        extendHistory: false,
      }),
    ),
  });
  await storage.ctx.database.transaction(async (tx) => {
    const at = { table: 'provider_credentials', column: 'sealed', row: link.linkId };
    const sealed = await storage.ctx.sealer.sealUnder(
      tx,
      `credential/${link.linkId}`,
      at,
      Buffer.from(encodeCredential({ connectionId: 'conn_1', accessToken: 'canary-token' })),
    );
    await tx.providerCredential.create({
      data: {
        linkPk: link.pk,
        provider: 'sandbox',
        reference: 'conn_1',
        sealed: Uint8Array.from(sealed),
      },
    });
  });
  answer = json({ transactions: [transaction('kept')] });
  await fetch(link, 'transactions');
  pages = 0;
  return link;
}

/** One fetch as the workflow makes it. A failure is final. Returns the cause, or `stored`. */
async function fetch(link: StoredLink, product: Product): Promise<string> {
  await storage.ctx.database.transaction((tx) =>
    storage.refresh.requestProducts(tx, link.pk, [product], 'on_demand'),
  );
  const plan = await storage.refresh.beginRun(link.linkId);
  const name = attemptOf(plan, product);
  const window: DayWindow | null = plan?.products[0]?.window ?? null;
  try {
    const result: FetchResult = await quietEnvironment().run(fetchProduct, {
      linkId: link.linkId,
      run: name,
      product,
      window,
    });
    return result.kind;
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    await storage.refresh.failProduct(link.linkId, name, product, error.providerCause);
    return error.providerCause;
  }
}

const TODAY = new Date().toISOString().slice(0, 10);
const transaction = (id: string, fields: Record<string, unknown> = {}) => ({
  transaction_id: id,
  account_id: 'checking',
  amount: '4.50',
  direction: 'OUT',
  currency: 'USD',
  booking_date: TODAY,
  local_datetime: null,
  description: 'Corner Cafe',
  statement_text: null,
  status: 'BOOKED',
  category: null,
  ...fields,
});
const account = (
  id: string,
  fields: Record<string, unknown> = {},
  balances: Record<string, unknown> = {},
) => ({
  account_id: id,
  display_name: id,
  product: 'CHECKING',
  number_last4: '1101',
  currency: 'USD',
  balances: {
    available: '10.00',
    current: '10.00',
    credit_limit: null,
    as_of: '2026-03-02T10:00:00.000Z',
    ...balances,
  },
  ...fields,
});
function json(body: object): Handler {
  return raw(
    JSON.stringify(
      'transactions' in body ? { next_page_token: null, covered: null, ...body } : body,
    ),
  );
}
function raw(text: string): Handler {
  return (response) => response.writeHead(200, { 'content-type': 'application/json' }).end(text);
}
const rows = (...transactions: object[]) => json({ transactions });
const accounts = (...list: object[]) => json({ accounts: list });
const many = (count: number) =>
  Array.from({ length: count }, (_, index) => transaction(`t${index}`));

const truncated: Handler = (response) =>
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .end('{"transactions":[{"transaction_id":"a","amo');
const cutOff: Handler = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '5000' });
  response.write('{"transactions":[');
  response.destroy();
};
const html: Handler = (response) =>
  response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Maintenance</h1>');
const enormous: Handler = (response) => {
  response.writeHead(200, {
    'content-type': 'application/json',
    'content-length': String(200 * MEGABYTE),
  });
  response.write('{"transactions":[');
  const more = (): void => {
    while (!response.destroyed && sent < 200 * MEGABYTE) {
      sent += PIECE.length;
      if (!response.write(PIECE)) return;
    }
    response.end();
  };
  response.on('drain', more);
  more();
};
const dripping: Handler = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const timer = setInterval(() => response.write(' '), 100);
  response.on('close', () => clearInterval(timer));
};

/** The data that a failed fetch must not change. */
async function dataOf(link: StoredLink): Promise<unknown> {
  const { prisma } = storage.ctx.database;
  const { headSeq, lastSyncedAt } = await prisma.link.findUniqueOrThrow({ where: { pk: link.pk } });
  const accountRows = await prisma.account.findMany({
    where: { linkPk: link.pk },
    include: { numbers: true, owners: true },
    orderBy: { pk: 'asc' },
  });
  const refreshed = await prisma.linkProduct.findMany({
    where: { linkPk: link.pk },
    select: { product: true, refreshedAt: true },
    orderBy: { position: 'asc' },
  });
  return {
    versions: await versionsOf(storage, link),
    headSeq,
    lastSyncedAt,
    accountRows,
    refreshed,
  };
}

describe('A response that cannot be read ends as the right product error, with nothing half-written', () => {
  type Row = [title: string, product: Product, handler: Handler, cause: string, error: string];
  // One client reads the responses for every product; their shapes differ.
  const read = representatives<Row>(
    [
      ['more rows than were asked for', 'transactions', rows(...many(201)), 'malformed', 'unknown'],
      [
        'more accounts than anybody has',
        'accounts',
        accounts(...Array.from({ length: 201 }, (_, index) => account(`a${index}`))),
        'malformed',
        'unknown',
      ],
      ['no account at all', 'accounts', accounts(), 'no_accounts', 'no_accounts'],
      ...PRODUCTS.flatMap((product): Row[] => [
        ['truncated JSON', product, truncated, 'malformed', 'unknown'],
        ['a page for people', product, html, 'malformed', 'unknown'],
        [
          'another shape',
          product,
          raw(
            '{"transactions":{},"accounts":{},"owners":{},"numbers":7,"account_numbers":7,"holdings":7,"liabilities":7}',
          ),
          'malformed',
          'unknown',
        ],
        ['an answer that breaks off', product, cutOff, 'institution_down', 'institution_error'],
      ]),
      ['an answer that drips', 'transactions', dripping, 'institution_timeout', 'timeout'],
    ],
    ([title, product]) =>
      ['accounts', 'transactions'].includes(product) || title === 'another shape',
  );
  it.each(read)('%s (%s)', async (_title, product, handler, cause, productError) => {
    const link = await linkedWithRow();
    const before = await dataOf(link);
    const announced = (await announcementsOf(storage, link)).length;
    answer = handler;
    expect(await fetch(link, product)).toBe(cause);
    // The operator sees every whole answer that cannot be read, and only these.
    expect(unreadable.flatMap(({ faults }) => faults.map(({ scope }) => scope))).toEqual(
      cause === 'malformed' ? ['answer'] : [],
    );
    expect(await dataOf(link)).toEqual(before);
    expect((await announcementsOf(storage, link)).slice(announced)).toEqual([
      `product_refresh ${product} failed`,
      ...(cause === 'no_accounts' ? ['state_changed error institution_error'] : []),
    ]);
    const row = await storage.ctx.database.prisma.linkProduct.findUniqueOrThrow({
      where: { linkPk_product: { linkPk: link.pk, product } },
    });
    expect(row).toMatchObject({ state: 'failed', errorCode: productError, errorCause: cause });
    // The next valid response clears it.
    answer = rows(transaction('kept'), transaction('b'));
    pages = 0;
    if (product === 'transactions') expect(await fetch(link, product)).toBe('stored');
  });

  it.each<[string, Handler]>([
    ['an amount of 1e400', rows(transaction('a', { amount: '1e400' }))],
    [
      'a bad row on the eighth page',
      (response, page) =>
        json({
          transactions:
            page < 7
              ? many(200).map((row) => ({ ...row, transaction_id: `${page}${row.transaction_id}` }))
              : [transaction('x', { direction: 'SIDEWAYS' })],
          next_page_token: page < 7 ? `p${page}` : null,
        })(response, page),
    ],
    [
      'pages that go in a circle',
      (response, page) =>
        json({ transactions: [transaction(`t${page}`)], next_page_token: `p${page % 3}` })(
          response,
          page,
        ),
    ],
  ])('%s removes no stored row, and the product is incomplete', async (_title, handler) => {
    const link = await linkedWithRow();
    const [kept] = await currentRows(storage, link);
    answer = handler;
    expect(await fetch(link, 'transactions')).toBe('stored');
    expect(await currentRows(storage, link)).toContainEqual(kept);
    const { prisma } = storage.ctx.database;
    const product = { linkPk: link.pk, product: 'transactions' };
    expect(
      await prisma.linkProduct.findUniqueOrThrow({ where: { linkPk_product: product } }),
    ).toMatchObject({ state: 'completed', errorCode: null, incomplete: [expect.anything()] });
    // The next valid response clears it.
    answer = rows(transaction('kept'));
    pages = 0;
    expect(await fetch(link, 'transactions')).toBe('stored');
    expect(
      await prisma.linkProduct.findUniqueOrThrow({ where: { linkPk_product: product } }),
    ).toMatchObject({ incomplete: [] });
  });

  it('stops reading a response of 200 MB, and keeps none of it', async () => {
    const links = [];
    for (let index = 0; index < 4; index += 1) links.push(await linkedWithRow());
    const before = await Promise.all(links.map(dataOf));
    const memory = liveMemory();
    answer = enormous;
    expect(await Promise.all(links.map((link) => fetch(link, 'transactions')))).toEqual(
      links.map(() => 'malformed'),
    );
    expect(sent).toBeLessThan(links.length * 16 * MEGABYTE);
    expect(liveMemory() - memory).toBeLessThan(16 * MEGABYTE);
    expect(await Promise.all(links.map(dataOf))).toEqual(before);
  });
});
