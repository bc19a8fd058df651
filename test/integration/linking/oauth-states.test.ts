import { createHash, randomUUID } from 'node:crypto';
import { makeErrorStep } from '../../../domain/session/connect-problem.js';
import { OAuthReturnRepository } from '../../../prisma/sessions/oauth-return.repository.js';
import { OAuthStateRepository } from '../../../prisma/sessions/oauth-state.repository.js';
import {
  ATTEMPT,
  eventsOf,
  LINKED,
  MINUTE,
  openedSession,
  openStore,
  shown,
  TENANT,
  type Store,
} from '../../support/fixtures/linking-store.js';

const OAUTH_BANK = 'oauth-bank';
const ISSUER = 'https://bank.example';
const REDIRECT_URI = 'https://app.example/bank-return';
const BACK = 'https://api.example/connect/oauth/callback?code=canary-code-of-the-bank&state=canary';

let store: Store;
let attempts: OAuthStateRepository;
let returns: OAuthReturnRepository;

beforeAll(async () => {
  store = await openStore();
  attempts = new OAuthStateRepository(store.ctx, { ttlMs: 15 * MINUTE });
  returns = new OAuthReturnRepository(store.ctx);
  await store.institutions.syncCatalogue('oauth', [
    {
      institutionId: OAUTH_BANK,
      remoteId: OAUTH_BANK,
      name: OAUTH_BANK,
      country: 'US',
      domain: null,
      color: null,
      colorDark: null,
      isFeatured: true,
      environment: 'sandbox',
      login: 'oauth',
      products: ['accounts', 'transactions'],
      aliases: [],
    },
  ]);
});
afterAll(() => store.close());

interface Traveler {
  sessionId: string;
  token: string;
  connectToken: string;
  way: string;
  state: string;
  returnId: string;
}

/** A user who was redirected to the bank. */
async function traveling(): Promise<Traveler> {
  const session = await openedSession(store, { redirectUri: REDIRECT_URI });
  await store.logins.offerRedirect(session.sessionId, OAUTH_BANK);
  await store.sessions.projectStep(session.sessionId, {
    ...shown(2, { kind: 'redirect', started: false }),
    accepted: true,
  });
  await store.logins.beginLogin(session.sessionId, OAUTH_BANK, ATTEMPT);
  const opened = await openAttempt(session.sessionId);
  await store.sessions.projectStep(session.sessionId, {
    ...shown(3, { kind: 'redirect', started: true }),
    accepted: true,
  });
  return { ...session, ...opened };
}

async function openAttempt(
  sessionId: string,
  way: string = randomUUID(),
  returns: 'code_or_error' | 'anything' = 'code_or_error',
) {
  const secrets = attempts.makeSecrets();
  await attempts.keep(sessionId, way, {
    ...secrets,
    attemptKey: `${sessionId}/2`,
    authorizeUrl: `${ISSUER}/authorize?state=${secrets.state}`,
    issuer: ISSUER,
    returns,
    expiresAt: new Date(store.ctx.clock().getTime() + 60 * MINUTE),
    providerState: Buffer.from('canary-verifier'),
  });
  return { way, ...secrets };
}

const callBack = (
  { state }: Pick<Traveler, 'state'>,
  issuer: string | null = ISSUER,
  hasOutcome = true,
) => attempts.takeCallback({ state, issuer, hasOutcome, address: BACK });
const rowOf = (traveler: Traveler) =>
  store.ctx.database.prisma.oAuthState.findUnique({
    where: { sessionId_way: { sessionId: traveler.sessionId, way: traveler.way } },
  });

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
    const kept = await attempts.keptStart(traveler.sessionId, traveler.way);
    expect(kept).toEqual({
      authorizeUrl: `${ISSUER}/authorize?state=${traveler.state}`,
      stateHash: createHash('sha256').update(traveler.returnId).digest('base64url'),
      expiresAt: new Date(store.ctx.clock().getTime() + 15 * MINUTE),
    });
    await openAttempt(traveler.sessionId, traveler.way);
    expect(await attempts.keptStart(traveler.sessionId, traveler.way)).toEqual(kept);
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

describe('The OAuth callback', () => {
  it('needs no outcome from a source whose plain return is the only information', async () => {
    const { sessionId } = await traveling();
    const way = await openAttempt(sessionId, randomUUID(), 'anything');
    expect(await callBack(way, ISSUER, false)).toBe(
      `${REDIRECT_URI}?oauth_state_id=${way.returnId}`,
    );
  });

  it('redirects the user with one parameter, once', async () => {
    const traveler = await traveling();
    expect(await callBack(traveler)).toBe(`${REDIRECT_URI}?oauth_state_id=${traveler.returnId}`);
    expect(await callBack(traveler)).toBeNull();
    expect(await attempts.redeem(traveler.sessionId, traveler.way)).toBeNull();
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
    const redeem = { kind: 'redeem', sessionId: traveler.sessionId, way: traveler.way, seq: 3 };
    expect(await handOver()).toEqual(redeem);
    expect(await handOver()).toEqual(redeem);
    expect(await attempts.redeem(traveler.sessionId, traveler.way)).toEqual({
      providerState: Buffer.from('canary-verifier'),
      callbackUrl: BACK,
    });
    expect(await attempts.redeem(traveler.sessionId, traveler.way)).toBeNull();
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
    await returns.release(traveler.sessionId, traveler.way);
    expect(await rowOf(traveler)).toMatchObject({ returnedAt: null, holder: null });
    await handOver();
    await attempts.redeem(traveler.sessionId, traveler.way);
    await returns.release(traveler.sessionId, traveler.way);
    expect(await handOver()).toEqual({ kind: 'repeat' });
  });

  it('is recognized by the window that used it even after the session has moved on', async () => {
    await callBack(traveler);
    await handOver();
    await attempts.redeem(traveler.sessionId, traveler.way);
    await store.bankLogins.storeLinked(traveler.sessionId, ATTEMPT, LINKED);
    await store.questions.finishLinking(traveler.sessionId, shown(4, { kind: 'success' }));
    expect(await handOver()).toEqual({ kind: 'repeat' });
  });
});

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
      way: traveler.way,
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
    await attempts.redeem(traveler.sessionId, traveler.way);
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

it('A finished session keeps no OAuth state', async () => {
  const traveler = await traveling();
  await callBack(traveler);
  await returns.handOver(traveler.sessionId, traveler.returnId, traveler.connectToken);
  await store.times.cancelSession(traveler.sessionId);
  expect(await rowOf(traveler)).toBeNull();
});
