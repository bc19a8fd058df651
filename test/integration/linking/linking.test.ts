import { AttemptOver } from '../../../domain/errors/change-refused.js';
import { makeErrorStep } from '../../../domain/session/connect-problem.js';
import {
  ATTEMPT,
  connectedLink,
  eventsOf,
  LINKED,
  MINUTE,
  openedSession,
  shown,
  succeededSession,
  TENANT,
  storeOfFile,
  store,
} from '../../support/fixtures/linking-store.js';

storeOfFile();

const linkOf = (linkId: string) =>
  store.ctx.database.prisma.link.findUniqueOrThrow({ where: { linkId } });
const errorStep = (seq: number) =>
  shown(seq, {
    kind: 'error',
    error_id: 'connect_error.institution_down',
    displayed_message: '',
    fault: 'institution',
    link_error: 'institution_error',
    actions: ['retry', 'exit'],
    institution_url: null,
  });

describe('A login', () => {
  it('creates the link when it starts, not earlier, and announces it once however often it starts', async () => {
    const { sessionId } = await openedSession(store);
    expect(
      await store.ctx.database.prisma.link.count({ where: { sessions: { some: { sessionId } } } }),
    ).toBe(0);
    const first = await store.logins.beginLogin(sessionId, 'first-bank', ATTEMPT);
    expect(await store.logins.beginLogin(sessionId, 'first-bank', ATTEMPT)).toEqual(first);
    expect(await eventsOf(store, first.linkId)).toEqual(['state connecting']);
    expect(await linkOf(first.linkId)).toMatchObject({
      state: 'connecting',
      institutionId: 'first-bank',
      provider: 'sandbox',
      tags: ['tier:gold'],
    });
  });

  it('returns the reason when it fails, and may start again at the same bank with the same link', async () => {
    const { sessionId } = await openedSession(store);
    const { linkId } = await store.logins.beginLogin(sessionId, 'first-bank', ATTEMPT);
    await store.attempts.failLogin(sessionId, 'institution_down', errorStep(2));
    expect(await linkOf(linkId)).toMatchObject({
      state: 'error',
      errorCode: 'institution_error',
      errorCause: 'institution_down',
      errorMessage: expect.stringContaining('bank'),
    });
    expect((await store.logins.beginLogin(sessionId, 'first-bank', ATTEMPT)).linkId).toBe(linkId);
    expect(await eventsOf(store, linkId)).toEqual([
      'state connecting',
      'state error/institution_error',
      'state connecting',
    ]);
  });

  it('at another bank abandons the first link and creates another', async () => {
    const { sessionId } = await openedSession(store);
    const first = await store.logins.beginLogin(sessionId, 'first-bank', ATTEMPT);
    const second = await store.logins.beginLogin(sessionId, 'second-bank', ATTEMPT);
    expect(second.linkId).not.toBe(first.linkId);
    expect(await eventsOf(store, first.linkId)).toEqual([
      'state connecting',
      'state error/user_error',
    ]);
    expect(await eventsOf(store, second.linkId)).toEqual(['state connecting']);
  });

  it('stores accounts and the sealed credential once when it succeeds, even if repeated, and requests the prefetched products', async () => {
    const { sessionId } = await openedSession(store);
    const { linkId } = await store.logins.beginLogin(sessionId, 'first-bank', ATTEMPT);
    await store.bankLogins.storeLinked(sessionId, ATTEMPT, LINKED);
    await store.bankLogins.storeLinked(sessionId, ATTEMPT, LINKED);
    await store.questions.finishLinking(sessionId, shown(2, { kind: 'success' }));
    await store.questions.finishLinking(sessionId, shown(2, { kind: 'success' }));
    const link = await store.ctx.database.prisma.link.findUniqueOrThrow({
      where: { linkId },
      include: { accounts: true, heldEvents: true, refreshRequests: true, credential: true },
    });
    expect(link.state).toBe('awaiting_token_exchange');
    expect(link.accounts.map(({ providerAccountId }) => providerAccountId)).toEqual([
      'checking',
      'savings',
    ]);
    expect(link.heldEvents).toHaveLength(1);
    expect(link.refreshRequests.map(({ product, cause }) => [product, cause])).toEqual([
      ['transactions', 'prefetch'],
    ]);
    expect(Buffer.from(link.credential?.sealed ?? []).includes('canary')).toBe(false);
    expect((await store.credentials.credential(linkId))?.credential.toString()).toBe(
      'canary-credential',
    );
    expect(await eventsOf(store, linkId)).toEqual([
      'state connecting',
      'state awaiting_token_exchange',
    ]);
    expect(
      await store.ctx.database.prisma.outboxCommand.count({
        where: { kind: 'startProductRefresh', payload: { path: ['linkId'], equals: linkId } },
      }),
    ).toBe(1);
  });
});

