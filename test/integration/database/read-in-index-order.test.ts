import pg from 'pg';
import type { Tenant } from '../../../domain/api/environment.js';
import { ListenedEvents } from '../../../prisma/announcements/webhook-listeners/listened-events.js';
import { WebhookLogRepository } from '../../../prisma/announcements/webhook-log/webhook-log.repository.js';
import type { Context } from '../../../prisma/base/context.js';
import { openDatabase, type Database } from '../../../prisma/base/database/database.js';
import {
  BEGIN_IN_INDEX_ORDER,
  readInIndexOrder,
} from '../../../prisma/base/database/read-in-index-order.js';
import { listRecord } from '../../../prisma/base/operator-actions/operator-record.js';
import { listLinks } from '../../../prisma/links/link/link-list.js';
import { listSessions } from '../../../prisma/links/sessions/session-list.js';
import { storage, storageOfFile } from '../../support/fixtures/stored-link.js';
import { createTestDatabase, type TestDatabase } from '../../support/services/embedded-services.js';

const SETTINGS = `SELECT name, setting FROM pg_settings
  WHERE name IN ('enable_sort', 'enable_incremental_sort', 'enable_seqscan', 'enable_bitmapscan', 'transaction_read_only') ORDER BY name`;
const settings = (of: Record<string, string>) =>
  Object.entries(of).map(([name, setting]) => ({ name, setting }));
const PAGE = settings({
  enable_bitmapscan: 'off',
  enable_incremental_sort: 'off',
  enable_seqscan: 'off',
  enable_sort: 'off',
  transaction_read_only: 'on',
});
const USUAL = settings({
  enable_bitmapscan: 'on',
  enable_incremental_sort: 'on',
  enable_seqscan: 'on',
  enable_sort: 'on',
  transaction_read_only: 'off',
});

describe('The read of a page in the order of an index', () => {
  let test: TestDatabase;
  let database: Database;
  beforeAll(async () => {
    test = await createTestDatabase();
    // One connection, so that each statement follows another on it.
    database = openDatabase({
      url: test.url,
      name: 'pages',
      maxConnections: 1,
      onError: () => undefined,
    });
  });
  afterAll(async () => {
    await database.close();
    await test.drop();
  });

  const read = (text: string, values: unknown[] = []) =>
    readInIndexOrder(database.pool, { text, values });
  const settingsNow = async () => (await database.pool.query(SETTINGS)).rows;
  const connection = async () =>
    (await database.pool.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]?.pid;

  it('plans neither a sort nor a scan of the table, and leaves its connection as it was', async () => {
    const before = await connection();
    expect(await read(SETTINGS)).toEqual(PAGE);
    expect(await settingsNow()).toEqual(USUAL);
    expect(await connection()).toBe(before);
  });

  it.each([
    ['fails', 'SELECT 1 / $1::int', /division by zero/],
    ['is wrong', 'SELECT nothing FROM links WHERE pk = $1', /does not exist/],
    ['writes', 'DELETE FROM links WHERE pk = $1', /read-only transaction/],
  ])('leaves its connection as it was when the statement %s', async (_, text, error) => {
    const before = await connection();
    await expect(read(text, [0])).rejects.toThrow(error);
    expect(await settingsNow()).toEqual(USUAL);
    expect(await connection()).toBe(before);
  });

  it('leaves no statement with its plan on the connection', async () => {
    await read('SELECT pk FROM links WHERE app_id = $1', ['pocket-ledger']);
    const { rows } = await database.pool.query(
      `SELECT name FROM pg_prepared_statements WHERE statement LIKE '%FROM links%'`,
    );
    expect(rows).toEqual([]);
  });
});

storageOfFile();

const TENANT: Tenant = { appId: 'pocket-ledger', environment: 'sandbox' };
const OF_LINKS: Tenant = { ...TENANT, only: { links: ['mk_1'] } };
const FIRST = { after: null, limit: 20 };
const LISTENER = { webhookEvents: [], linkId: null, since: null } as unknown as Parameters<
  ListenedEvents['read']
>[1];

describe('A list whose page reads a bounded number of rows', () => {
  const pages: readonly [string, string, (ctx: Context) => Promise<unknown>][] = [
    ['links', 'links', (ctx) => listLinks(ctx, TENANT, {}, { ...FIRST, order: 'desc' })],
    [
      'links of a key pair',
      'links',
      (ctx) => listLinks(ctx, OF_LINKS, {}, { ...FIRST, order: 'asc' }),
    ],
    ['link sessions', 'link_sessions', (ctx) => listSessions(ctx, TENANT, {}, FIRST)],
    [
      'events of a key pair',
      'webhook_events',
      (ctx) =>
        new WebhookLogRepository(ctx).list(OF_LINKS, { ...FIRST, filter: {}, order: 'desc' }),
    ],
    [
      'events of a listener of a key pair',
      'webhook_events',
      (ctx) => new ListenedEvents(ctx).read(OF_LINKS, LISTENER, { after: 0n, limit: 20 }),
    ],
    [
      'recorded actions',
      'operator_actions',
      (ctx) => listRecord(ctx, {}, { before: null, limit: 20 }),
    ],
  ];

  it.each(pages)('reads %s in the order of an index', async (_, table, read) => {
    const queried = jest.spyOn(pg.Client.prototype, 'query');
    await read(storage.ctx);
    const texts = queried.mock.calls.map(([query]: unknown[]) =>
      typeof query === 'string' ? query : (query as { text: string }).text,
    );
    const page = texts.findIndex((text) => text.includes(`FROM ${table} `));
    expect(texts[page - 1]).toBe(BEGIN_IN_INDEX_ORDER);
    expect(texts[page + 1]).toBe('COMMIT');
  });
});
