import { countsStatement, MAX_COUNTED } from '../../../prisma/operations/standing/app-counts.js';
import {
  listWaitingEndpoints,
  MAX_WAITING,
  waitingEndpointsStatement,
} from '../../../prisma/operations/standing/waiting-endpoints.js';
import { explain } from '../../support/assertions/explain-statement.js';
import { runCommand } from '../../support/actors/operator.js';
import { fillDatabase, type FilledDatabase } from '../../support/fixtures/filled-database.js';
import { storageOfFile, storage } from '../../support/fixtures/stored-link.js';
import { CANARY, storyOf } from '../links/support/story-of-link.js';

storageOfFile();

const FIRST_AT = new Date('2026-03-01T00:00:00Z');
let env: Record<string, string>;
beforeAll(async () => {
  env = { DATABASE_URL: storage.url, MASTER_KEYS: `test:${storage.masterKey.toString('base64')}` };
  const story = await storyOf(storage, FIRST_AT);
  await storage.ctx.database.prisma.link.update({
    where: { pk: story.link.pk },
    data: { state: 'error', errorCode: 'auth_expired' },
  });
  await story.session(1, { state: 'open' });
  await story.session(2, { state: 'ended' });
  const event = () => story.event(3, { webhook_event: 'link.state_changed' });
  const refused = (endpoint: string, attempts: number, httpStatus: number | null) => ({
    endpoint,
    attempts,
    status: 'pending',
    inWorkflow: true,
    nextAttemptAt: story.at(10),
    history: [
      {
        attempt: attempts,
        httpStatus,
        error: httpStatus === null ? 'timeout' : 'http_status',
        responseExcerpt: CANARY,
      },
    ],
  });
  await story.delivery(await event());
  await story.delivery(await event(), { status: 'exhausted' });
  await story.delivery(await event(), refused('https://refusing.example', 5, 500));
  await story.delivery(await event(), refused('https://slow.example', 2, null));
  for (let count = 0; count < MAX_WAITING + 5; count += 1)
    await story.delivery(await event(), { status: 'pending', attempts: 0, history: [] });
});

const json = async (...args: string[]): Promise<unknown> => {
  const { status, stdout, stderr } = await runCommand([...args, '--json'], env);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return JSON.parse(stdout);
};

describe('apps counts', () => {
  it('counts links in error, events that are not delivered and open sessions of one environment', async () => {
    const rows = (await json('apps', 'counts', 'pocket-ledger', 'sandbox')) as { count: string }[];
    expect(rows.filter(({ count }) => count !== '0')).toEqual([
      { of: 'links in error', name: 'auth_expired', count: '1' },
      { of: 'events', name: 'pending', count: '107' },
      { of: 'events', name: 'exhausted', count: '1' },
      { of: 'sessions', name: 'open', count: '1' },
    ]);
    expect(rows).toHaveLength(11);
    const live = (await json('apps', 'counts', 'pocket-ledger', 'live')) as { count: string }[];
    expect(live.every(({ count }) => count === '0')).toBe(true);
  });

  it('fails for an unknown app', async () => {
    expect((await runCommand(['apps', 'counts', 'none', 'live'], env)).status).toBe(1);
  });
});

describe('deliveries endpoints', () => {
  it('lists receivers with what waits for them and their last answer, those that refuse first', async () => {
    expect(await json('deliveries', 'endpoints')).toEqual([
      {
        endpoint: 'https://refusing.example',
        new: '0',
        refused: '1',
        attempts: 5,
        last_answer: 'HTTP 500',
        next_attempt_at: '2026-03-01T00:10:00.000Z',
      },
      {
        endpoint: 'https://slow.example',
        new: '0',
        refused: '1',
        attempts: 2,
        last_answer: 'timeout',
        next_attempt_at: '2026-03-01T00:10:00.000Z',
      },
      {
        endpoint: 'https://app.example',
        new: '100+',
        refused: '0',
        attempts: null,
        last_answer: null,
        next_attempt_at: null,
      },
    ]);
  });

  it('prints no path of an address and no text of a receiver', async () => {
    const { stdout } = await runCommand(['deliveries', 'endpoints'], env);
    expect(stdout).toContain('https://refusing.example');
    expect(stdout).not.toContain(CANARY);
  });
});

