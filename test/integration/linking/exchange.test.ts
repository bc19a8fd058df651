import type { Tenant } from '../../../domain/api/environment.js';
import {
  connectedLink,
  eventsOf,
  openedSession,
  succeededSession,
  TENANT,
  storeOfFile,
  store,
} from '../../support/fixtures/linking-store.js';

storeOfFile();

const tokenOf = async (sessionId: string, requestId: string) =>
  (await store.exchange.finish(sessionId, requestId))?.token?.exchangeableToken ?? '';

describe('Finishing a session', () => {
  it('returns a token only in the success step', async () => {
    const { sessionId } = await openedSession(store);
    expect(await store.exchange.finish(sessionId, 'r1')).toBeNull();
  });

  it('repeats the token for the same request and invalidates it for a new one', async () => {
    const { sessionId } = await succeededSession(store);
    const first = await tokenOf(sessionId, 'r1');
    expect(first).toMatch(/^sandbox_xt_[A-Za-z0-9_-]{43}$/);
    expect(await tokenOf(sessionId, 'r1')).toBe(first);
    const second = await tokenOf(sessionId, 'r2');
    expect(second).not.toBe(first);
    expect(await store.exchange.exchange(TENANT, first)).toEqual({ kind: 'unusable' });
    expect(await store.exchange.exchange(TENANT, second)).toMatchObject({ kind: 'exchanged' });
  });

  it('stores the token nowhere in clear text', async () => {
    const { sessionId } = await succeededSession(store);
    const token = await tokenOf(sessionId, 'r1');
    for (const table of [
      'exchangeable_tokens',
      'session_secrets',
      'link_sessions',
      'outbox_commands',
    ]) {
      const { rows } = await store.ctx.database.pool.query<{ text: string }>(
        `SELECT row_to_json(t)::text AS text FROM ${table} t`,
      );
      const hex = Buffer.from(token).toString('hex');
      expect(rows.filter(({ text }) => text.includes(token) || text.includes(hex))).toEqual([]);
    }
  });
});

describe('Exchanging a token', () => {
  it('connects the link and writes the deferred events in order, in one transaction', async () => {
    const { linkId, sessionId } = await connectedLink(store);
    expect(await eventsOf(store, linkId)).toEqual([
      'state connecting',
      'state awaiting_token_exchange',
      'state connected',
      'accounts completed',
    ]);
    const events = await store.ctx.database.prisma.webhookEvent.findMany({
      where: { linkId },
      include: { deliveries: true },
    });
    expect(new Set(events.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(4);
    expect(
      events.flatMap(({ deliveries }) =>
        deliveries.map(({ status, endpoint }) => [status, endpoint]),
      ),
    ).toEqual(Array(4).fill(['pending', 'https://app.example:443']));
    expect(await store.ctx.database.prisma.sessionSecret.count({ where: { sessionId } })).toBe(0);
    expect(
      await store.ctx.database.prisma.dataKey.count({ where: { owner: `session/${sessionId}` } }),
    ).toBe(0);
  });

  it.each<[string, Tenant]>([
    ['another app', { appId: 'other-app', environment: 'sandbox' }],
    ['the other environment', { appId: 'pocket-ledger', environment: 'live' }],
  ])('is refused to %s and remains possible for the right caller', async (_whom, tenant) => {
    const { sessionId, linkId } = await succeededSession(store);
    const token = await tokenOf(sessionId, 'r1');
    expect(await store.exchange.exchange(tenant, token)).toEqual({ kind: 'unusable' });
    const exchanged = { link: { linkId, state: 'connected' }, customerUserId: 'user-4711' };
    expect(await store.exchange.exchange(TENANT, token)).toMatchObject({
      kind: 'exchanged',
      exchanged,
    });
  });

  it('succeeds once, however many requests arrive at the same moment', async () => {
    const { sessionId, linkId } = await succeededSession(store);
    const token = await tokenOf(sessionId, 'r1');
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => store.exchange.exchange(TENANT, token)),
    );
    expect(answers.filter(({ kind }) => kind === 'exchanged')).toHaveLength(1);
    expect(
      (await eventsOf(store, linkId)).filter((event) => event === 'state connected'),
    ).toHaveLength(1);
  });

  it('is refused for an unknown token and for a deleted link', async () => {
    expect(await store.exchange.exchange(TENANT, 'sandbox_xt_unknown')).toEqual({
      kind: 'unusable',
    });
    const { sessionId, linkId } = await succeededSession(store);
    const token = await tokenOf(sessionId, 'r1');
    await store.links.delete(TENANT, linkId);
    expect(await store.exchange.exchange(TENANT, token)).toEqual({ kind: 'unusable' });
  });

  it('records events even without a webhook address', async () => {
    const { linkId } = await connectedLink(store, { webhook: null });
    const deliveries = await store.ctx.database.prisma.webhookDelivery.findMany({
      where: { event: { linkId } },
    });
    expect(deliveries.map(({ status, nextAttemptAt }) => [status, nextAttemptAt])).toEqual(
      Array(4).fill(['no_address', null]),
    );
  });
});

describe('Tenants', () => {
  const ALL = { order: 'asc' as const, after: null, limit: 100 };

  it('see only their own links', async () => {
    const other: Tenant = { appId: 'other-app', environment: 'sandbox' };
    const live: Tenant = { appId: 'pocket-ledger', environment: 'live' };
    const { linkId } = await connectedLink(store);
    const foreign = await connectedLink(store, {}, other);
    expect(await store.links.get(TENANT, foreign.linkId)).toBeNull();
    expect(await store.links.linkOwnership(TENANT, foreign.linkId)).toBe('foreign');
    expect(await store.links.linkOwnership(live, linkId)).toBe('foreign');
    expect(await store.links.linkOwnership(TENANT, linkId)).toBe('own');
    expect((await store.links.list(other, {}, ALL)).links.map((link) => link.linkId)).toEqual([
      foreign.linkId,
    ]);
    expect((await store.links.list(live, {}, ALL)).links).toEqual([]);
    await store.links.delete(TENANT, foreign.linkId);
    expect(await store.links.get(other, foreign.linkId)).toMatchObject({ state: 'connected' });
  });
});
