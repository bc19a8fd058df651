import { DuplicateInstitution } from '../../../domain/session/duplicate-institution.js';
import type { NewSession } from '../../../prisma/links/sessions/create-session.js';
import {
  ATTEMPT,
  connectedLink,
  eventsOf,
  LINKED,
  MINUTE,
  openedSession,
  relinkedUpToLogin,
  RENEWED,
  shown,
  succeededSession,
  TENANT,
  storeOfFile,
  store,
} from '../../support/fixtures/linking-store.js';

/** Results of sessions that were continued without their token (connect 7, "Session swapping"). */
const USER = 'user-4711';

storeOfFile();

const prisma = () => store.ctx.database.prisma;

/** The state in which `resume` without the token leaves the session. */
const continueWithoutToken = (sessionId: string) =>
  prisma().linkSession.update({ where: { sessionId }, data: { resumedWithoutToken: true } });

const succeed = (sessionId: string) =>
  store.questions.finishLinking(sessionId, shown(2, { kind: 'success' }));

async function unconfirmedLink(over: Partial<NewSession> = {}) {
  const { sessionId } = await openedSession(store, over);
  const { linkId } = await store.logins.beginLogin(sessionId, 'first-bank', ATTEMPT);
  await store.bankLogins.storeLinked(sessionId, ATTEMPT, LINKED);
  await continueWithoutToken(sessionId);
  await succeed(sessionId);
  return { sessionId, linkId };
}

async function unconfirmedRelink(over: Partial<NewSession> = {}, login = RENEWED) {
  const { linkId } = await connectedLink(store);
  const { sessionId } = await relinkedUpToLogin(store, linkId, over, login);
  await continueWithoutToken(sessionId);
  await succeed(sessionId);
  return { sessionId, linkId };
}

async function tokenOf(sessionId: string) {
  const result = await store.exchange.finish(sessionId, 'first');
  if (result?.token == null) throw new Error('the session has no token');
  return result.token;
}

const linkRow = (linkId: string) =>
  prisma().link.findUniqueOrThrow({
    where: { linkId },
    include: { credential: true, accounts: true, products: true },
  });
const revoked = async (linkId: string) =>
  (
    await prisma().permissionRevocation.findMany({
      where: { link: { linkId } },
      select: { reference: true },
    })
  ).map(({ reference }) => reference);

describe('A new link that waits for its confirmation', () => {
  it('holds no data of the bank, and announces nothing, before the exchange', async () => {
    const { sessionId, linkId } = await unconfirmedLink();
    expect(await linkRow(linkId)).toMatchObject({
      state: 'connecting',
      credential: null,
      accounts: [],
    });
    expect(await eventsOf(store, linkId)).toEqual(['state connecting']);
    const { purpose, exchangeableToken, expiresInSeconds } = await tokenOf(sessionId);
    expect({ purpose, expiresInSeconds }).toEqual({ purpose: 'exchange', expiresInSeconds: 1800 });
    expect(
      await store.exchange.exchange(TENANT, exchangeableToken, { expectedUserId: USER }),
    ).toMatchObject({ kind: 'exchanged' });
    expect(await eventsOf(store, linkId)).toEqual([
      'state connecting',
      'state awaiting_token_exchange',
      'state connected',
      'accounts completed',
    ]);
  });

  it('ends as incomplete with its session, and the permission is revoked', async () => {
    const { sessionId, linkId } = await unconfirmedLink();
    const { exchangeableToken } = await tokenOf(sessionId);
    store.pass(30 * MINUTE);
    expect(await store.times.expireIfDue(sessionId)).toMatchObject({
      state: 'ended',
      link: { state: 'error', error: 'incomplete' },
    });
    expect(await revoked(linkId)).toEqual([LINKED.reference]);
    expect(
      await store.exchange.exchange(TENANT, exchangeableToken, { expectedUserId: USER }),
    ).toEqual({ kind: 'unusable' });
    expect(await linkRow(linkId)).toMatchObject({ credential: null, accounts: [] });
  });

  it('is refused where another session linked the institution first', async () => {
    const once = {
      customerUser: { id: 'user-with-one', email: null, phone: null },
      features: { duplicate_institution_rejected: true },
    };
    const { sessionId, linkId } = await unconfirmedLink(once);
    const { exchangeableToken } = await tokenOf(sessionId);
    await succeededSession(store, once);
    await expect(
      store.exchange.exchange(TENANT, exchangeableToken, { expectedUserId: 'user-with-one' }),
    ).rejects.toThrow(DuplicateInstitution);
    expect(await linkRow(linkId)).toMatchObject({ state: 'connecting', credential: null });
  });
});

describe('A relink that waits for its confirmation', () => {
  it('applies address, tags and permission of its session only at the confirmation', async () => {
    const { sessionId, linkId } = await unconfirmedRelink({
      webhook: 'https://app.example/hooks/new',
      tags: ['tier:new'],
    });
    const before = await linkRow(linkId);
    expect(before).toMatchObject({
      tags: ['tier:gold'],
      credential: { reference: LINKED.reference },
    });
    const { purpose, exchangeableToken } = await tokenOf(sessionId);
    expect(purpose).toBe('confirmation');
    expect(await store.exchange.exchange(TENANT, exchangeableToken)).toEqual({
      kind: 'user_required',
    });
    expect(
      await store.exchange.exchange(TENANT, exchangeableToken, { expectedUserId: 'someone-else' }),
    ).toEqual({ kind: 'other_user' });
    expect(await linkRow(linkId)).toEqual(before);

    expect(
      await store.exchange.exchange(TENANT, exchangeableToken, { expectedUserId: USER }),
    ).toMatchObject({ kind: 'exchanged' });
    expect(await linkRow(linkId)).toMatchObject({
      webhook: 'https://app.example/hooks/new',
      tags: ['tier:new'],
      credential: { reference: RENEWED.reference },
    });
    expect(await revoked(linkId)).toEqual([LINKED.reference]);
    expect(await prisma().sessionSecret.count({ where: { sessionId } })).toBe(0);
  });

  it.each([
    ['another permission, which is revoked', RENEWED, [RENEWED.reference]],
    [
      'the renewed permission of the link, which stays',
      { ...RENEWED, reference: LINKED.reference },
      [],
    ],
  ])('does not change the link when its session ends with %s', async (_, login, expected) => {
    const { sessionId, linkId } = await unconfirmedRelink({}, login);
    const before = await linkRow(linkId);
    store.pass(30 * MINUTE);
    await store.times.expireIfDue(sessionId);
    expect(await linkRow(linkId)).toEqual(before);
    expect(await revoked(linkId)).toEqual(expected);
  });

  it('ends with its link', async () => {
    const { sessionId, linkId } = await unconfirmedRelink();
    const { exchangeableToken } = await tokenOf(sessionId);
    await store.links.delete(TENANT, linkId);
    expect(
      await store.exchange.exchange(TENANT, exchangeableToken, { expectedUserId: USER }),
    ).toEqual({ kind: 'unusable' });
  });
});
