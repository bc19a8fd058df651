import type { Restriction, Tenant } from '../../../domain/api/environment.js';
import { MAX_RESTRICTED_TO } from '../../../domain/api/restriction.js';
import type { Context } from '../../../prisma/base/context.js';
import {
  linkPageStatement,
  type LinkFilter,
  type LinkPosition,
} from '../../../prisma/links/link/link-page-statement.js';
import { explain } from '../../support/assertions/explain-statement.js';
import { fillDatabase } from '../../support/fixtures/filled-database.js';
import { representatives } from '../../support/runner/representatives.js';

const TENANT: Tenant = { appId: 'pocket-ledger', environment: 'sandbox' };
/** `LISTED_LINKS=1000000` sets the number that the service promises to handle. */
const LINKS = Number(
  process.env['LISTED_LINKS'] ?? (process.env['LONG_RUNS'] ? 1_000_000 : 20_000),
);
const FIRST_AT = Date.parse('2026-01-01T00:00:00Z');
const USERS = LINKS / 20;
const LIMIT = 20;
/** Rows that a page may read for each link that it can hold. */
const PER_LINK = 10;

/**
 * One link in a thousand is broken, deleted, or of a rare bank or provider; every second one has a
 * tag, and every fourth one is of a common bank. Of the app's links, `user-0` has a tenth, and
 * `user-gone` a tenth that are deleted.
 */
