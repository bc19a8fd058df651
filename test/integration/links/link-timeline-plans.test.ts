import { NEWEST } from '../../../prisma/links/timeline/timeline-position.js';
import {
  actionsStatement,
  deliveriesStatement,
  deliveryActionsStatement,
  eventsStatement,
  linkStatement,
  READ_OF_EACH,
  routesStatement,
  sessionsStatement,
  unrevokedStatement,
} from '../../../prisma/links/timeline/timeline-statements.js';
import { explain } from '../../support/assertions/explain-statement.js';
import { fillDatabase, type FilledDatabase } from '../../support/fixtures/filled-database.js';

/** `TIMELINE_ROWS=1000000` sets the number of each kind that the service promises to handle. */
const ROWS = Number(process.env['TIMELINE_ROWS'] ?? 20_000);
const FIRST_AT = Date.parse('2026-03-01T00:00:00Z') / 1000;
const LATER = {
  ...NEWEST,
  operator: BigInt(ROWS / 2),
  route: BigInt(ROWS / 2),
  event: BigInt(ROWS / 2),
  unrevoked: BigInt(ROWS / 2),
  session: { at: new Date((FIRST_AT + ROWS / 2) * 1000), sessionId: 'ses_x' },
};

/** Every tenth row belongs to `mk_busy`, whose bank has another tenth of the actions. */
describe('The timeline of a link with many rows', () => {
  let filled: FilledDatabase;
  beforeAll(async () => {
    const linkOf = `CASE WHEN n % 10 = 0 THEN 'mk_busy' ELSE 'mk_' || n % 1000 END`;
    const at = `to_timestamp(${FIRST_AT} + n)`;
    const numbers = `generate_series(1, ${ROWS}) AS n`;
    filled = await fillDatabase(`
      INSERT INTO applications (app_id, name) VALUES ('pocket-ledger', 'App');
      INSERT INTO api_clients (client_id, app_id, environment) VALUES ('sandbox_a', 'pocket-ledger', 'sandbox');
      INSERT INTO customer_users (app_id, environment, user_id) VALUES ('pocket-ledger', 'sandbox', 'ann');
      INSERT INTO links (link_id, app_id, environment, client_id, customer_user_pk, institution_id, provider, state, connected_at)
      SELECT name, 'pocket-ledger', 'sandbox', 'sandbox_a', 1, 'bank', 'feed', 'connected', now()
        FROM (SELECT 'mk_busy' AS name UNION ALL SELECT 'mk_' || n FROM generate_series(0, 999) AS n) AS names;
      INSERT INTO operator_actions (actor, action, subject, outcome, created_at)
      SELECT 'ann', 'links move', CASE n % 10 WHEN 0 THEN 'mk_busy --to x' WHEN 1 THEN 'bank' WHEN 2 THEN 'whd_' || n ELSE 'mk_' || n % 1000 END, CASE n % 3 WHEN 0 THEN 'started' ELSE 'succeeded' END, ${at} FROM ${numbers};
      INSERT INTO route_decisions (link_id, session_id, attempt_key, institution_id, why, candidates, created_at)
      SELECT ${linkOf}, 'ses_' || n, 'one', 'bank', 'first', '[]', ${at} FROM ${numbers};
      INSERT INTO link_sessions (session_id, app_id, environment, client_id, customer_user_pk, token_hash, mode, began_as, products, features, state, expires_at, link_pk, created_at)
      SELECT 'ses_' || n, 'pocket-ledger', 'sandbox', 'sandbox_a', 1, sha256(n::text::bytea), 'relink', 'relink', '{}', '{}', 'ended', ${at}, (SELECT pk FROM links WHERE link_id = ${linkOf}), ${at} FROM ${numbers};
      INSERT INTO unrevoked_permissions (link_id, app_id, environment, institution_id, provider, adapter, reason, created_at)
      SELECT ${linkOf}, 'pocket-ledger', 'sandbox', 'bank', 'feed', 'feed', 'time_over', ${at} FROM ${numbers};
      INSERT INTO webhook_events (event_id, app_id, environment, link_id, webhook_event, idempotency_key, origin, body, body_sha256, created_at)
      SELECT 'evt_' || n, 'pocket-ledger', 'sandbox', ${linkOf}, 'link.state_changed', n, 'change', '{}', '', ${at} FROM ${numbers};
      INSERT INTO webhook_deliveries (delivery_id, event_pk, app_id, environment, newest, reason, status)
      SELECT 'whd_' || n, CASE WHEN n % 10 = 0 THEN 10 ELSE n END, 'pocket-ledger', 'sandbox', n % 10 <> 0 OR n = 10, 'event', 'delivered' FROM ${numbers};
      ANALYZE`);
  }, 600_000);
  afterAll(() => filled?.close());

  const touchedOf = async (statement: Parameters<typeof explain>[0], tables: RegExp) =>
    (await explain(statement, filled.ctx.database.pool, tables)).touched;

  describe.each([
    ['first', NEWEST],
    ['a later', LATER],
  ])('on %s page', (_, position) => {
    describe.each(['mk_busy', 'mk_7', 'mk_none'])('of %s', (linkId) => {
      it.each([
        ['route_decisions', routesStatement(linkId, position)],
        ['unrevoked_permissions', unrevokedStatement(linkId, position)],
        ['webhook_events', eventsStatement(linkId, position)],
        ['link_sessions', sessionsStatement(linkId === 'mk_busy' ? 1n : 9n, position)],
      ])('reads no row of %s but those that it may show', async (table, statement) => {
        expect(await touchedOf(statement, new RegExp(`^${table}$`))).toBeLessThanOrEqual(
          READ_OF_EACH,
        );
      });

      it('reads for each action of each subject at most five later ones, for its outcome', async () => {
        const statement = actionsStatement([linkId, 'bank', 'feed'], position);
        expect(await touchedOf(statement, /^operator_actions$/)).toBeLessThanOrEqual(
          3 * READ_OF_EACH * 6,
        );
      });
    });
  });

  it('reads three deliveries of each event, however many it has, and three actions on each', async () => {
    const eventPks = Array.from({ length: 50 }, (_, index) => BigInt(index + 1));
    expect(
      await touchedOf(deliveriesStatement(eventPks), /^webhook_deliveries$/),
    ).toBeLessThanOrEqual(150);
    const deliveryIds = Array.from({ length: 150 }, (_, index) => `whd_${index}`);
    expect(
      await touchedOf(deliveryActionsStatement(deliveryIds), /^operator_actions$/),
    ).toBeLessThanOrEqual(450);
  });

  it('reads one row of links, and of the tables that belong to it', async () => {
    expect(
      await touchedOf(linkStatement('mk_busy'), /^(links|institutions|provider_credentials)$/),
    ).toBeLessThanOrEqual(3);
  });
});
