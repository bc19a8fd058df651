import { removeOldSessions } from '../../../prisma/links/sessions/session-retention.js';
import { purgeLinks } from '../../../prisma/links/link/purge-links.js';
import { removeUnusedUsers } from '../../../prisma/views/users/user-retention.js';
import {
  connectedLink,
  MINUTE,
  newSession,
  openedSession,
  openStores,
  shown,
  succeededSession,
  TENANT,
  type Store,
} from '../../support/fixtures/linking-store.js';

const DAY = 24 * 60 * MINUTE;
const AT_ONCE = 100;

let store: Store;
openStores((opened) => {
  store = opened;
});

const prisma = () => store.ctx.database.prisma;
const oldSessions = () =>
  removeOldSessions(store.ctx, new Date(store.ctx.clock().getTime() - 90 * DAY), AT_ONCE);
const unusedUsers = () => removeUnusedUsers(store.ctx, store.ctx.clock(), 400 * DAY, AT_ONCE);

describe('SESSION_RETENTION', () => {
  it('removes a session with its tokens and keys once it has been finished for that long', async () => {
    const { sessionId, linkId } = await connectedLink(store);
    store.pass(90 * DAY - 1);
    expect(await oldSessions()).toBe(0);
    expect(await prisma().connectToken.count()).toBe(1);
    store.pass(1);
    expect(await oldSessions()).toBe(1);
    expect({
      linkSessions: await prisma().linkSession.count(),
      connectTokens: await prisma().connectToken.count(),
      exchangeableTokens: await prisma().exchangeableToken.count(),
    }).toEqual({ linkSessions: 0, connectTokens: 0, exchangeableTokens: 0 });
    expect(await prisma().dataKey.count({ where: { owner: { contains: sessionId } } })).toBe(0);
    expect(await store.links.get(TENANT, linkId)).toMatchObject({ state: 'connected' });
    expect((await store.credentials.credential(linkId))?.credential.toString()).toBe(
      'canary-credential',
    );
  });

  it('keeps sessions that are open, or whose link waits for its exchange', async () => {
    const { sessionId } = await succeededSession(store);
    await store.sessions.create(TENANT, newSession());
    await prisma().linkSession.update({
      where: { sessionId },
      data: { state: 'ended', endedAt: store.ctx.clock() },
    });
    store.pass(91 * DAY);
    expect(await oldSessions()).toBe(0);
    expect(await prisma().linkSession.count()).toBe(2);
  });
});

describe('USER_RETENTION', () => {
  it('removes a user without link and session after that time', async () => {
    await store.sessions.create(TENANT, newSession());
    await store.times.sweepOverdue(store.ctx.clock(), AT_ONCE);
    store.pass(100 * DAY);
    await store.times.sweepOverdue(store.ctx.clock(), AT_ONCE);
    store.pass(100 * DAY);
    await oldSessions();
    store.pass(200 * DAY - 1);
    expect({
      unusedUsers: await unusedUsers(),
      customerUsers: await prisma().customerUser.count(),
    }).toEqual({ unusedUsers: 0, customerUsers: 1 });
    store.pass(1);
    expect({
      unusedUsers: await unusedUsers(),
      customerUsers: await prisma().customerUser.count(),
    }).toEqual({ unusedUsers: 1, customerUsers: 0 });
  });

  it('keeps a user who has a link and checks again after the same time', async () => {
    const { linkId } = await connectedLink(store);
    store.pass(500 * DAY);
    await oldSessions();
    expect({
      unusedUsers: await unusedUsers(),
      customerUsers: await prisma().customerUser.count(),
    }).toEqual({ unusedUsers: 0, customerUsers: 1 });
    await store.links.delete(TENANT, linkId);
    store.pass(91 * DAY);
    await purgeLinks(store.ctx, store.ctx.clock(), { limit: AT_ONCE });
    expect({
      unusedUsers: await unusedUsers(),
      customerUsers: await prisma().customerUser.count(),
    }).toEqual({ unusedUsers: 0, customerUsers: 1 });
    store.pass(309 * DAY);
    expect({
      unusedUsers: await unusedUsers(),
      customerUsers: await prisma().customerUser.count(),
    }).toEqual({ unusedUsers: 1, customerUsers: 0 });
  });

  it('removes the record of a link that was never connected', async () => {
    const { sessionId } = await openedSession(store);
    await store.logins.beginLogin(sessionId, 'first-bank', 'attempt-1');
    await store.attempts.exitAttempt(sessionId, shown(3, { kind: 'select_institution' }));
    await store.times.cancelSession(sessionId);
    store.pass(400 * DAY);
    await oldSessions();
    expect(await prisma().link.findMany({ select: { state: true } })).toEqual([{ state: 'error' }]);
    expect(await unusedUsers()).toBe(2);
    expect({
      links: await prisma().link.count(),
      customerUsers: await prisma().customerUser.count(),
    }).toEqual({ links: 0, customerUsers: 0 });
  });

  it('removes the record of an erasure that was completed that long ago', async () => {
    const at = (erasedAt: Date | null) => ({ ...TENANT, requestedAt: store.ctx.clock(), erasedAt });
    await prisma().userErasure.createMany({
      data: [
        { erasureId: 'done', ...at(store.ctx.clock()) },
        { erasureId: 'open', ...at(null) },
      ],
    });
    store.pass(400 * DAY);
    expect(await unusedUsers()).toBe(1);
    expect(await prisma().userErasure.findMany({ select: { erasureId: true } })).toEqual([
      { erasureId: 'open' },
    ]);
  });
});
