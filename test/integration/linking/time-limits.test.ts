import {
  ATTEMPT,
  connectedLink,
  eventsOf,
  MINUTE,
  newSession,
  openedSession,
  succeededSession,
  TENANT,
  storeOfFile,
  store,
} from '../../support/fixtures/linking-store.js';

storeOfFile();

const linkOf = (linkId: string) =>
  store.ctx.database.prisma.link.findUniqueOrThrow({ where: { linkId } });

describe('Time limits', () => {
  it('end an unopened session 30 minutes after its creation', async () => {
    const { sessionId } = await store.sessions.create(TENANT, newSession());
    store.pass(30 * MINUTE - 1);
    expect((await store.times.expireIfDue(sessionId)).state).toBe('created');
    store.pass(1);
    expect(await store.sessions.open(sessionId)).toBeNull();
    expect(await store.times.expireIfDue(sessionId)).toEqual({
      state: 'ended',
      nextDeadline: null,
      link: null,
    });
    expect(await store.sessions.get(sessionId)).toMatchObject({
      state: 'ended',
      endReason: 'expired',
    });
  });

  it('end an idle session and abandon its link', async () => {
    const { sessionId } = await openedSession(store);
    const { linkId } = await store.logins.beginLogin(sessionId, 'first-bank', ATTEMPT);
    store.pass(29 * MINUTE);
    await store.sessions.acceptAnswer(sessionId);
    store.pass(29 * MINUTE);
    expect((await store.times.expireIfDue(sessionId)).state).toBe('open');
    store.pass(2 * MINUTE);
    expect((await store.times.expireIfDue(sessionId)).state).toBe('ended');
    expect(await eventsOf(store, linkId)).toEqual(['state connecting', 'state error/user_error']);
  });

  it('end a link that is not exchanged in time, with its data', async () => {
    const { sessionId, linkId } = await succeededSession(store);
    store.pass(20 * MINUTE);
    const result = await store.exchange.finish(sessionId, 'first');
    store.pass(20 * MINUTE);
    expect(await linkOf(linkId)).toMatchObject({ state: 'awaiting_token_exchange' });
    const { nextDeadline } = await store.times.expireIfDue(sessionId);
    expect(nextDeadline).toEqual(new Date(store.ctx.clock().getTime() + 10 * MINUTE));
    store.pass(10 * MINUTE);
    expect(await store.exchange.exchange(TENANT, result?.token?.exchangeableToken ?? '')).toEqual({
      kind: 'unusable',
    });
    expect(await store.times.expireIfDue(sessionId)).toEqual({
      state: 'ended',
      nextDeadline: null,
      link: { state: 'error', error: 'user_error' },
    });
    expect(await eventsOf(store, linkId)).toEqual([
      'state connecting',
      'state awaiting_token_exchange',
      'state error/user_error',
    ]);
    expect(await store.ctx.database.prisma.account.count({ where: { link: { linkId } } })).toBe(0);
  });

  it('are enforced by the sweeper where no workflow runs', async () => {
    const open = await openedSession(store);
    const { linkId: connecting } = await store.logins.beginLogin(
      open.sessionId,
      'first-bank',
      ATTEMPT,
    );
    const { linkId: awaiting } = await succeededSession(store);
    store.pass(61 * MINUTE);
    while ((await store.times.sweepOverdue(store.ctx.clock(), 10)) > 0);
    expect(await linkOf(connecting)).toMatchObject({ state: 'error', errorCode: 'user_error' });
    expect(await linkOf(awaiting)).toMatchObject({ state: 'error', errorCode: 'user_error' });
    expect(
      await store.ctx.database.prisma.linkSession.count({ where: { state: { not: 'ended' } } }),
    ).toBe(0);
  });

  it('do not end a session twice', async () => {
    const { sessionId, linkId } = await connectedLink(store);
    store.pass(120 * MINUTE);
    expect(await store.times.expireIfDue(sessionId)).toEqual({
      state: 'ended',
      nextDeadline: null,
      link: { state: 'connected', error: null },
    });
    expect(await store.sessions.get(sessionId)).toMatchObject({ endReason: 'exchanged' });
    expect(await linkOf(linkId)).toMatchObject({ state: 'connected' });
  });
});
