import type { Restriction, Tenant } from '../../../domain/api/environment.js';
import { MAX_RESTRICTED_TO } from '../../../domain/api/restriction.js';
import type { AttemptError } from '../../../domain/webhooks/judge-attempt.js';
import type { Context } from '../../../prisma/base/context.js';
import {
  REMOVE_OLD_EVENTS,
  removeOldEvents,
} from '../../../prisma/announcements/webhook-log/event-retention.js';
import {
  eventPageStatement,
  replayCandidatesStatement,
  replayCountStatement,
  type EventFilter,
} from '../../../prisma/announcements/webhook-log/webhook-log-query.js';
import { storedAttempt } from '../../../prisma/announcements/webhooks/attempt-history.js';
import { BEGIN_IN_INDEX_ORDER } from '../../../prisma/base/database/read-in-index-order.js';
import { loadSql } from '../../../prisma/base/database/load-sql.js';
import { explain } from '../../support/assertions/explain-statement.js';
import { fillDatabase } from '../../support/fixtures/filled-database.js';

const LOG_TABLES = /^webhook_/;
const TENANT: Tenant = { appId: 'pocket-ledger', environment: 'sandbox' };
/** `WEBHOOK_LOG_EVENTS=1000000` sets the number that the service promises to handle. */
const EVENTS = Number(process.env['WEBHOOK_LOG_EVENTS'] ?? 40_000);
const ENDPOINTS = EVENTS / 100;
/** Links and sessions of `ann`. */
const SUBJECTS = 400;
const FIRST_AT = Date.parse('2026-01-01T00:00:00Z');
const at = (index: number) => new Date(FIRST_AT + index * 1_000);

/**
 * One app has half of the events, of 1,000 links. Nine others have the rest. One event in a
 * thousand is not delivered.
 */
