import type { Tenant } from '../../../domain/api/environment.js';
import { TrialLimitReached } from '../../../domain/link/trial-limit.js';
import { transitionLink } from '../../../prisma/links/link/link-transition.js';
import {
  ATTEMPT,
  clientOf,
  connectedLink,
  LINKED,
  LIVE_LIMIT,
  MINUTE,
  openedSession,
  shown,
  succeededSession,
  TENANT,
  storeOfFile,
  store,
} from '../../support/fixtures/linking-store.js';

const LIVE: Tenant = { appId: 'pocket-ledger', environment: 'live' };
const CLIENT = { clientId: clientOf(LIVE), environment: 'live' } as const;

storeOfFile();

const limitTo = (limit: number) => store.applications.setLiveLimit(CLIENT.clientId, limit);
const hasPlace = () => store.applications.hasTrialPlace(CLIENT);
const live = () => openedSession(store, {}, LIVE);
const begin = (sessionId: string, bank = 'first-bank') =>
  store.logins.beginLogin(sessionId, bank, ATTEMPT);
const failed = (sessionId: string) =>
  store.attempts.failLogin(sessionId, 'institution_down', shown(9, { kind: 'success' }));
const countedLinks = () =>
  store.ctx.database.prisma.link.count({
    where: {
      clientId: CLIENT.clientId,
      OR: [
        { state: { in: ['connecting', 'awaiting_token_exchange', 'connected'] } },
        { state: 'error', connectedAt: { not: null } },
      ],
    },
  });

beforeEach(async () => {
  for (const { linkId } of await store.ctx.database.prisma.link.findMany({
    where: { deletedAt: null, environment: 'live' },
  }))
    await store.links.delete(LIVE, linkId);
  await limitTo(LIVE_LIMIT);
});

describe('The trial limit', () => {
  it('is not exceeded by fifty sessions that start their login at the same moment', async () => {
    const sessions = await Promise.all(Array.from({ length: 50 }, live));
    const outcomes = await Promise.allSettled(sessions.map(({ sessionId }) => begin(sessionId)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(LIVE_LIMIT);
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(TrialLimitReached);
    expect(await countedLinks()).toBe(LIVE_LIMIT);
    expect(await hasPlace()).toBe(false);
  });

  it('refuses a login without a trace: no link and no event', async () => {
    await limitTo(0);
    const { sessionId } = await live();
    const counts = async () => [
      await store.ctx.database.prisma.link.count(),
      await store.ctx.database.prisma.webhookEvent.count(),
    ];
    const before = await counts();
    await expect(begin(sessionId)).rejects.toBeInstanceOf(TrialLimitReached);
    expect(await counts()).toEqual(before);
    await limitTo(1);
    expect((await begin(sessionId)).linkId).toMatch(/^mk_/);
  });

  it('counts a link once in every state until it ends', async () => {
    await limitTo(2);
    const first = await live();
    await begin(first.sessionId);
    await begin(first.sessionId);
    expect(await hasPlace()).toBe(true);
    await store.bankLogins.storeLinked(first.sessionId, ATTEMPT, LINKED);
    await store.questions.finishLinking(first.sessionId, shown(2, { kind: 'success' }));
    const { linkId } = await connectedLink(store, {}, LIVE);
    expect(await hasPlace()).toBe(false);
    const { pk } = await store.ctx.database.prisma.link.findUniqueOrThrow({ where: { linkId } });
    await store.ctx.database.transaction((tx) =>
      transitionLink(store.ctx, tx, pk, { type: 'auth_lost' }),
    );
    expect(await hasPlace()).toBe(false);
  });

  it.each<[string, (sessionId: string, linkId: string) => Promise<unknown>]>([
    ['is deleted', (_, linkId) => store.links.delete(LIVE, linkId)],
    ['fails to log in', (sessionId) => failed(sessionId)],
    [
      'is abandoned',
      (sessionId) =>
        store.attempts.exitAttempt(sessionId, shown(9, { kind: 'select_institution' })),
    ],
  ])('frees the place when a link %s', async (_how, end) => {
    await limitTo(1);
    const { sessionId } = await live();
    const { linkId } = await begin(sessionId);
    expect(await hasPlace()).toBe(false);
    await end(sessionId, linkId);
    expect(await hasPlace()).toBe(true);
  });

  it('frees the place when a result is never exchanged', async () => {
    await limitTo(1);
    const { sessionId } = await succeededSession(store, {}, LIVE);
    store.pass(31 * MINUTE);
    await store.times.expireIfDue(sessionId);
    expect(await hasPlace()).toBe(true);
  });

  it('is checked again when a failed login is retried', async () => {
    await limitTo(1);
    const first = await live();
    await begin(first.sessionId);
    await failed(first.sessionId);
    const second = await live();
    await begin(second.sessionId);
    await expect(begin(first.sessionId)).rejects.toBeInstanceOf(TrialLimitReached);
    await failed(second.sessionId);
    await begin(first.sessionId);
    expect(await hasPlace()).toBe(false);
  });

  it('lets a user switch from one bank to another', async () => {
    await limitTo(1);
    const { sessionId } = await live();
    await begin(sessionId, 'first-bank');
    await begin(sessionId, 'second-bank');
    expect(await countedLinks()).toBe(1);
  });

  it('is checked when a relink succeeds on a link that was never connected', async () => {
    await limitTo(1);
    const { sessionId } = await live();
    const { linkId } = await begin(sessionId);
    await failed(sessionId);
    const { pk } = await store.ctx.database.prisma.link.findUniqueOrThrow({ where: { linkId } });
    const relinked = () =>
      store.ctx.database.transaction((tx) =>
        transitionLink(store.ctx, tx, pk, { type: 'relink_done' }),
      );
    const other = await live();
    await begin(other.sessionId);
    await expect(relinked()).rejects.toBeInstanceOf(TrialLimitReached);
    await failed(other.sessionId);
    expect((await relinked()).link.state).toBe('connected');
    await limitTo(0);
    expect((await relinked()).changed).toBe(false);
  });

  it('counts each client separately, and counts no Sandbox link', async () => {
    await limitTo(1);
    await begin((await live()).sessionId);
    expect(await hasPlace()).toBe(false);
    const rival: Tenant = { appId: 'other-app', environment: 'live' };
    await begin((await openedSession(store, {}, rival)).sessionId);
    await store.applications.setLiveLimit(clientOf(TENANT), 0);
    await begin((await openedSession(store)).sessionId);
    expect(
      await store.applications.hasTrialPlace({
        clientId: clientOf(TENANT),
        environment: 'sandbox',
      }),
    ).toBe(true);
  });

  it('reads its count from an index', async () => {
    const client = await store.ctx.database.pool.connect();
    try {
      await client.query('BEGIN; SET LOCAL enable_seqscan = off');
      const { rows } = await client.query<Record<string, string>>(
        "EXPLAIN SELECT count(*) FROM links WHERE client_id = 'live_x' AND environment = 'live' AND (state IN ('connecting', 'awaiting_token_exchange', 'connected') OR (state = 'error' AND connected_at IS NOT NULL))",
      );
      expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('links_counted');
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
  });
});
