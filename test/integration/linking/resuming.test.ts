import { randomUUID } from 'node:crypto';
import { MINUTE, openedSession, store } from '../../support/fixtures/linking-store.js';
import {
  attempts,
  callBack,
  openOAuthStore,
  REDIRECT_URI,
  returns,
  rowOf,
  type Traveler,
  traveling,
} from './support/traveler.js';

openOAuthStore();

describe('Resuming in another window', () => {
  let traveler: Traveler;
  beforeEach(async () => {
    traveler = await traveling();
    await callBack(traveler);
  });

  const resume = (
    token: string | null,
    requestId: string = randomUUID(),
    returnId = traveler.returnId,
  ) => returns.resume(returnId, requestId, { linkSessionToken: token, browser: null });
  const standing = async () => {
    const { tokenHash, connectTokenHash, resumedWithoutToken } =
      await store.ctx.database.prisma.linkSession.findUniqueOrThrow({
        where: { sessionId: traveler.sessionId },
      });
    return { tokenHash, connectTokenHash, resumedWithoutToken };
  };

  it('without the token invalidates the token and asks every question', async () => {
    const resumed = await resume(null);
    if (resumed.kind !== 'resumed') throw new Error('refused');
    expect(resumed.next).toEqual({
      kind: 'redeem',
      sessionId: traveler.sessionId,
      redirectId: traveler.redirectId,
      seq: 3,
    });
    expect(await store.sessions.findByToken(traveler.token)).toBeNull();
    expect(await store.sessions.findByConnectToken(traveler.connectToken)).toMatchObject({
      current: false,
    });
    expect(await store.sessions.findByConnectToken(resumed.connectToken)).toMatchObject({
      current: true,
      session: { resumedWithoutToken: true },
    });
    expect(
      await returns.handOver(traveler.sessionId, traveler.returnId, resumed.connectToken),
    ).toMatchObject({ kind: 'redeem' });
    expect(
      await returns.handOver(traveler.sessionId, traveler.returnId, traveler.connectToken),
    ).toEqual({ kind: 'moved' });
  });

  it('with the token keeps it valid for the same holder', async () => {
    const resumed = await resume(traveler.token);
    if (resumed.kind !== 'resumed') throw new Error('refused');
    expect(await store.sessions.findByToken(traveler.token)).toMatchObject({
      resumedWithoutToken: false,
    });
    expect(await store.sessions.findByConnectToken(traveler.connectToken)).toMatchObject({
      current: false,
    });
    expect(await store.sessions.open(traveler.sessionId)).not.toBeNull();
  });

  it('is refused with the token of another session, and changes nothing', async () => {
    const stranger = await openedSession(store, { redirectUri: REDIRECT_URI });
    const before = await standing();
    expect(await resume(stranger.token)).toEqual({ kind: 'refused' });
    expect(await resume(null, undefined, randomUUID())).toEqual({ kind: 'refused' });
    expect(await standing()).toEqual(before);
    expect(await rowOf(traveler)).toMatchObject({ returnedAt: null });
  });

  it('returns the same response to the same request and none to another', async () => {
    const requestId = randomUUID();
    const first = await resume(null, requestId);
    expect(await resume(null, requestId)).toEqual(first);
    await attempts.redeem(traveler.sessionId, traveler.redirectId);
    expect(await resume(null, requestId)).toMatchObject({ ...first, next: { kind: 'repeat' } });
    expect(await resume(null)).toEqual({ kind: 'refused' });
    expect(await resume(traveler.token)).toEqual({ kind: 'refused' });
  });

  it('succeeds for one of many windows at the same moment', async () => {
    const answers = await Promise.all([1, 2, 3, 4].map(() => resume(null)));
    expect(answers.filter(({ kind }) => kind === 'resumed')).toHaveLength(1);
  });

  it('is refused before the callback and after 15 minutes', async () => {
    const early = await traveling();
    expect(await resume(null, undefined, early.returnId)).toEqual({ kind: 'refused' });
    store.pass(15 * MINUTE);
    expect(await resume(null)).toEqual({ kind: 'refused' });
    expect(await store.sessions.findByToken(traveler.token)).not.toBeNull();
  });

  it('is refused once the session has finished', async () => {
    await store.times.cancelSession(traveler.sessionId);
    expect(await resume(traveler.token)).toEqual({ kind: 'refused' });
  });
});
