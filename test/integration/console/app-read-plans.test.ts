import {
  reportedEventsStatement,
  reportedSessionsStatement,
  reportedUnrevokedStatement,
} from '../../../prisma/links/link/link-report.js';
import {
  appDisabledStatement,
  appWaitingStatement,
  listAppEndpoints,
  MAX_READ,
} from '../../../prisma/operations/standing/app-endpoints.js';
import {
  bankLinksStatement,
  bankSessionsStatement,
  MAX_LINKS,
  MAX_SESSIONS,
  readBankActivity,
} from '../../../prisma/operations/standing/bank-day.js';
import { findStatement } from '../../../prisma/operations/standing/find-by-id.js';
import {
  firstLinkStatement,
  MAX_CHANGES,
  newestDeliveredStatement,
  secretUseStatement,
  stateChangesStatement,
} from '../../../prisma/operations/standing/first-steps.js';
import { decisionsStatement } from '../../../prisma/sources/routing/route-operator.repository.js';
import type { Statement } from '../../../prisma/base/database/statement.js';
import { explain } from '../../support/assertions/explain-statement.js';
import { fillDatabase, type FilledDatabase } from '../../support/fixtures/filled-database.js';

/** `CONSOLE_ROWS=1000000` sets the number of each kind that the service promises to handle. */
const ROWS = Number(process.env['CONSOLE_ROWS'] ?? 20_000);
const TENANT = { appId: 'pocket-ledger', environment: 'sandbox' } as const;
const BANK = { tenant: TENANT, institutionId: 'bank' };
const SINCE = new Date('2026-03-01T00:00:00Z');
const EVERY_TABLE = /^[a-z_]+$/;

