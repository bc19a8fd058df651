import { sealedCountsStatement, MAX_SEALED } from '../../../prisma/base/master-keys/key-counts.js';
import {
  MAX_SEARCHED,
  newestActions,
  newestActionsStatement,
} from '../../../prisma/base/operator-actions/newest-action.js';
import type { Statement } from '../../../prisma/base/database/statement.js';
import { bankStandingStatement } from '../../../prisma/operations/standing/bank-standing.js';
import { MAX_COUNTED } from '../../../prisma/operations/standing/app-counts.js';
import {
  abandonedEventsStatement,
  appsInNeedStatement,
  MAX_APPS_COUNTED,
  MAX_OF_RECEIVER,
  MAX_RECEIVERS,
  refusingAppsStatement,
} from '../../../prisma/operations/standing/apps-in-need.js';
import {
  countLinksInError,
  linksInErrorStatement,
  MAX_IN_ERROR,
} from '../../../prisma/operations/standing/links-in-error.js';
import {
  MAX_LINKS,
  MAX_WINDOWS,
  providerStandingStatement,
  quotaStandingStatement,
  readQuotas,
} from '../../../prisma/operations/standing/provider-standing.js';
import {
  bankPageStatement,
  failingRoutesStatement,
  MAX_COMPARED,
  similarBanksStatement,
} from '../../../prisma/sources/institutions/list-banks.js';
import { applicationPageStatement } from '../../../prisma/tenants/applications/application-page.js';
import {
  keyPairPageStatement,
  MAX_LISTED_SECRETS,
} from '../../../prisma/tenants/applications/key-pair-page.js';
import { pairUseStatement } from '../../../prisma/tenants/usage/pair-use.js';
import { explain } from '../../support/assertions/explain-statement.js';
import { fillDatabase, type FilledDatabase } from '../../support/fixtures/filled-database.js';

/** `CONSOLE_ROWS=1000000` sets the number of each kind that the service promises to handle. */
const ROWS = Number(process.env['CONSOLE_ROWS'] ?? 20_000);
const TENANT = { appId: 'app-1', environment: 'sandbox' } as const;
const PAGE = { after: 'a', limit: 51 };
const BANKS = Array.from({ length: 50 }, (_, index) => `bank-${index + 1}`);
const PAIRS = Array.from({ length: 200 }, (_, index) => `sandbox_${index}`);
/** The average of each of 202 repetitions is rounded. */
const ROUNDED = 2;
const EVERY_TABLE = /^[a-z_]+$/;

