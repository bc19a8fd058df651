import { randomUUID } from 'node:crypto';
import { ATTEMPT, LINKED, MINUTE, shown, store } from '../../support/fixtures/linking-store.js';
import {
  attempts,
  BACK,
  callBack,
  ISSUER,
  openAttempt,
  openOAuthStore,
  REDIRECT_URI,
  returns,
  rowOf,
  type Traveler,
  traveling,
} from './support/traveler.js';

openOAuthStore();

describe('The OAuth callback', () => {
  it('needs no outcome from a source whose plain return is the only information', async () => {
    const { sessionId } = await traveling();
    const redirectId = await openAttempt(sessionId, randomUUID(), 'anything');
    expect(await callBack(redirectId, ISSUER, false)).toBe(
      `${REDIRECT_URI}?oauth_state_id=${redirectId.returnId}`,
    );
  });

  it('redirects the user with one parameter, once', async () => {
    const traveler = await traveling();
    expect(await callBack(traveler)).toBe(`${REDIRECT_URI}?oauth_state_id=${traveler.returnId}`);
    expect(await callBack(traveler)).toBeNull();
    expect(await attempts.redeem(traveler.sessionId, traveler.redirectId)).toBeNull();
  });

  it.each<[string, (traveler: Traveler) => Promise<string | null>]>([
    ['an unknown state', () => callBack({ state: 'x' })],
    ['an empty state', () => callBack({ state: '' })],
    ['its return id for a state', ({ returnId }) => callBack({ state: returnId })],
    ['another issuer', (traveler) => callBack(traveler, 'https://evil.example')],
    ['no issuer', (traveler) => callBack(traveler, null)],
    ['neither a code nor an error', (traveler) => callBack(traveler, ISSUER, false)],
  ])('changes nothing with %s', async (_, forged) => {
    const traveler = await traveling();
    expect(await forged(traveler)).toBeNull();
    expect(await rowOf(traveler)).toMatchObject({ usedAt: null, sealedCallback: null });
    expect(await callBack(traveler)).not.toBeNull();
  });

  it('is refused after 15 minutes', async () => {
    const traveler = await traveling();
    store.pass(15 * MINUTE);
    expect(await callBack(traveler)).toBeNull();
  });

  it('is accepted once when two arrive at the same moment', async () => {
    const traveler = await traveling();
    const answers = await Promise.all([1, 2, 3, 4].map(() => callBack(traveler)));
    expect(answers.filter((address) => address !== null)).toHaveLength(1);
  });
});

describe('The return from a bank', () => {
  let traveler: Traveler;
  beforeEach(async () => {
    traveler = await traveling();
  });

  const handOver = (by: Traveler = traveler, returnId = traveler.returnId) =>
    returns.handOver(by.sessionId, returnId, by.connectToken);

  it('is redeemed by the window that holds the session, which is prompted until it has done so', async () => {
    await callBack(traveler);
    const redeem = {
      kind: 'redeem',
      sessionId: traveler.sessionId,
      redirectId: traveler.redirectId,
      seq: 3,
    };
    expect(await handOver()).toEqual(redeem);
    expect(await handOver()).toEqual(redeem);
    expect(await attempts.redeem(traveler.sessionId, traveler.redirectId)).toEqual({
      providerState: Buffer.from('canary-verifier'),
      callbackUrl: BACK,
    });
    expect(await attempts.redeem(traveler.sessionId, traveler.redirectId)).toBeNull();
    expect(await handOver()).toEqual({ kind: 'repeat' });
  });

  it('is refused before the callback, after 15 minutes, and for an unknown id', async () => {
    expect(await handOver()).toEqual({ kind: 'refused' });
    await callBack(traveler);
    expect(await handOver(traveler, randomUUID())).toEqual({ kind: 'refused' });
    store.pass(15 * MINUTE);
    expect(await handOver()).toEqual({ kind: 'refused' });
    expect(await rowOf(traveler)).toMatchObject({ returnedAt: null, holder: null });
  });

  it('is refused to another session and to another window, and changes nothing there', async () => {
    const stranger = await traveling();
    await callBack(traveler);
    expect(await handOver(stranger)).toEqual({ kind: 'refused' });
    expect(await rowOf(traveler)).toMatchObject({ returnedAt: null });
    const reopened = await store.sessions.open(traveler.sessionId);
    expect(await handOver()).toEqual({ kind: 'moved' });
    expect(
      await returns.handOver(traveler.sessionId, traveler.returnId, reopened?.connectToken ?? ''),
    ).toMatchObject({ kind: 'redeem' });
    const newest = await store.sessions.open(traveler.sessionId);
    expect(
      await returns.handOver(traveler.sessionId, traveler.returnId, newest?.connectToken ?? ''),
    ).toEqual({ kind: 'refused' });
  });

  it('ends the other redirects', async () => {
    const other = { ...traveler, ...(await openAttempt(traveler.sessionId)) };
    await callBack(traveler);
    await callBack(other);
    await handOver();
    expect(await handOver(other, other.returnId)).toEqual({ kind: 'refused' });
  });

  it('may be handed over again after a release, unless it was redeemed', async () => {
    await callBack(traveler);
    await handOver();
    await returns.release(traveler.sessionId, traveler.redirectId);
    expect(await rowOf(traveler)).toMatchObject({ returnedAt: null, holder: null });
    await handOver();
    await attempts.redeem(traveler.sessionId, traveler.redirectId);
    await returns.release(traveler.sessionId, traveler.redirectId);
    expect(await handOver()).toEqual({ kind: 'repeat' });
  });

  it('is recognized by the window that used it even after the session has moved on', async () => {
    await callBack(traveler);
    await handOver();
    await attempts.redeem(traveler.sessionId, traveler.redirectId);
    await store.bankLogins.storeLinked(traveler.sessionId, ATTEMPT, LINKED);
    await store.questions.finishLinking(traveler.sessionId, shown(4, { kind: 'success' }));
    expect(await handOver()).toEqual({ kind: 'repeat' });
  });
});