describe('A superseded login of the same session', () => {
  const PREPARED = {
    content: { kind: 'wait' as const, stage: 'waiting_for_approval' as const, can_cancel: true },
    message: null,
    error: null,
    attemptsLeft: null,
    expiresAt: null,
  };

  it('stores nothing once another login is in progress', async () => {
    const { sessionId } = await openedSession(store);
    const { linkId } = await store.logins.beginLogin(sessionId, 'first-bank', 'attempt-1');
    await store.logins.beginLogin(sessionId, 'first-bank', 'attempt-2');
    await expect(
      store.bankLogins.storeLinked(sessionId, 'attempt-1', LINKED),
    ).rejects.toBeInstanceOf(AttemptOver);
    await expect(
      store.bankLogins.storePreparedStep(sessionId, 'attempt-1', PREPARED, Buffer.from('late')),
    ).rejects.toBeInstanceOf(AttemptOver);
    expect(await store.sessions.get(sessionId)).toMatchObject({ bankAccepted: false });
    expect(await store.bankLogins.preparedStep(sessionId)).toBeNull();
    await store.bankLogins.storeLinked(sessionId, 'attempt-2', LINKED);
    await expect(
      store.bankLogins.storePreparedStep(sessionId, 'attempt-2', PREPARED, Buffer.from('late')),
    ).rejects.toBeInstanceOf(AttemptOver);
    await store.questions.finishLinking(sessionId, shown(2, { kind: 'success' }));
    expect(await store.links.get(TENANT, linkId)).toMatchObject({
      state: 'awaiting_token_exchange',
    });
  });

  it.each<[string, (sessionId: string) => Promise<unknown>]>([
    [
      'the user left',
      (sessionId) =>
        store.attempts.exitAttempt(sessionId, shown(2, { kind: 'select_institution' })),
    ],
    [
      'it failed',
      (sessionId) =>
        store.attempts.failLogin(
          sessionId,
          'institution_timeout',
          shown(
            2,
            makeErrorStep('connect_error.timeout', {
              mayChooseAnother: true,
              institutionUrl: null,
            }),
          ),
        ),
    ],
  ])('stores nothing once %s', async (_, end) => {
    const { sessionId } = await openedSession(store);
    await store.logins.beginLogin(sessionId, 'first-bank', ATTEMPT);
    await end(sessionId);
    await expect(store.bankLogins.storeLinked(sessionId, ATTEMPT, LINKED)).rejects.toBeInstanceOf(
      AttemptOver,
    );
    await expect(
      store.bankLogins.storePreparedStep(sessionId, ATTEMPT, PREPARED, Buffer.from('late')),
    ).rejects.toBeInstanceOf(AttemptOver);
    expect(await store.bankLogins.loginFacts(sessionId)).toMatchObject({ attemptKey: null });
  });

  it('stores nothing for a relink either', async () => {
    const { linkId } = await connectedLink(store);
    const { sessionId } = await openedSession(store, { mode: 'relink', existingLinkId: linkId });
    await store.logins.beginLogin(sessionId, 'first-bank', 'attempt-1');
    await store.logins.beginLogin(sessionId, 'first-bank', 'attempt-2');
    await expect(
      store.bankLogins.storeLinked(sessionId, 'attempt-1', LINKED),
    ).rejects.toBeInstanceOf(AttemptOver);
    expect(await store.questions.questions(sessionId)).toEqual([]);
  });
});