describe('GET /links with many links', () => {
  let ctx: Context;
  let close: () => Promise<void>;
  beforeAll(async () => {
    ({ ctx, close } = await fillDatabase(`
      INSERT INTO applications (app_id, name) VALUES ('pocket-ledger', 'App'), ('other', 'App');
      INSERT INTO api_clients (client_id, app_id, environment) SELECT 'sandbox_' || app_id, app_id, 'sandbox' FROM applications;
      INSERT INTO customer_users (app_id, environment, user_id)
      SELECT app_id, 'sandbox', 'user-' || n FROM applications, generate_series(0, ${USERS - 1}) AS n;
      INSERT INTO customer_users (app_id, environment, user_id) VALUES ('pocket-ledger', 'sandbox', 'user-gone');
      INSERT INTO links (link_id, app_id, environment, client_id, customer_user_pk, institution_id, provider, state, error_code, tags, connected_at, deleted_at, created_at, updated_at)
      SELECT 'mk_' || n, app, 'sandbox', 'sandbox_' || app, (SELECT pk FROM customer_users u WHERE u.app_id = app AND u.user_id = 'user-' || CASE n % 20 WHEN 6 THEN '0' WHEN 12 THEN 'gone' ELSE (n % ${USERS})::text END),
             CASE WHEN n % 1000 = 14 THEN 'bank-rare' WHEN n % 8 = 0 THEN 'bank-common' ELSE 'bank-' || n % 50 END, CASE WHEN n % 1000 = 4 THEN 'rare' ELSE 'sandbox' END,
             CASE WHEN n % 1000 = 2 THEN 'error' WHEN n % 1000 = 6 OR n % 20 = 12 THEN 'deleted' ELSE 'connected' END, CASE WHEN n % 1000 = 2 THEN 'auth_expired' END,
             CASE WHEN n % 4 = 0 THEN ARRAY['common'] WHEN n % 1000 = 2 THEN ARRAY['rare', 'tier:gold'] ELSE '{}'::text[] END,
             CASE WHEN n % 1000 <> 8 THEN to_timestamp(${FIRST_AT} / 1000 + n) END, CASE WHEN n % 1000 = 6 OR n % 20 = 12 THEN now() END,
             to_timestamp(${FIRST_AT} / 1000 + n), to_timestamp(${FIRST_AT} / 1000 + n)
        FROM (SELECT n, CASE WHEN n % 2 = 0 THEN 'pocket-ledger' ELSE 'other' END AS app FROM generate_series(1, ${LINKS}) AS n) AS numbers;
      ANALYZE links; ANALYZE link_tags; ANALYZE customer_users`));
  }, 600_000);
  afterAll(() => close?.());

  const late = new Date(FIRST_AT + (LINKS / 2) * 1_000);
  const FILTERS: Readonly<Record<string, LinkFilter>> = {
    none: {},
    'a common state': { state: 'connected' },
    'a rare state': { state: 'error' },
    'an error': { error: 'auth_expired' },
    'an error that no link has': { error: 'system_error' },
    'an institution': { institutionId: 'bank-4' },
    'a common institution': { institutionId: 'bank-common' },
    'a rare institution': { institutionId: 'bank-rare' },
    'an unknown institution': { institutionId: 'none' },
    'a common provider': { provider: 'sandbox' },
    'a rare provider': { provider: 'rare' },
    'a user': { user: 'user-8' },
    'a user with many links': { user: 'user-0' },
    'a user with many deleted links': { user: 'user-gone' },
    'a user with many links and a time of update': { user: 'user-0', updatedSince: late },
    'a user with many links and a rare state': { user: 'user-0', state: 'error' },
    'an unknown user': { user: 'user-none' },
    'a common tag': { tag: 'common' },
    'a rare tag': { tag: 'rare' },
    'an unknown tag': { tag: 'none' },
    'a time of update': { updatedSince: late },
    'an error and a time of update': { error: 'auth_expired', updatedSince: late },
    'a tag and a time of update': { tag: 'rare', updatedSince: late },
    'conditions that exclude each other': { state: 'error', tag: 'common' },
    'conditions that many links meet one by one': { provider: 'rare', state: 'error' },
    'a user and everything else': {
      user: 'user-2',
      tag: 'rare',
      error: 'auth_expired',
      institutionId: 'bank-2',
      provider: 'sandbox',
      state: 'error',
    },
  };

  const PAGES = [
    ['the first', null],
    [
      'a later',
      { pk: BigInt(Math.floor(LINKS * 0.7)), updatedAt: new Date(FIRST_AT + LINKS * 700) },
    ],
  ] as const;
  /** Each user of a key pair is looked up, which may count as a row. */
  const usersOf = ({ only }: Tenant) =>
    only !== undefined && 'users' in only ? only.users.length : 0;
  const expectFewRead = async (
    tenant: Tenant,
    filter: LinkFilter,
    after: LinkPosition | null,
  ): Promise<void> => {
    const statement = linkPageStatement(tenant, filter, { after, limit: LIMIT });
    for (const table of [/^links$/, /^link_tags$/]) {
      const { touched } = await explain(statement, ctx.database.pool, table);
      expect(touched).toBeLessThanOrEqual(PER_LINK * (LIMIT + 1) + usersOf(tenant));
    }
  };

  describe.each(Object.entries(FILTERS))('filtered by %s', (_, filter) => {
    it.each(PAGES)('reads at most ten links for each of %s page', (_page, after) =>
      expectFewRead(TENANT, filter, after),
    );
  });

  const some = <T>(name: (n: number) => T) =>
    Array.from({ length: MAX_RESTRICTED_TO }, (_, n) => name(n));
  const RESTRICTIONS: Readonly<Record<string, Restriction>> = {
    'a user with many links': { users: ['user-0'] },
    'a hundred users': { users: some((n) => (n === 1 ? 'user-gone' : `user-${2 * n}`)) },
    'a hundred links': { links: some((n) => `mk_${20 * n + 6}`) },
  };
  const OF_RESTRICTED = [
    'none',
    'a common state',
    'a rare state',
    'a user with many links',
    'a rare tag',
    'a time of update',
    'an error and a time of update',
    'a user and everything else',
  ];

  describe.each(Object.entries(RESTRICTIONS))('for a key pair of %s', (_, only) => {
    describe.each(OF_RESTRICTED)('filtered by %s', (name) => {
      // Its statement has every condition of the first page, and its position.
      it.each(representatives(PAGES, ([page]) => page === 'a later'))(
        'reads at most ten links for each of %s page',
        (_page, after) => expectFewRead({ ...TENANT, only }, FILTERS[name] ?? {}, after),
      );
    });
  });
});