/** Every tenth row belongs to `mk_busy`; half of the links and sessions to `bank`, and of the events to another app. */
describe('The reads of an app with many rows', () => {
  let filled: FilledDatabase;
  beforeAll(async () => {
    const tenant = `'pocket-ledger', 'sandbox'`;
    const numbers = `generate_series(1, ${ROWS}) AS n`;
    const linkOf = `CASE WHEN n % 10 = 0 THEN 'mk_busy' ELSE 'mk_' || n END`;
    const bankOf = `CASE WHEN n % 2 = 0 THEN 'bank' ELSE 'bank-' || n % 100 END`;
    const appOf = `CASE WHEN n % 2 = 0 THEN 'pocket-ledger' ELSE 'other' END, 'sandbox'`;
    filled = await fillDatabase(`
      INSERT INTO applications (app_id, name) VALUES ('pocket-ledger', 'App'), ('other', 'Other');
      INSERT INTO api_clients (client_id, app_id, environment) SELECT 'sandbox_' || n, 'pocket-ledger', 'sandbox' FROM generate_series(1, 300) AS n;
      INSERT INTO client_secrets (secret_id, client_id, secret_hash) SELECT 'sec_' || n, 'sandbox_' || 1 + n % 300, '' FROM generate_series(1, 600) AS n;
      INSERT INTO customer_users (app_id, environment, user_id) VALUES (${tenant}, 'ann');
      INSERT INTO links (link_id, app_id, environment, client_id, customer_user_pk, institution_id, provider, state, connected_at, webhook)
      SELECT 'mk_' || n, ${tenant}, 'sandbox_1', 1, ${bankOf}, 'feed', 'connected', now(), 'https://app.example/' FROM ${numbers};
      INSERT INTO links (link_id, app_id, environment, client_id, customer_user_pk, institution_id, provider, state, connected_at)
      VALUES ('mk_busy', ${tenant}, 'sandbox_1', 1, 'bank', 'feed', 'connected', now());
      INSERT INTO link_products (link_pk, product, position, required, prefetch, require_permission, extend_history, state, fetched_in_run, attempt_began_at)
      SELECT pk, product, 1, true, true, true, false, 'completed', 1, now() FROM links, unnest(ARRAY['accounts', 'transactions']) AS product;
      INSERT INTO accounts (account_id, link_pk, provider_account_id, account_type, name, currency, position)
      SELECT 'acc_' || n, n, 'a', 'depository', 'Checking', 'USD', 1 FROM ${numbers};
      INSERT INTO route_decisions (link_id, session_id, attempt_key, institution_id, why, candidates, failed_cause)
      SELECT ${linkOf}, 'ses_' || n, 'one', 'bank', 'first', '[]', 'institution_down' FROM ${numbers};
      INSERT INTO link_sessions (session_id, app_id, environment, client_id, customer_user_pk, token_hash, mode, began_as, products, features, state, end_reason, expires_at, link_pk, institution_id, created_at)
      SELECT 'ses_' || n, ${tenant}, 'sandbox_1', 1, sha256(n::text::bytea), 'relink', 'relink', '{}', '{}', 'ended', 'expired', now(),
             (SELECT pk FROM links WHERE link_id = ${linkOf}), ${bankOf}, '2026-03-01T00:00:00Z'::timestamptz + n * interval '1 second' FROM ${numbers};
      INSERT INTO unrevoked_permissions (link_id, app_id, environment, institution_id, provider, adapter, reason)
      SELECT ${linkOf}, ${tenant}, 'bank', 'feed', 'feed', 'time_over' FROM ${numbers};
      INSERT INTO webhook_events (event_id, app_id, environment, link_id, webhook_event, idempotency_key, origin, body, body_sha256)
      SELECT 'evt_' || n, ${appOf}, ${linkOf}, 'link.state_changed', n, 'change', '{}', '' FROM ${numbers};
      INSERT INTO webhook_deliveries (delivery_id, event_pk, app_id, environment, reason, status, url, endpoint)
      SELECT 'whd_' || n, n, ${appOf}, 'event', (ARRAY['pending', 'disabled', 'delivered'])[1 + n % 3], 'https://app.example/' || n % 7 || '?key=' || n, 'https://app.example:443' FROM ${numbers};
      ANALYZE`);
  }, 600_000);
  afterAll(() => filled?.close());

  const touchedOf = async (statement: Statement, tables = EVERY_TABLE) =>
    (await explain(statement, filled.ctx.database.pool, tables)).touched;

  it.each<[string, Statement, number]>([
    ['of its sessions', reportedSessionsStatement(BigInt(ROWS + 1), 20), 20],
    ['of its events with their deliveries', reportedEventsStatement('mk_busy'), 40],
    ['of its unrevoked permissions', reportedUnrevokedStatement('mk_busy', 20), 20],
    ['of the choices of its routes', decisionsStatement('mk_busy', 21), 21],
  ])('read %s no more than a busy link shows', async (_, statement, max) => {
    const touched = await touchedOf(statement);
    expect(touched).toBeGreaterThan(max / 2);
    expect(touched).toBeLessThanOrEqual(max);
  });

  it.each<[string, Statement, number]>([
    ['the secrets of 200 key pairs', secretUseStatement(TENANT), 200 + 200 * 25],
    ['one link', firstLinkStatement(TENANT), 1],
    ['one delivery and its event', newestDeliveredStatement(TENANT), 2],
    ['the newest changes of state', stateChangesStatement(TENANT), MAX_CHANGES + 1],
  ])('read %s for the first steps', async (_, statement, max) => {
    const touched = await touchedOf(statement);
    expect(touched).toBeGreaterThan(0);
    expect(touched).toBeLessThanOrEqual(max);
  });

  it('read 1,000 deliveries that wait, and the event and link of as many whose address is disabled', async () => {
    expect(await touchedOf(appWaitingStatement(TENANT))).toBe(MAX_READ + 1);
    expect(await touchedOf(appDisabledStatement(TENANT))).toBeLessThanOrEqual(3 * (MAX_READ + 1));
    const { endpoints, isCut } = await listAppEndpoints(filled.ctx.database, TENANT);
    expect([endpoints.length, isCut]).toEqual([7, true]);
    expect(endpoints.reduce((sum, { waiting }) => sum + waiting, 0)).toBe(MAX_READ);
  });

  it('read 2,000 sessions of a bank with their logins, and 1,000 links with their products', async () => {
    expect(await touchedOf(bankSessionsStatement(BANK, SINCE))).toBeLessThanOrEqual(
      2 * (MAX_SESSIONS + 1),
    );
    expect(await touchedOf(bankLinksStatement(BANK))).toBeLessThanOrEqual(3 * (MAX_LINKS + 1));
    const read = await readBankActivity(filled.ctx.database, BANK, {
      since: SINCE,
      now: new Date(),
    });
    expect([read.sessionsRead, read.linksRead, read.isCut]).toEqual([
      MAX_SESSIONS,
      MAX_LINKS,
      true,
    ]);
    expect(read.attempts).toHaveLength(MAX_SESSIONS);
  });

  it.each(['mk_busy', 'ses_9', 'evt_8', 'whd_8', 'acc_9', 'sandbox_1', 'ann', 'unknown'])(
    'read by keys alone to find %s',
    async (id) => {
      for (const appId of [null, 'pocket-ledger'])
        expect(await touchedOf(findStatement(id, { appId }))).toBeLessThanOrEqual(12);
    },
  );
});
