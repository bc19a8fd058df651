import type { Restriction, Tenant } from '../../../domain/api/environment.js';
import { MAX_RESTRICTED_TO } from '../../../domain/api/restriction.js';
import { BEGIN_IN_INDEX_ORDER } from '../../../prisma/base/database/read-in-index-order.js';
import {
  isUnlisted,
  type LinkFilter,
  type LinkOrder,
  type LinkPosition,
} from '../../../prisma/links/link/link-filter.js';
import { linkPageStatement } from '../../../prisma/links/link/link-page-statement.js';
import { explain } from '../../support/assertions/explain-statement.js';
import { fillDatabase, type FilledDatabase } from '../../support/fixtures/filled-database.js';

const TENANT: Tenant = { appId: 'pocket-ledger', environment: 'sandbox' };
/** `LISTED_LINKS=1000000` sets the number that the service promises to handle. */
const SIZES = process.env['LISTED_LINKS']
  ? [Number(process.env['LISTED_LINKS'])]
  : process.env['LONG_RUNS']
    ? [3_000, 20_000, 1_000_000]
    : [3_000, 20_000];
/** `npm test` tries one list in this many, and other ones for each kind of page. */
const EVERY = process.env['LONG_RUNS'] || process.env['LISTED_LINKS'] ? 1 : 7;
const FIRST_AT = Date.parse('2026-01-01T00:00:00Z');
/** Rows that a page may read for each link that it can hold. */
const PER_LINK = 10;
const LIMITS = [20, 500];
const ORDERS: readonly LinkOrder[] = ['asc', 'desc'];

/**
 * Half of the links are of another app, among them the newest tenth. Of the others, nine in ten are
 * of one bank and a thousandth of another, a tenth is of `user-0`, and a tenth is of `user-gone` and
 * deleted. One in a thousand is broken, deleted, never connected or of a rare provider.
 */
const fill = (links: number) => `
  INSERT INTO applications (app_id, name) VALUES ('pocket-ledger', 'App'), ('other', 'App');
  INSERT INTO api_clients (client_id, app_id, environment) SELECT 'sandbox_' || app_id, app_id, 'sandbox' FROM applications;
  INSERT INTO customer_users (app_id, environment, user_id)
  SELECT app_id, 'sandbox', 'user-' || n FROM applications, generate_series(0, ${links / 20 - 1}) AS n
   UNION ALL SELECT app_id, 'sandbox', 'user-gone' FROM applications;
  INSERT INTO links (link_id, app_id, environment, client_id, customer_user_pk, institution_id, provider, state, error_code, tags, connected_at, deleted_at, created_at, updated_at)
  SELECT 'mk_' || n, app, 'sandbox', 'sandbox_' || app, u.pk,
         CASE WHEN n % 1000 = 14 THEN 'bank-rare' WHEN n % 10 <> 0 OR n % 20 = 10 THEN 'bank-common' ELSE 'bank-' || n % 50 END,
         CASE WHEN n % 1000 = 4 THEN 'rare' ELSE 'sandbox' END, state, CASE state WHEN 'error' THEN 'auth_expired' END,
         CASE WHEN n % 4 = 0 THEN ARRAY['common'] WHEN n % 1000 = 2 THEN ARRAY['rare', 'tier:gold'] ELSE '{}'::text[] END,
         CASE WHEN state <> 'connecting' THEN at END, CASE state WHEN 'deleted' THEN now() END, at, at
    FROM (SELECT n, CASE WHEN n % 2 = 0 AND n <= ${links} * 0.9 THEN 'pocket-ledger' ELSE 'other' END AS app,
                 to_timestamp(${FIRST_AT} / 1000 + n) AS at,
                 CASE WHEN n % 1000 = 2 THEN 'error' WHEN n % 1000 = 8 THEN 'connecting' WHEN n % 1000 = 6 OR n % 20 = 12 THEN 'deleted' ELSE 'connected' END AS state,
                 'user-' || CASE n % 20 WHEN 6 THEN '0' WHEN 12 THEN 'gone' ELSE (n % ${links / 20})::text END AS of_user
            FROM generate_series(1, ${links}) AS n) AS numbers
    JOIN customer_users u ON u.app_id = app AND u.user_id = of_user
   ORDER BY n;
  ANALYZE links; ANALYZE link_tags; ANALYZE customer_users`;