describe('The numbers of an app with many rows', () => {
  const ROWS = Number(process.env['COUNTED_ROWS'] ?? 50_000);
  let filled: FilledDatabase;
  beforeAll(async () => {
    const tenant = `'pocket-ledger', 'sandbox'`;
    const numbers = `generate_series(1, ${ROWS}) AS n`;
    filled = await fillDatabase(`
      INSERT INTO applications (app_id, name) VALUES ('pocket-ledger', 'App');
      INSERT INTO api_clients (client_id, app_id, environment) VALUES ('sandbox_a', ${tenant});
      INSERT INTO customer_users (app_id, environment, user_id) VALUES (${tenant}, 'ann');
      INSERT INTO links (link_id, app_id, environment, client_id, customer_user_pk, institution_id, provider, state, error_code, connected_at)
      SELECT 'mk_' || n, ${tenant}, 'sandbox_a', 1, 'bank', 'feed', CASE WHEN n % 3 = 0 THEN 'error' ELSE 'connected' END,
             CASE WHEN n % 3000 = 0 THEN 'incomplete' WHEN n % 3 = 0 THEN 'auth_expired' END, now() FROM ${numbers};
      INSERT INTO link_sessions (session_id, app_id, environment, client_id, customer_user_pk, token_hash, mode, began_as, products, features, state, expires_at)
      SELECT 'ses_' || n, ${tenant}, 'sandbox_a', 1, sha256(n::text::bytea), 'link', 'link', '{}', '{}', CASE WHEN n % 1000 = 0 THEN 'open' ELSE 'ended' END, now() FROM ${numbers};
      INSERT INTO webhook_events (event_id, app_id, environment, link_id, webhook_event, idempotency_key, origin, body, body_sha256)
      SELECT 'evt_' || n, ${tenant}, 'mk_1', 'link.state_changed', n, 'change', '{}', '' FROM ${numbers};
      INSERT INTO webhook_deliveries (delivery_id, event_pk, app_id, environment, reason, status, endpoint, attempts, in_workflow, next_attempt_at)
      SELECT 'whd_' || n, n, ${tenant}, 'event', CASE WHEN n % 4 = 0 THEN 'delivered' ELSE 'pending' END, 'https://host-' || n % 50, n % 4 - 1, n % 4 = 2, now() FROM ${numbers};
      ANALYZE`);
  }, 600_000);
  afterAll(() => filled?.close());

  it('are counted by at most one row more than each number shows', async () => {
    const statement = countsStatement({ appId: 'pocket-ledger', environment: 'sandbox' });
    const { touched } = await explain(
      statement,
      filled.ctx.database.pool,
      /^(links|link_sessions|webhook_deliveries)$/,
    );
    expect(touched).toBeLessThanOrEqual(11 * (MAX_COUNTED + 1));
  });

  it('of its receivers are read by at most the shown count of each, and its look-ups', async () => {
    const { touched } = await explain(
      waitingEndpointsStatement(),
      filled.ctx.database.pool,
      /^webhook_deliveries$/,
    );
    expect(touched).toBeLessThanOrEqual(50 * (3 * (MAX_WAITING + 1) + 5) + 3);
    const endpoints = await listWaitingEndpoints(filled.ctx.database);
    expect(endpoints).toHaveLength(50);
    for (const { new: waiting, refused } of endpoints) {
      expect(waiting + refused).toBeGreaterThan(0);
      expect(Math.max(waiting, refused)).toBeLessThanOrEqual(MAX_WAITING + 1);
    }
  });
});
