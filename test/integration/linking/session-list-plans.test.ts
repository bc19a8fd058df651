import type { Restriction, Tenant } from '../../../domain/api/environment.js';
import { MAX_RESTRICTED_TO } from '../../../domain/api/restriction.js';
import type { Context } from '../../../prisma/base/context.js';
import { BEGIN_IN_INDEX_ORDER } from '../../../prisma/base/database/read-in-index-order.js';
import {
  sessionPageStatement,
  type SessionFilter,
  type SessionPosition,
} from '../../../prisma/links/sessions/session-list.js';
import { explain } from '../../support/assertions/explain-statement.js';
import { fillDatabase } from '../../support/fixtures/filled-database.js';
import { representatives } from '../../support/runner/representatives.js';

const TENANT: Tenant = { appId: 'pocket-ledger', environment: 'sandbox' };
/** `LISTED_SESSIONS=1000000` sets the number that the service promises to handle. */
const SESSIONS = Number(
  process.env['LISTED_SESSIONS'] ?? (process.env['LONG_RUNS'] ? 1_000_000 : 20_000),
);
const NOW = new Date('2026-06-01T00:00:00Z');
const DAY = 86_400_000;
/** One session in ten is too old for the list. */
const FIRST_AT = NOW.getTime() - 100 * DAY;
const STEP = (100 * DAY) / SESSIONS;
const USERS = SESSIONS / 20;
const LIMITS = [20, 500];
/** Rows that a page may read for each session that it can hold. */
const PER_SESSION = 10;

/**
 * One session in a thousand is open or of a rare bank. A user has one link and 20 sessions; `user-0`
 * has a tenth of all sessions of the app.
 */