/** The lists whose filters are these values, alone and in pairs, with every kind of unlisted links. */
function filtersOf(values: { readonly [Name in keyof LinkFilter]: readonly LinkFilter[Name][] }) {
  const alone = Object.entries(values).flatMap(([name, given]) =>
    given.map((value): LinkFilter => ({ [name]: value })),
  );
  const pairs = alone.flatMap((one, at) =>
    alone
      .slice(at + 1)
      .filter((other) => Object.keys(other)[0] !== Object.keys(one)[0])
      .map((other) => ({ ...one, ...other })),
  );
  const includes = [
    undefined,
    ['never_connected'],
    ['deleted'],
    ['never_connected', 'deleted'],
  ] as const;
  return [{}, ...alone, ...pairs].flatMap((filter: LinkFilter) =>
    filter.updatedSince === undefined
      ? includes.map((include): LinkFilter => ({ ...filter, include }))
      : isUnlisted(filter.state)
        ? []
        : [filter],
  );
}

const some = <T>(name: (n: number) => T) =>
  Array.from({ length: MAX_RESTRICTED_TO }, (_, n) => name(n));
const PAIRS: Readonly<Record<string, Restriction | undefined>> = {
  'a key pair of the app': undefined,
  'a key pair of a user with many links': { users: ['user-0'] },
  'a key pair of a hundred users': {
    users: some((n) => (n === 1 ? 'user-gone' : `user-${2 * n}`)),
  },
  'a key pair of a hundred links': { links: some((n) => `mk_${20 * n + 6}`) },
};

describe.each(SIZES)('GET /links with %i links', (size) => {
  let filled: FilledDatabase;
  beforeAll(async () => {
    filled = await fillDatabase(fill(size));
  }, 600_000);
  afterAll(() => filled?.close());

  const at = (index: number) => new Date(FIRST_AT + index * 1_000);
  const FILTERS = filtersOf({
    user: ['user-8', 'user-0', 'user-gone', 'user-none'],
    tag: ['common', 'rare', 'none'],
    error: ['auth_expired', 'system_error'],
    institutionId: ['bank-common', 'bank-20', 'bank-rare', 'none'],
    provider: ['sandbox', 'rare'],
    state: ['connected', 'error', 'deleted', 'connecting'],
    updatedSince: [at(0), at(size / 2)],
  });
  /** A filter of everything, which no pair of them is. */
  const EVERYTHING: LinkFilter = {
    user: 'user-2',
    tag: 'rare',
    error: 'auth_expired',
    institutionId: 'bank-common',
    provider: 'sandbox',
    state: 'error',
  };
  const AFTER: readonly (LinkPosition | null)[] = [
    null,
    { pk: BigInt(Math.floor(size * 0.7)), updatedAt: at(size * 0.7) },
  ];
  const LISTS = [...FILTERS, EVERYTHING].flatMap((filter) =>
    AFTER.map((after) => ({ filter, after })),
  );

  const PAGES = Object.keys(PAIRS).flatMap((pair) =>
    ORDERS.flatMap((order) => LIMITS.map((limit) => ({ pair, order, limit }))),
  );

  it.each(PAGES)(
    'reads at most ten links for each that a page of $limit can hold, whatever its filter, in the order $order for $pair',
    async ({ pair, order, limit }) => {
      const only = PAIRS[pair];
      const turn = PAGES.findIndex(
        (page) => page.pair === pair && page.order === order && page.limit === limit,
      );
      const chosen = LISTS.filter((_, index) => (index + turn) % EVERY === 0);
      expect(chosen.length).toBeGreaterThan(100);
      // Each user of a key pair is looked up, which may count as a row.
      const most =
        PER_LINK * (limit + 1) + (only !== undefined && 'users' in only ? only.users.length : 0);
      const excesses: unknown[] = [];
      for (const { filter, after } of chosen) {
        const statement = linkPageStatement({ ...TENANT, only }, filter, { order, after, limit });
        for (const table of [/^links$/, /^link_tags$/]) {
          const { touched, scans } = await explain(
            statement,
            filled.ctx.database.pool,
            table,
            BEGIN_IN_INDEX_ORDER,
          );
          if (touched > most) excesses.push({ filter, after, touched, scans });
        }
      }
      expect(excesses).toEqual([]);
    },
    600_000,
  );
});