describe('Leaving a session', () => {
  it('is user_error before the bank accepted the login, incomplete after it, and nothing after success', async () => {
    const before = await openedSession(store);
    const { linkId: left } = await store.logins.beginLogin(before.sessionId, 'first-bank', ATTEMPT);
    await store.attempts.exitAttempt(before.sessionId, shown(2, { kind: 'select_institution' }));
    expect(await eventsOf(store, left)).toEqual(['state connecting', 'state error/user_error']);

    const after = await openedSession(store);
    const { linkId: half } = await store.logins.beginLogin(after.sessionId, 'first-bank', ATTEMPT);
    await store.bankLogins.storeLinked(after.sessionId, ATTEMPT, LINKED);
    await store.attempts.exitAttempt(after.sessionId, shown(2, { kind: 'select_institution' }));
    expect(await eventsOf(store, half)).toEqual(['state connecting', 'state error/incomplete']);

    const { sessionId, linkId } = await succeededSession(store);
    await store.attempts.exitAttempt(sessionId, shown(3, { kind: 'select_institution' }));
    expect(await linkOf(linkId)).toMatchObject({ state: 'awaiting_token_exchange' });
    expect((await store.sessions.get(sessionId))?.step?.kind).toBe('success');
  });

  it('erases the data fetched for a link that was never exchanged', async () => {
    const { sessionId } = await openedSession(store);
    const { linkId } = await store.logins.beginLogin(sessionId, 'first-bank', ATTEMPT);
    await store.bankLogins.storeLinked(sessionId, ATTEMPT, LINKED);
    await store.attempts.exitAttempt(sessionId, shown(2, { kind: 'select_institution' }));
    const link = await store.ctx.database.prisma.link.findUniqueOrThrow({
      where: { linkId },
      include: { accounts: true, heldEvents: true, credential: true, products: true },
    });
    expect(link).toMatchObject({
      accounts: [],
      heldEvents: [],
      credential: null,
      lastSyncedAt: null,
    });
    expect(link.products.map(({ state, refreshedAt }) => [state, refreshedAt])).toEqual([
      [null, null],
      [null, null],
    ]);
    expect(
      await store.ctx.database.prisma.dataKey.count({ where: { owner: `credential/${linkId}` } }),
    ).toBe(0);
  });
});

describe('Deleting a link', () => {
  it('announces it once, erases everything stored for the link and ends its session', async () => {
    const { sessionId, linkId } = await succeededSession(store);
    await store.links.delete(TENANT, linkId);
    const link = await store.ctx.database.prisma.link.findUniqueOrThrow({
      where: { linkId },
      include: { accounts: true, credential: true, heldEvents: true, refreshRequests: true },
    });
    expect(link).toMatchObject({
      state: 'deleted',
      accounts: [],
      credential: null,
      heldEvents: [],
      refreshRequests: [],
    });
    expect(await eventsOf(store, linkId)).toEqual([
      'state connecting',
      'state awaiting_token_exchange',
      'state deleted',
    ]);
    expect(await store.sessions.get(sessionId)).toMatchObject({
      state: 'ended',
      endReason: 'link_deleted',
    });
    await expect(store.links.delete(TENANT, linkId)).rejects.toMatchObject({
      name: 'TransitionRefused',
      state: 'deleted',
    });
    expect(await eventsOf(store, linkId)).toHaveLength(3);
  });

  it('keeps a bare record of the link readable for 90 days', async () => {
    const { linkId } = await connectedLink(store);
    await store.links.delete(TENANT, linkId);
    store.pass(90 * 24 * 60 * MINUTE - 1);
    expect(await store.links.get(TENANT, linkId)).toMatchObject({ state: 'deleted' });
    store.pass(1);
    expect(await store.links.get(TENANT, linkId)).toBeNull();
    expect(await store.links.linkOwnership(TENANT, linkId)).toBe('unknown');
  });
});