describe('GET /link-sessions with many sessions', () => {
  let ctx: Context;
  let close: () => Promise<void>;
  beforeAll(async () => {
    ({ ctx, close } = await fillDatabase(`
      INSERT INTO applications (app_id, name) VALUES ('pocket-ledger', 'App'), ('other', 'App');
      INSERT INTO api_clients (client_id, app_id, environment) SELECT 'sandbox_' || app_id, app_id, 'sandbox' FROM applications;
      INSERT INTO customer_users (app_id, environment, user_id)
      SELECT app_id, 'sandbox', 'user-' || n FROM applications, generate_series(0, ${USERS - 1}) AS n;
      INSERT INTO links (link_id, app_id, environment, client_id, customer_user_pk, institution_id, provider, state, tags, connected_at)
      SELECT 'mk_' || app_id || '_' || user_id, app_id, 'sandbox', 'sandbox_' || app_id, pk, 'bank-1', 'sandbox', 'connected', '{}', now() FROM customer_users;
      INSERT INTO link_sessions (session_id, app_id, environment, client_id, customer_user_pk, link_pk, existing_link_id, mode, began_as, institution_id, state, succeeded_at, created_at, expires_at, ended_at, token_hash, products, countries, providers, features, tags)
      SELECT 'ses_' || n, app, 'sandbox', 'sandbox_' || app, u.pk, l.pk, CASE WHEN n % 4 > 1 THEN l.link_id END,
             CASE WHEN n % 4 > 1 THEN 'relink' ELSE 'link' END, 'link',
             CASE WHEN n % 1000 = 4 THEN 'rare' WHEN n % 10 <> 0 THEN 'bank-' || n % 50 END,
             CASE WHEN n % 1000 = 2 THEN 'open' ELSE 'ended' END, CASE WHEN n % 2 = 0 THEN now() END, at, at, at, int8send(n), '{}', '{}', '{}', '{}', '{}'
        FROM (SELECT n, CASE WHEN n % 2 = 0 THEN 'pocket-ledger' ELSE 'other' END AS app,
                     CASE WHEN n % 20 = 6 THEN 0 ELSE n % ${USERS} END AS of_user,
                     to_timestamp((${FIRST_AT} + n * ${STEP}) / 1000.0) AS at FROM generate_series(1, ${SESSIONS}::bigint) AS n) AS numbers
        JOIN customer_users u ON u.app_id = app AND u.user_id = 'user-' || of_user
        JOIN links l ON l.customer_user_pk = u.pk;
      ANALYZE link_sessions; ANALYZE links; ANALYZE customer_users`));
  }, 600_000);
  afterAll(() => close?.());

  const createdSince = new Date(NOW.getTime() - 40 * DAY);
  const BUSY = { user: 'user-0', linkId: 'mk_pocket-ledger_user-0' };
  const FILTERS: Readonly<Record<string, SessionFilter>> = {
    none: {},
    'a common state': { state: 'ended' },
    'a rare state': { state: 'open' },
    'a state that no session has': { state: 'created' },
    'a common institution': { institutionId: 'bank-4' },
    'a rare institution': { institutionId: 'rare' },
    'an unknown institution': { institutionId: 'none' },
    'a user': { user: 'user-8' },
    'a user with many sessions': { user: BUSY.user },
    'an unknown user': { user: 'user-none' },
    'a link': { linkId: 'mk_pocket-ledger_user-8' },
    'a link with many sessions': { linkId: BUSY.linkId },
    'an unknown link': { linkId: 'mk_none' },
    'a time of creation': { createdSince },
    'a time of creation before the list': { createdSince: new Date(0) },
    'a rare state and a time of creation': { state: 'open', createdSince },
    'a user and a time of creation': { user: BUSY.user, createdSince },
    'a link and a time of creation': { linkId: BUSY.linkId, createdSince },
    'conditions that exclude each other': { state: 'open', institutionId: 'rare' },
    'a user with many sessions and a rare state': { user: BUSY.user, state: 'open' },
    'a user and an institution': { user: BUSY.user, institutionId: 'bank-6' },
    everything: { ...BUSY, institutionId: 'bank-6', state: 'ended', createdSince },
  };

  const PAGES = [
    ['the first', null],
    ['a later', { createdAt: new Date(NOW.getTime() - 30 * DAY), sessionId: 'ses_5' }],
    ['the last', { createdAt: new Date(NOW.getTime() - 89.9 * DAY), sessionId: 'z' }],
  ] as const;
  const expectFewRead = async (
    tenant: Tenant,
    filter: SessionFilter,
    after: SessionPosition | null,
  ): Promise<void> => {
    for (const limit of LIMITS) {
      const { touched } = await explain(
        sessionPageStatement(tenant, filter, { after, limit, now: NOW }),
        ctx.database.pool,
        /^link_sessions$/,
        BEGIN_IN_INDEX_ORDER,
      );
      // Each user or link of a key pair is looked up, which may count as a row.
      const permitted = tenant.only === undefined ? 0 : MAX_RESTRICTED_TO;
      expect(touched).toBeLessThanOrEqual(PER_SESSION * (limit + 1) + permitted);
    }
  };

  describe.each(Object.entries(FILTERS))('filtered by %s', (_, filter) => {
    it.each(PAGES)('reads at most ten sessions for each of %s page', (_page, after) =>
      expectFewRead(TENANT, filter, after),
    );
  });

  const some = (name: (n: number) => string) =>
    Array.from({ length: MAX_RESTRICTED_TO }, (_, n) => name(n));
  const RESTRICTIONS: Readonly<Record<string, Restriction>> = {
    'a user with many sessions': { users: [BUSY.user] },
    'a hundred users': { users: some((n) => `user-${2 * n}`) },
    'a link with many sessions': { links: [BUSY.linkId] },
    'a hundred links': { links: some((n) => `mk_pocket-ledger_user-${2 * n}`) },
  };
  const OF_RESTRICTED = [
    'none',
    'a common state',
    'a rare state',
    'a user with many sessions',
    'a link with many sessions',
    'a user and a time of creation',
    'everything',
  ];

  describe.each(Object.entries(RESTRICTIONS))('for a key pair of %s', (_, only) => {
    describe.each(OF_RESTRICTED)('filtered by %s', (name) => {
      // Its statement has every condition of the first page, and its position.
      it.each(representatives(PAGES, ([page]) => page === 'a later'))(
        'reads at most ten sessions for each of %s page',
        (_page, after) => expectFewRead({ ...TENANT, only }, FILTERS[name] ?? {}, after),
      );
    });
  });
});
