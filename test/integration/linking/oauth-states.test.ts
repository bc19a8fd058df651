import { createHash, randomUUID } from 'node:crypto';
import { makeErrorStep } from '../../../domain/session/connect-problem.js';
import {
  ATTEMPT,
  eventsOf,
  MINUTE,
  openedSession,
  shown,
  TENANT,
  store,
} from '../../support/fixtures/linking-store.js';
import {
  attempts,
  callBack,
  ISSUER,
  OAUTH_BANK,
  openAttempt,
  openOAuthStore,
  REDIRECT_URI,
  returns,
  rowOf,
  type Traveler,
  traveling,
} from './support/traveler.js';

openOAuthStore();

describe("A redirect to a bank's own pages", () => {
  it('is offered before a link exists, and not at other institutions', async () => {
    const { sessionId } = await openedSession(store, { redirectUri: REDIRECT_URI });
    expect(await store.logins.offerRedirect(sessionId, 'first-bank')).toBe(false);
    expect(await store.logins.offerRedirect(sessionId, 'no-such-bank')).toBe(false);
    expect((await store.sessions.get(sessionId))?.institutionId).toBeNull();
    expect(await store.logins.offerRedirect(sessionId, OAUTH_BANK)).toBe(true);
    expect(await store.sessions.get(sessionId)).toMatchObject({
      institutionId: OAUTH_BANK,
      linkId: null,
    });
    expect(await store.bankLogins.preparedStep(sessionId)).toMatchObject({
      content: { kind: 'redirect', started: false },
    });
  });

  it('abandons a link started elsewhere and keeps one started here', async () => {
    const { sessionId } = await openedSession(store, { redirectUri: REDIRECT_URI });
    const { linkId } = await store.logins.beginLogin(sessionId, 'first-bank', ATTEMPT);
    await store.logins.offerRedirect(sessionId, OAUTH_BANK);
    expect(await eventsOf(store, linkId)).toEqual(['state connecting', 'state error/user_error']);
    expect((await store.sessions.get(sessionId))?.linkId).toBeNull();
    const login = await store.logins.beginLogin(sessionId, OAUTH_BANK, ATTEMPT);
    await store.logins.offerRedirect(sessionId, OAUTH_BANK);
    expect((await store.sessions.get(sessionId))?.linkId).toBe(login.linkId);
    expect(await eventsOf(store, login.linkId)).toEqual(['state connecting']);
  });

  it('has a state of 256 bits and a return id of UUID version 4, stored only as hashes or sealed', async () => {
    const traveler = await traveling();
    expect(Buffer.from(traveler.state, 'base64url')).toHaveLength(32);
    expect(traveler.returnId).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    await callBack(traveler);
    const stored = JSON.stringify(
      await store.ctx.database.prisma.$queryRaw`SELECT o::text FROM oauth_states o`,
    );
    for (const secret of [traveler.state, traveler.returnId, 'canary']) {
      for (const form of [secret, Buffer.from(secret).toString('hex')])
        expect(stored).not.toContain(form);
    }
  });

  it('is stored once per request and valid for at most 15 minutes', async () => {
    const traveler = await traveling();
    const kept = await attempts.keptStart(traveler.sessionId, traveler.redirectId);
    expect(kept).toEqual({
      authorizeUrl: `${ISSUER}/authorize?state=${traveler.state}`,
      stateHash: createHash('sha256').update(traveler.returnId).digest('base64url'),
      expiresAt: new Date(store.ctx.clock().getTime() + 15 * MINUTE),
    });
    await openAttempt(traveler.sessionId, traveler.redirectId);
    expect(await attempts.keptStart(traveler.sessionId, traveler.redirectId)).toEqual(kept);
    expect(await attempts.keptStart(traveler.sessionId, randomUUID())).toBeNull();
  });

  it('is not stored for a finished session', async () => {
    const traveler = await traveling();
    await store.times.cancelSession(traveler.sessionId);
    expect(
      await attempts.keep(traveler.sessionId, 'late', {
        attemptKey: '',
        state: 's',
        returnId: 'r',
        authorizeUrl: '',
        issuer: null,
        returns: 'code_or_error' as const,
        expiresAt: store.ctx.clock(),
        providerState: Buffer.from(''),
      }),
    ).toBeNull();
    expect(await rowOf(traveler)).toBeNull();
  });

  it.each<[string, (traveler: Traveler) => Promise<unknown>]>([
    [
      'a cancel',
      ({ sessionId }) =>
        store.sessions.projectStep(sessionId, {
          ...shown(4, { kind: 'redirect', started: false }),
          accepted: true,
        }),
    ],
    [
      'the choice of another bank',
      ({ sessionId }) =>
        store.sessions.projectStep(sessionId, {
          ...shown(4, { kind: 'select_institution' }),
          accepted: true,
        }),
    ],
    [
      'a failure',
      ({ sessionId }) =>
        store.attempts.failLogin(
          sessionId,
          'institution_timeout',
          shown(
            4,
            makeErrorStep('connect_error.timeout', {
              mayChooseAnother: true,
              institutionUrl: null,
            }),
          ),
        ),
    ],
    [
      'an exit',
      ({ sessionId }) =>
        store.attempts.exitAttempt(
          sessionId,
          shown(4, { kind: 'wait', stage: 'connecting', can_cancel: false }),
        ),
    ],
    ['the end of the session', ({ sessionId }) => store.times.cancelSession(sessionId)],
    [
      'the deletion of the link',
      async ({ sessionId }) =>
        store.links.delete(TENANT, (await store.sessions.get(sessionId))?.linkId ?? ''),
    ],
  ])('ends with %s', async (_, end) => {
    const traveler = await traveling();
    await end(traveler);
    expect(await callBack(traveler)).toBeNull();
    expect(await rowOf(traveler)).toBeNull();
  });

  it('stays valid while the user waits, and alongside another redirect', async () => {
    const traveler = await traveling();
    const other = await openAttempt(traveler.sessionId);
    await store.sessions.projectStep(traveler.sessionId, {
      ...shown(4, { kind: 'wait', stage: 'connecting', can_cancel: true }),
      accepted: true,
    });
    await store.sessions.projectStep(traveler.sessionId, {
      ...shown(5, { kind: 'redirect', started: true }),
      accepted: true,
    });
    expect(await callBack(other)).not.toBeNull();
    expect(await callBack(traveler)).not.toBeNull();
  });
});

it('A finished session keeps no OAuth state', async () => {
  const traveler = await traveling();
  await callBack(traveler);
  await returns.handOver(traveler.sessionId, traveler.returnId, traveler.connectToken);
  await store.times.cancelSession(traveler.sessionId);
  expect(await rowOf(traveler)).toBeNull();
});
