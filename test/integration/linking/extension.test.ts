import { EXTEND_EXISTING, LINK_SEPARATELY } from '../../../domain/session/extension-offer.js';
import { DuplicateInstitution } from '../../../domain/session/duplicate-institution.js';
import type { StepContent } from '../../../domain/session/connect-step.js';
import { ExtensionRepository } from '../../../prisma/work/linking/extension.repository.js';
import {
  ATTEMPT,
  connectedLink,
  eventsOf,
  LINKED,
  openedSession,
  relinkedUpToLogin,
  RENEWED,
  shown,
  succeededSession,
  TENANT,
  storeOfFile,
  store,
} from '../../support/fixtures/linking-store.js';

storeOfFile();

let extensions: ExtensionRepository;
beforeAll(() => {
  extensions = new ExtensionRepository(store.ctx);
});

const WARNS = { duplicate_institution_warning: true };
const SUCCESS = shown(9, { kind: 'success' });
const CHOOSE = (seq: number) => shown(seq, { kind: 'select_institution' });
const user = () => ({ id: store.ctx.uuid(), email: null, phone: null });
const row = (sessionId: string) =>
  store.ctx.database.prisma.linkSession.findUniqueOrThrow({
    where: { sessionId },
    include: { link: true },
  });
const storedLink = (linkId: string) =>
  store.ctx.database.prisma.link.findUniqueOrThrow({
    where: { linkId },
    include: { products: true, accounts: true, credential: true },
  });
const optionsOf = async (sessionId: string): Promise<string[]> => {
  const content = (await store.bankLogins.preparedStep(sessionId))?.content as
    | Extract<StepContent, { kind: 'choice' }>
    | undefined;
  return content?.options.map(({ id }) => id) ?? [];
};

/** A user with a link, and a session of theirs that warns. */
async function twice(
  over: Parameters<typeof openedSession>[1] = {},
  linked: typeof connectedLink = connectedLink,
) {
  const customerUser = user();
  const { linkId } = await linked(store, { customerUser });
  const { sessionId } = await openedSession(store, { customerUser, features: WARNS, ...over });
  return { customerUser, linkId, sessionId };
}

// link-lifecycle 2.5, duplicate_institution_warning.
describe('The question before a second link at one institution', () => {
  it('appears where the app enabled it and the user has a link there, before anything starts', async () => {
    const { customerUser, sessionId, linkId } = await twice();
    expect(await extensions.offer(sessionId, 'first-bank')).toBe(true);
    expect(await extensions.offer(sessionId, 'first-bank')).toBe(true);
    expect(await optionsOf(sessionId)).toEqual([EXTEND_EXISTING, LINK_SEPARATELY]);
    expect(await row(sessionId)).toMatchObject({
      mode: 'link',
      institutionId: 'first-bank',
      linkPk: null,
      attemptKey: null,
    });
    expect(await eventsOf(store, linkId)).not.toContain('state deleted');

    // No question at another institution, for another user, without the feature, or in a relink.
    expect(await extensions.offer(sessionId, 'second-bank')).toBe(false);
    for (const over of [
      { customerUser: user(), features: WARNS },
      { customerUser },
      { customerUser, features: WARNS, mode: 'relink' as const, existingLinkId: linkId },
    ]) {
      expect(
        await extensions.offer((await openedSession(store, over)).sessionId, 'first-bank'),
      ).toBe(false);
    }
  });

  it('abandons a link started at another institution and keeps one started at this one', async () => {
    const { sessionId } = await twice();
    const { linkId: elsewhere } = await store.logins.beginLogin(sessionId, 'second-bank', ATTEMPT);
    await extensions.offer(sessionId, 'first-bank');
    expect(await eventsOf(store, elsewhere)).toEqual([
      'state connecting',
      'state error/user_error',
    ]);
    const { linkId: here } = await store.logins.beginLogin(sessionId, 'first-bank', ATTEMPT);
    await extensions.offer(sessionId, 'first-bank');
    expect((await row(sessionId)).link).toMatchObject({ linkId: here, state: 'connecting' });
    expect((await store.logins.beginLogin(sessionId, 'first-bank', 'attempt-2')).linkId).toBe(here);
  });

  it('offers only possible choices: no link that was never exchanged, and no second link where that is forbidden', async () => {
    const never = await twice({}, succeededSession as typeof connectedLink);
    await extensions.offer(never.sessionId, 'first-bank');
    expect(await optionsOf(never.sessionId)).toEqual([LINK_SEPARATELY]);
    expect(await extensions.extend(never.sessionId)).toBeNull();
    expect(await row(never.sessionId)).toMatchObject({ mode: 'link', linkPk: null });

    const both = { features: { ...WARNS, duplicate_institution_rejected: true } };
    const forbidden = await twice(both);
    await extensions.offer(forbidden.sessionId, 'first-bank');
    expect(await optionsOf(forbidden.sessionId)).toEqual([EXTEND_EXISTING]);
    const nothing = await twice(both, succeededSession as typeof connectedLink);
    await expect(extensions.offer(nothing.sessionId, 'first-bank')).rejects.toBeInstanceOf(
      DuplicateInstitution,
    );
  });
});