/** Half of the links are in error, a tenth of the actions is on `bank-1`, and one pair has most secrets. */
describe('The reads of an instance with many rows', () => {
  let filled: FilledDatabase;
  beforeAll(async () => {
    const numbers = `generate_series(1, ${ROWS}) AS n`;
    filled = await fillDatabase(`
      INSERT INTO applications (app_id, name) SELECT 'app-' || n, 'App' FROM ${numbers};
      INSERT INTO api_clients (client_id, app_id, environment) SELECT 'sandbox_' || n, 'app-1', 'sandbox' FROM generate_series(1, 500) AS n;
      INSERT INTO client_secrets (secret_id, client_id, secret_hash, created_at)
      SELECT 'sec_' || n, CASE WHEN n % 2 = 0 THEN 'sandbox_1' ELSE 'sandbox_' || 1 + n % 500 END, '', '2026-03-01T00:00:00Z'::timestamptz + n * interval '1 second' FROM ${numbers};
      INSERT INTO app_use (app_id, environment, bound, day, slot, client_id, used)
      SELECT 'app-1', 'sandbox', 'sessions', '2026-03-01'::date - n % 90, n / 90 % 2, 'sandbox_' || n / 90, 1 FROM ${numbers};
      INSERT INTO customer_users (app_id, environment, user_id) VALUES ('app-1', 'sandbox', 'ann');
      INSERT INTO institutions (institution_id, name, country, environment, login, search_text)
      SELECT 'bank-' || n, 'Bank ' || n, 'US', 'live', 'form', 'bank ' || n FROM ${numbers};
      INSERT INTO institution_routes (institution_id, provider, remote_id, login)
      SELECT 'bank-' || n, feed, n, 'form' FROM ${numbers}, unnest(ARRAY['feed', 'other']) AS feed;
      INSERT INTO route_health (institution_id, provider, operation, successes, failures, changed_at)
      SELECT 'bank-' || n, 'feed', operation, 1, CASE WHEN n % 2 = 0 THEN 9 ELSE 0 END, now() FROM ${numbers}, unnest(ARRAY['login', 'fetch']) AS operation;
      INSERT INTO links (link_id, app_id, environment, client_id, customer_user_pk, institution_id, provider, state, error_code, connected_at)
      SELECT 'mk_' || n, 'app-1', 'sandbox', 'sandbox_1', 1, 'bank-1', 'feed', CASE WHEN n % 2 = 0 THEN 'error' ELSE 'connected' END, CASE WHEN n % 2 = 0 THEN 'auth_error' END, now() FROM ${numbers};
      INSERT INTO webhook_events (event_id, app_id, environment, link_id, webhook_event, idempotency_key, origin, body, body_sha256)
      SELECT 'evt_' || n, 'app-1', 'sandbox', 'mk_' || n, 'link.state_changed', n, 'change', '{}', '' FROM ${numbers};
      INSERT INTO webhook_deliveries (delivery_id, event_pk, app_id, environment, reason, status, url, endpoint, attempts, in_workflow, next_attempt_at)
      SELECT 'whd_' || n, n, 'app-1', 'sandbox', 'event', CASE WHEN n % 2 = 0 THEN 'exhausted' ELSE 'pending' END,
             'https://app.example/', 'https://app-' || n % 500 || '.example', 4, true, now() + n * interval '1 second' FROM ${numbers};
      INSERT INTO provider_credentials (link_pk, provider, reference, sealed) SELECT pk, 'feed', pk::text, '' FROM links;
      INSERT INTO quota_windows (provider, quota, subject, window_start, used, "limit", ends_at)
      SELECT 'feed', 'calls', n::text, now(), 1, 100, now() + interval '1 hour' FROM ${numbers};
      INSERT INTO operator_actions (actor, action, subject, outcome)
      SELECT 'ann', CASE WHEN n % 20 = 0 THEN 'institutions pause' ELSE 'institutions resume' END,
             CASE WHEN n % 10 = 0 THEN 'bank-1 --reason x' ELSE 'bank-' || n END, 'succeeded' FROM ${numbers};
      INSERT INTO data_keys (owner, master_key_id, wrapped) SELECT n::text, 'k1', '' FROM ${numbers};
      ANALYZE`);
  }, 600_000);
  afterAll(() => filled?.close());

  const touchedOf = async (statement: Statement, tables = EVERY_TABLE) =>
    (await explain(statement, filled.ctx.database.pool, tables)).touched;

  it.each<[string, Statement, number]>([
    ['apps', applicationPageStatement(PAGE), 51],
    ['ids of banks', bankPageStatement(PAGE), 51],
    ['routes that fail', failingRoutesStatement({ ...PAGE, limit: 501 }), 501],
    ['the nearest names of banks', similarBanksStatement('bank 17'), MAX_COMPARED],
    [
      'the links in error of 101 apps',
      appsInNeedStatement('links', { after: '', limit: 101 }),
      101 + MAX_COUNTED + ROUNDED,
    ],
    [
      'the abandoned events of 101 apps',
      appsInNeedStatement('events', { after: '', limit: 101 }),
      101 + MAX_COUNTED + ROUNDED,
    ],
    [
      'the receivers that refuse, and the apps of their newest deliveries',
      refusingAppsStatement(),
      MAX_RECEIVERS * (3 + MAX_OF_RECEIVER),
    ],
    [
      'abandoned events, of 1,000 apps',
      abandonedEventsStatement(),
      MAX_APPS_COUNTED + MAX_COUNTED + 1,
    ],
    ['links in error, of all apps', linksInErrorStatement(), MAX_IN_ERROR + 1],
    [
      'key pairs, and the newest secrets of each',
      keyPairPageStatement(TENANT, { after: '', limit: 201 }),
      201 * (1 + MAX_LISTED_SECRETS + 1),
    ],
    [
      'the use of 200 key pairs on a day',
      pairUseStatement(TENANT, { clientIds: PAIRS, day: '2026-03-01' }),
      200 * 2,
    ],
    // For each: itself, its pause, and of two routes the route, its pause, its configuration and its calls.
    ['50 banks with their routes', bankStandingStatement(BANKS), 50 * (2 + 2 * 5)],
    ['the links of a provider', providerStandingStatement(['feed', 'none']), MAX_LINKS + 3],
    ['the quotas of a provider', quotaStandingStatement(['feed'], new Date()), MAX_WINDOWS + 1],
    [
      'the newest pause of a bank',
      newestActionsStatement('institutions pause', ['bank-1', 'bank-2', 'none']),
      3 * MAX_SEARCHED,
    ],
    ['the values that a master key seals', sealedCountsStatement(['k1', 'k2']), MAX_SEALED + 1],
  ])('read %s up to their bound', async (_, statement, max) => {
    const touched = await touchedOf(statement);
    expect(touched).toBeGreaterThan(0);
    expect(touched).toBeLessThanOrEqual(max);
  });

  it('count more than a thousand links in error as one more than that', async () => {
    expect(await countLinksInError(filled.ctx.database)).toBe(MAX_IN_ERROR + 1);
  });

  it('add up the quotas of as many windows as they read, and say that there are more', async () => {
    expect(await readQuotas(filled.ctx.database, ['feed'], new Date())).toEqual([
      expect.objectContaining({
        quota: 'calls',
        limit: 100,
        usedUp: 0,
        leastLeft: 99,
        isCut: true,
      }),
    ]);
  });

  it('find the newest pause of a bank behind other actions on it', async () => {
    const found = await newestActions(filled.ctx.database, 'institutions pause', [
      'bank-1',
      'bank-20000',
      'bank-3',
    ]);
    expect([...found.keys()]).toEqual(['bank-1']);
    expect(found.get('bank-1')).toMatchObject({ actor: 'ann', subject: 'bank-1 --reason x' });
  });
});