describe('The event log with many events', () => {
  let ctx: Context;
  let close: () => Promise<void>;
  beforeAll(async () => {
    ({ ctx, close } = await fillDatabase(`
      INSERT INTO applications (app_id, name) SELECT 'app-' || n, 'App' FROM generate_series(1, 9) AS n UNION ALL SELECT 'pocket-ledger', 'App';
      INSERT INTO api_clients (client_id, app_id, environment) SELECT 'sandbox_' || app_id, app_id, 'sandbox' FROM applications;
      INSERT INTO customer_users (app_id, environment, user_id) VALUES ('pocket-ledger', 'sandbox', 'ann');
      INSERT INTO links (link_id, app_id, environment, client_id, customer_user_pk, institution_id, provider, state, tags)
      SELECT CASE WHEN n = 0 THEN 'mk_busy' ELSE 'mk_' || 2 * n END, 'pocket-ledger', 'sandbox', 'sandbox_pocket-ledger', pk, 'bank', 'sandbox', 'connected', '{}'
        FROM customer_users, generate_series(0, ${SUBJECTS / 2 - 1}) AS n;
      INSERT INTO link_sessions (session_id, app_id, environment, client_id, customer_user_pk, mode, began_as, state, created_at, expires_at, token_hash, products, countries, providers, features, tags)
      SELECT 'ses_' || n, 'pocket-ledger', 'sandbox', 'sandbox_pocket-ledger', pk, 'link', 'link', 'ended', now(), now(), int8send(n), '{}', '{}', '{}', '{}', '{}'
        FROM customer_users, generate_series(1, ${SUBJECTS / 2}::bigint) AS n;
      INSERT INTO webhook_events (event_id, app_id, environment, link_id, webhook_event, idempotency_key, origin, body, body_sha256, created_at)
      SELECT 'evt_' || n, CASE WHEN n % 2 = 0 THEN 'pocket-ledger' ELSE 'app-' || 1 + n % 9 END, 'sandbox', CASE WHEN n % 20 = 4 THEN 'mk_busy' ELSE 'mk_' || n % 2000 END,
             CASE WHEN n % 5000 = 0 THEN 'link.state_changed' ELSE 'link.product_refresh' END, 'key-' || n, 'change',
             '{"webhook_event":"link.product_refresh","filler":"' || repeat('x', 250) || '"}', repeat('0', 64), to_timestamp(${FIRST_AT} / 1000 + n)
        FROM generate_series(1, ${EVENTS}) AS n;
      ANALYZE webhook_events; ANALYZE links; ANALYZE link_sessions; ANALYZE customer_users;
      INSERT INTO webhook_deliveries (delivery_id, event_pk, app_id, environment, url, endpoint, reason, status, attempts, created_at)
      SELECT 'whd_' || pk, pk, app_id, environment, 'https://app' || pk % ${ENDPOINTS} || '.example/', 'https://app' || pk % ${ENDPOINTS} || '.example:443', 'event',
             CASE WHEN pk % 1000 = 0 THEN 'exhausted' ELSE 'delivered' END, 1, created_at
        FROM webhook_events ORDER BY pk;
      ANALYZE webhook_deliveries`));
  }, 600_000);
  afterAll(() => close?.());

  const page = (
    filter: EventFilter,
    order: 'asc' | 'desc',
    {
      after,
      tenant = TENANT,
      limit = 50,
    }: { after?: bigint | undefined; tenant?: Tenant; limit?: number },
  ) =>
    eventPageStatement(tenant, filter, {
      order,
      after: after ?? (order === 'asc' ? 0n : 2n ** 63n - 1n),
      upTo: 2n ** 63n - 1n,
      limit,
    });

  it.each<[string, EventFilter & { from?: bigint }]>([
    ['all', {}],
    ['all, from the middle', { from: BigInt(EVENTS / 2) }],
    ['of a link', { linkId: 'mk_2' }],
    ['of a link of another app', { linkId: 'mk_1' }],
    ['of a link by status', { linkId: 'mk_2', status: ['exhausted'] }],
    ['by status, rare', { status: ['exhausted', 'disabled'] }],
    ['by status, common', { status: ['delivered'] }],
    ['by status, none', { status: ['pending'] }],
    ['by event, rare', { webhookEvent: 'link.state_changed' }],
    ['by event, none', { webhookEvent: 'transactions.updates_available' }],
    [
      'by several events',
      { webhookEvents: ['link.state_changed', 'link.product_refresh', 'link_session.finished'] },
    ],
    ['by several events, rare', { webhookEvents: ['link.state_changed', 'ITEM.ERROR'] }],
    ['of a link by several events', { linkId: 'mk_2', webhookEvents: ['link.state_changed'] }],
    ['by event and status', { webhookEvent: 'link.state_changed', status: ['exhausted'] }],
    ['a moment', { createdAfter: at(EVENTS - 200), createdBefore: at(EVENTS - 100) }],
    ['a moment long ago', { createdAfter: at(100), createdBefore: at(300) }],
    ['the last moments', { createdAfter: at(EVENTS - 60) }],
    ['by status of a time', { status: ['exhausted'], createdAfter: at(EVENTS / 2) }],
  ])(
    'reads few rows by an index for a page %s, in both directions',
    async (_name, { from, ...filter }) => {
      for (const order of ['asc', 'desc'] as const) {
        const { scans, touched, blocks } = await explain(
          page(filter, order, { after: from }),
          ctx.database.pool,
          LOG_TABLES,
        );
        expect(scans.filter((scan) => scan.startsWith('Seq Scan'))).toEqual([]);
        expect(touched).toBeLessThan(2_500);
        expect(blocks).toBeLessThan(4_000);
      }
    },
  );

  const some = (name: (n: number) => string) =>
    Array.from({ length: MAX_RESTRICTED_TO }, (_, n) => name(n));
  const RESTRICTIONS: Readonly<Record<string, Restriction>> = {
    'a link': { links: ['mk_2'] },
    'a link with many events': { links: ['mk_busy'] },
    'a hundred links': { links: [...some((n) => `mk_${2 * n}`).slice(1), 'mk_busy'] },
    'a user with many links and sessions': { users: ['ann'] },
  };
  describe.each(Object.entries(RESTRICTIONS))('for a key pair of %s', (_name, only) => {
    it.each<[string, EventFilter]>([
      ['no condition', {}],
      ['a link', { linkId: 'mk_busy' }],
      ['a rare event', { webhookEvent: 'link.state_changed' }],
      ['a rare status', { status: ['exhausted'] }],
      ['a link and a status that none has', { linkId: 'mk_busy', status: ['pending'] }],
      ['a moment', { createdAfter: at(EVENTS - 200), createdBefore: at(EVENTS - 100) }],
    ])(
      'reads at most ten events for each that a page filtered by %s can hold, in both directions',
      async (_filter, filter) => {
        for (const order of ['asc', 'desc'] as const)
          for (const after of [undefined, BigInt(EVENTS / 2)])
            for (const limit of [50, 500]) {
              const { scans, touched } = await explain(
                page(filter, order, { after, tenant: { ...TENANT, only }, limit }),
                ctx.database.pool,
                /^webhook_events$/,
                BEGIN_IN_INDEX_ORDER,
              );
              expect(scans.filter((scan) => scan.startsWith('Seq Scan'))).toEqual([]);
              expect(touched).toBeLessThanOrEqual(10 * (limit + 1) + SUBJECTS);
            }
      },
    );
  });

  it('reads only matching rows to count and select a range replay', async () => {
    const filter = {
      status: ['exhausted', 'disabled', 'no_address'] as const,
      createdAfter: at(0),
      createdBefore: at(EVENTS + 1),
    };
    for (const statement of [
      replayCountStatement(TENANT, filter),
      replayCandidatesStatement(TENANT, filter, 1_000),
    ]) {
      const { scans, touched, blocks } = await explain(statement, ctx.database.pool, LOG_TABLES);
      expect(scans.filter((scan) => scan.startsWith('Seq Scan'))).toEqual([]);
      expect(touched).toBeLessThan((EVENTS / 1_000) * 8 + 100);
      expect(blocks).toBeLessThan(3 * ((EVENTS / 1_000) * 8 + 100));
    }
  });

  it('finds the oldest by an index for the retention, and keeps those with an open delivery', async () => {
    const cutOff = at(1_300);
    const { scans, blocks } = await explain(
      { text: REMOVE_OLD_EVENTS, values: [cutOff, 500] },
      ctx.database.pool,
      LOG_TABLES,
    );
    expect(scans.filter((scan) => scan.startsWith('Seq Scan'))).toEqual([]);
    expect(blocks).toBeLessThan(500 * 20);
    await ctx.database.pool.query(
      "UPDATE webhook_deliveries SET status = 'pending' WHERE event_pk IN (10, 11)",
    );
    expect(await removeOldEvents(ctx, cutOff)).toBe(1_298);
    expect(await removeOldEvents(ctx, cutOff)).toBe(0);
    const { rows } = await ctx.database.pool.query(
      'SELECT pk::int FROM webhook_events WHERE created_at <= $1 ORDER BY pk',
      [cutOff],
    );
    expect(rows).toEqual([{ pk: 10 }, { pk: 11 }]);
    const {
      rows: [left],
    } = await ctx.database.pool.query('SELECT count(*)::int AS deliveries FROM webhook_deliveries');
    expect(left).toEqual({ deliveries: EVENTS - 1_298 });
    await ctx.database.pool.query(
      "UPDATE webhook_deliveries SET status = 'exhausted' WHERE event_pk IN (10, 11)",
    );
    expect(
      (await Promise.all([removeOldEvents(ctx, cutOff), removeOldEvents(ctx, cutOff)])).reduce(
        (one, other) => one + other,
      ),
    ).toBe(2);
  });

  describe('for statements that deliver', () => {
    const NOW = at(EVENTS + 3_600);
    const LATER = at(EVENTS + 3_625);
    const VISITED = 256;
    const RECORDED = 100;
    const LATER_ONE = EVENTS - ENDPOINTS - 1;

    /**
     * At each endpoint one delivery waits for its first attempt, one is in a workflow, one waits
     * for a workflow, and one is to be replayed.
     */
    beforeAll(async () => {
      await ctx.database.pool.query(`
        UPDATE webhook_deliveries d SET
               status = 'pending', next_attempt_at = to_timestamp(${NOW.getTime()} / 1000) - interval '1 hour',
               attempts = CASE WHEN kind IN (0, 3) THEN 0 ELSE 1 END, in_workflow = kind = 1,
               reason = CASE WHEN kind = 3 THEN 'replay' ELSE 'event' END,
               created_at = CASE WHEN kind = 3 THEN to_timestamp(${NOW.getTime()} / 1000) - interval '1 hour' ELSE created_at END
          FROM (SELECT pk, (${EVENTS} - event_pk) / ${ENDPOINTS} AS kind FROM webhook_deliveries WHERE event_pk > ${EVENTS - 4 * ENDPOINTS}) AS k
         WHERE k.pk = d.pk`);
      await ctx.database.pool.query('ANALYZE webhook_deliveries');
    });

    const recorded = Array.from({ length: RECORDED }, (_, index) => EVENTS - index);
    const facts = (answer: { httpStatus: number; error: AttemptError | null }) =>
      storedAttempt({
        attempt: 1,
        startedAt: NOW,
        durationMs: 5,
        responseExcerpt: null,
        ...answer,
      });
    const failures = [
      JSON.stringify(
        recorded.map((pk) => ({
          delivery_pk: pk,
          attempt: 1,
          started_at: NOW,
          facts: facts({ httpStatus: 500, error: 'http_status' }),
          status: 'pending',
          next_attempt_at: LATER,
          shift_ms: 0,
        })),
      ),
      recorded,
    ];

    it.each<{
      name: string;
      statement: string;
      pool: 'hot' | 'pool';
      values: unknown[];
      rows: number;
      blocks: number;
    }>([
      {
        name: 'a claim',
        statement: 'webhook-claim-first-attempts',
        pool: 'hot',
        values: [NOW, LATER, 8, 1_500, '', VISITED, 1_500, '{}', 100, 20, NOW],
        rows: VISITED * 8,
        blocks: VISITED * 40,
      },
      {
        name: 'a claim from the middle',
        statement: 'webhook-claim-first-attempts',
        pool: 'hot',
        values: [NOW, LATER, 8, 1_500, 'https://app5', VISITED, 1_500, '{}', 100, 20, NOW],
        rows: VISITED * 8,
        blocks: VISITED * 40,
      },
      {
        name: 'the claim of a later attempt',
        statement: 'webhook-claim-attempt',
        pool: 'hot',
        values: [NOW, LATER, 8, LATER_ONE, `https://app${LATER_ONE % ENDPOINTS}.example:443`],
        rows: 10,
        blocks: 100,
      },
      {
        name: 'recording outcomes',
        statement: 'webhook-record-outcomes',
        pool: 'hot',
        values: failures,
        rows: RECORDED * 4,
        blocks: RECORDED * 40,
      },
      {
        name: 'starting 50 retry workflows',
        statement: 'webhook-start-retries',
        pool: 'hot',
        values: [50, 20, '{}', []],
        rows: 50 * 40,
        blocks: 50 * 100,
      },
      {
        name: 'finding one overdue of each endpoint',
        statement: 'webhook-requeue-overdue',
        pool: 'pool',
        values: [NOW, NOW, 1_000],
        rows: ENDPOINTS * 8,
        blocks: ENDPOINTS * 40,
      },
    ])(
      'reads by index the rows that $name needs, however many events there are',
      async ({ statement, pool, values, rows, blocks: most }) => {
        const { scans, touched, blocks } = await explain(
          { text: loadSql(statement), values },
          ctx.database[pool],
          LOG_TABLES,
        );
        expect(scans.length).toBeGreaterThan(0);
        // There are only as many leases as attempts in flight.
        expect(
          scans.filter((scan) => scan.startsWith('Seq Scan') && scan !== 'Seq Scan webhook_leases'),
        ).toEqual([]);
        expect(touched).toBeLessThan(rows);
        expect(blocks).toBeLessThan(most);
      },
    );
  });
});