describe('A session that extends the existing link', () => {
  /** Advances to the login of a session that became a relink. */
  async function turned(over: Parameters<typeof openedSession>[1] = {}) {
    const at = await twice({ webhook: undefined, tags: undefined, ...over });
    await store.links.reset(TENANT, at.linkId);
    const before = await storedLink(at.linkId);
    await extensions.offer(at.sessionId, 'first-bank');
    expect(await extensions.extend(at.sessionId)).toEqual({
      linkId: at.linkId,
      state: 'error',
      error: 'auth_expired',
    });
    return { ...at, before };
  }

  it('is a relink: same ids, no token, and questions only about new products', async () => {
    const { linkId, sessionId, before } = await turned();
    expect(await extensions.extend(sessionId)).toMatchObject({ linkId });
    expect(await store.sessions.get(sessionId)).toMatchObject({
      mode: 'relink',
      beganAs: 'link',
      existingLinkId: linkId,
      linkId,
      presetInstitutionId: null,
    });
    expect(await store.logins.beginLogin(sessionId, 'first-bank', ATTEMPT)).toMatchObject({
      linkId,
    });
    expect(await store.bankLogins.storeLinked(sessionId, ATTEMPT, RENEWED)).toEqual([]);
    expect(await storedLink(linkId)).toEqual(before);
    await store.questions.finishLinking(sessionId, SUCCESS);
    const after = await storedLink(linkId);
    expect(after).toMatchObject({
      pk: before.pk,
      state: 'connected',
      errorCode: null,
      webhook: before.webhook,
      tags: before.tags,
    });
    expect(after.accounts.map(({ accountId }) => accountId)).toEqual(
      before.accounts.map(({ accountId }) => accountId),
    );
    expect(await store.exchange.finish(sessionId, 'first')).toMatchObject({
      linkPk: before.pk,
      token: null,
    });
    expect(await store.times.expireIfDue(sessionId)).toMatchObject({
      state: 'succeeded',
      link: { state: 'connected' },
    });
  });

  it.each([
    [
      'back, or another bank',
      (sessionId: string) =>
        store.sessions.projectStep(sessionId, { ...CHOOSE(7), accepted: true }),
      'first-bank',
    ],
    ['exit', (sessionId: string) => store.attempts.exitAttempt(sessionId, CHOOSE(7)), null],
    [
      'exit in a session for one bank',
      (sessionId: string) =>
        store.attempts.exitAttempt(
          sessionId,
          shown(7, { kind: 'wait', stage: 'connecting', can_cancel: false }),
        ),
      null,
    ],
  ])('restores the link after %s, and is for a new link again', async (_, leave, institutionId) => {
    const { linkId, sessionId, before } = await turned();
    await store.logins.beginLogin(sessionId, 'first-bank', ATTEMPT);
    await store.bankLogins.storeLinked(sessionId, ATTEMPT, RENEWED);
    await leave(sessionId);
    expect(await row(sessionId)).toMatchObject({
      mode: 'link',
      existingLinkId: null,
      linkPk: null,
      institutionId,
    });
    expect(await storedLink(linkId)).toEqual(before);
    const { linkId: another } = await store.logins.beginLogin(sessionId, 'first-bank', 'attempt-2');
    expect(another).not.toBe(linkId);
    await store.bankLogins.storeLinked(sessionId, 'attempt-2', LINKED);
    await store.questions.finishLinking(sessionId, SUCCESS);
    expect(await eventsOf(store, another)).toEqual([
      'state connecting',
      'state awaiting_token_exchange',
    ]);
    expect(await storedLink(linkId)).toEqual(before);
  });

  it('restores the link when the session ends before its success', async () => {
    const { linkId, sessionId, before } = await turned();
    await store.logins.beginLogin(sessionId, 'first-bank', ATTEMPT);
    await store.times.cancelSession(sessionId);
    expect(await storedLink(linkId)).toEqual(before);
  });

  it('is superseded by a newer session and is notified in its own workflow', async () => {
    const { linkId, sessionId } = await turned();
    await relinkedUpToLogin(store, linkId);
    expect(await row(sessionId)).toMatchObject({ state: 'ended', endReason: 'superseded' });
    const signals = await store.ctx.database.prisma.outboxCommand.findMany({
      where: { kind: 'signalSession' },
    });
    expect(signals.map(({ payload }) => payload)).toContainEqual({
      sessionId,
      mode: 'link',
      signal: 'ended',
    });

    const earlier = await relinkedUpToLogin(store, linkId);
    const { customerUser } = await store.ctx.database.prisma.link.findUniqueOrThrow({
      where: { linkId },
      include: { customerUser: true },
    });
    const { sessionId: newest } = await openedSession(store, {
      customerUser: { id: customerUser.userId, email: null, phone: null },
      features: WARNS,
    });
    await extensions.offer(newest, 'first-bank');
    expect(await row(earlier.sessionId)).toMatchObject({ state: 'open' });
    await extensions.extend(newest);
    expect(await row(earlier.sessionId)).toMatchObject({ state: 'ended', endReason: 'superseded' });
  });

  it('ends when the link is deleted, and finds no link when it was deleted before the choice', async () => {
    const { linkId, sessionId } = await turned();
    await store.links.delete(TENANT, linkId);
    expect(await row(sessionId)).toMatchObject({ state: 'ended', endReason: 'link_deleted' });

    const late = await twice();
    await extensions.offer(late.sessionId, 'first-bank');
    await store.links.delete(TENANT, late.linkId);
    expect(await extensions.extend(late.sessionId)).toBeNull();
    expect(await extensions.offer(late.sessionId, 'first-bank')).toBe(false);
  });

  it('abandons a link that was started again in the same session', async () => {
    const { sessionId } = await twice();
    const { linkId: first } = await store.logins.beginLogin(sessionId, 'first-bank', ATTEMPT);
    await extensions.offer(sessionId, 'first-bank');
    await extensions.extend(sessionId);
    expect(await eventsOf(store, first)).toEqual(['state connecting', 'state error/user_error']);
  });
});
