import { combineRequestedProducts } from '../../../domain/link/products.js';
import {
  account,
  connectedLink,
  eventsOf,
  newSession,
  openedSession,
  relinkedUpToLogin,
  RENEWED,
  shown,
  TENANT,
  storeOfFile,
  store,
} from '../../support/fixtures/linking-store.js';
import { attemptOf } from '../../support/fixtures/stored-link.js';
import { brokenLink, storedLink, SUCCESS } from './support/relinked-store.js';

storeOfFile();

const deliveriesTo = async (linkId: string) =>
  (
    await store.ctx.database.prisma.webhookDelivery.findMany({
      where: { event: { linkId } },
      orderBy: { pk: 'asc' },
    })
  ).map(({ url }) => url);

describe('A session for an existing link', () => {
  it('starts at the institution of the link, with its customer user', async () => {
    const { linkId } = await connectedLink(store, {
      customerUser: { id: 'robin', email: null, phone: null },
    });
    const { sessionId } = await openedSession(store, {
      mode: 'relink',
      existingLinkId: linkId,
      customerUser: { id: 'another-user', email: null, phone: null },
      presetInstitutionId: 'second-bank',
    });
    expect(await store.sessions.get(sessionId)).toMatchObject({
      mode: 'relink',
      linkId,
      presetInstitutionId: 'first-bank',
      institutionId: 'first-bank',
      customerUserId: 'robin',
    });
    expect(
      await store.ctx.database.prisma.customerUser.count({ where: { userId: 'another-user' } }),
    ).toBe(0);
    await store.attempts.exitAttempt(
      sessionId,
      shown(2, { kind: 'wait', stage: 'connecting', can_cancel: false }),
    );
    expect(await store.sessions.get(sessionId)).toMatchObject({ institutionId: 'first-bank' });
  });

  it('ends an earlier session that is in progress, and no other', async () => {
    const { linkId } = await connectedLink(store);
    const other = await connectedLink(store);
    const relink = (id: string) => openedSession(store, { mode: 'relink', existingLinkId: id });
    const [unopened, opened, ofOther] = [
      await relink(linkId),
      await relink(linkId),
      await relink(other.linkId),
    ];
    const done = await relinkedUpToLogin(store, linkId);
    await store.questions.finishLinking(done.sessionId, SUCCESS());
    const newest = await Promise.all(
      [1, 2].map(() =>
        store.sessions.create(TENANT, newSession({ mode: 'relink', existingLinkId: linkId })),
      ),
    );
    const states = async (sessions: { sessionId: string }[]) =>
      Promise.all(
        sessions.map(async ({ sessionId }) => (await store.sessions.get(sessionId))?.endReason),
      );
    expect(await states([unopened, opened, ofOther, done])).toEqual([
      'superseded',
      'superseded',
      null,
      null,
    ]);
    expect((await states(newest)).sort()).toEqual([null, 'superseded'].sort());
    const signals = await store.ctx.database.prisma.outboxCommand.findMany({
      where: { kind: 'signalSession' },
    });
    expect(signals.map(({ payload }) => payload)).toContainEqual({
      sessionId: opened.sessionId,
      mode: 'relink',
      signal: 'ended',
    });
  });
});

describe('A relink', () => {
  it('repairs the link: same ids, new permission, all products fetched again', async () => {
    const { linkId } = await brokenLink();
    const before = await storedLink(linkId);
    const { sessionId, questions } = await relinkedUpToLogin(store, linkId);
    expect(questions).toEqual([]);
    expect((await store.credentials.credential(linkId))?.credential.toString()).toBe(
      'canary-credential',
    );
    await store.questions.finishLinking(sessionId, SUCCESS());
    await store.questions.finishLinking(sessionId, SUCCESS());
    const after = await storedLink(linkId);
    expect(after).toMatchObject({
      pk: before.pk,
      state: 'connected',
      errorCode: null,
      headSeq: before.headSeq,
      connectedAt: before.connectedAt,
      webhook: before.webhook,
      tags: before.tags,
    });
    expect(after.accounts.map(({ accountId }) => accountId)).toEqual(
      before.accounts.map(({ accountId }) => accountId),
    );
    expect((await store.credentials.credential(linkId))?.credential.toString()).toBe(
      'canary-renewed',
    );
    expect((await eventsOf(store, linkId)).slice(-2)).toEqual([
      'state error/auth_expired',
      'state connected',
    ]);
    const asked = await store.ctx.database.prisma.refreshRequest.findMany({
      where: { link: { linkId }, cause: 'relink' },
    });
    expect(asked.map(({ product }) => product)).toEqual(['accounts', 'transactions']);
    expect(await store.exchange.finish(sessionId, 'r1')).toMatchObject({
      institutionId: 'first-bank',
      token: null,
    });
  });

  it('of a healthy link renews it without an event', async () => {
    const { linkId } = await connectedLink(store);
    const events = await eventsOf(store, linkId);
    const { sessionId } = await relinkedUpToLogin(store, linkId);
    await store.questions.finishLinking(sessionId, SUCCESS());
    expect(await eventsOf(store, linkId)).toEqual(events);
    expect((await store.credentials.credential(linkId))?.credential.toString()).toBe(
      'canary-renewed',
    );
  });

  it.each<[string, (sessionId: string) => Promise<unknown>]>([
    [
      'that is left',
      (sessionId) =>
        store.attempts.exitAttempt(
          sessionId,
          shown(6, { kind: 'wait', stage: 'connecting', can_cancel: false }),
        ),
    ],
    [
      'that fails',
      (sessionId) =>
        store.attempts.failLogin(
          sessionId,
          'user_denied',
          shown(6, { kind: 'select_institution' }),
        ),
    ],
    ['that is cancelled', (sessionId) => store.times.cancelSession(sessionId)],
    [
      'whose time has expired',
      async (sessionId) => {
        store.pass(61 * 60_000);
        await store.times.expireIfDue(sessionId);
      },
    ],
  ])('changes nothing: %s', async (_how, end) => {
    const { linkId } = await brokenLink();
    const before = { link: await storedLink(linkId), events: await eventsOf(store, linkId) };
    const { sessionId } = await relinkedUpToLogin(
      store,
      linkId,
      {
        webhook: 'https://other.example/hooks',
        tags: ['new'],
        products: combineRequestedProducts({ products: ['identity'] }),
      },
      { ...RENEWED, accounts: [account('new', '9999')] },
    );
    await end(sessionId);
    expect({ link: await storedLink(linkId), events: await eventsOf(store, linkId) }).toEqual(
      before,
    );
    await expect(store.questions.finishLinking(sessionId, SUCCESS(9))).rejects.toMatchObject({
      name: 'SessionOver',
    });
  });

  it('sends the event of its success to the new address, with the new tags', async () => {
    const { linkId } = await brokenLink();
    const { sessionId } = await relinkedUpToLogin(store, linkId, {
      webhook: 'https://other.example/hooks',
      tags: ['new'],
    });
    await store.questions.finishLinking(sessionId, SUCCESS());
    expect((await deliveriesTo(linkId)).slice(-2)).toEqual([
      'https://app.example/hooks/bank',
      'https://other.example/hooks',
    ]);
    expect(await storedLink(linkId)).toMatchObject({
      webhook: 'https://other.example/hooks',
      tags: ['new'],
    });
    const [event] = await store.ctx.database.prisma.webhookEvent.findMany({
      where: { linkId },
      orderBy: { pk: 'desc' },
      take: 1,
    });
    expect(JSON.parse(event?.body ?? '')).toMatchObject({ state: 'connected', link_tags: ['new'] });
  });

  it('removes address and tags when the session requests it, and accepts an address again later', async () => {
    const { linkId } = await brokenLink();
    const removing = await relinkedUpToLogin(store, linkId, { webhook: null, tags: [] });
    await store.questions.finishLinking(removing.sessionId, SUCCESS());
    expect(await storedLink(linkId)).toMatchObject({ webhook: null, tags: [] });
    expect((await deliveriesTo(linkId)).at(-1)).toBeNull();
  });

  it('cannot complete a link that was deleted in the meantime', async () => {
    const { linkId } = await brokenLink();
    const { sessionId } = await relinkedUpToLogin(store, linkId);
    await store.links.delete(TENANT, linkId);
    await expect(store.questions.finishLinking(sessionId, SUCCESS())).rejects.toMatchObject({
      name: 'SessionOver',
    });
    expect(await store.credentials.credential(linkId)).toBeNull();
  });

  it('is not undone by a fetch that was refused with the previous permission', async () => {
    const { linkId } = await connectedLink(store);
    const name = attemptOf(await store.refresh.beginRun(linkId), 'transactions');
    store.pass(1_000);
    const { sessionId } = await relinkedUpToLogin(store, linkId);
    await store.questions.finishLinking(sessionId, SUCCESS());
    await store.refresh.failProduct(linkId, name, 'transactions', 'consent_expired');
    expect(await storedLink(linkId)).toMatchObject({ state: 'connected' });
    store.pass(1_000);
    const again = attemptOf(await store.refresh.beginRun(linkId), 'transactions');
    await store.refresh.failProduct(linkId, again, 'transactions', 'consent_expired');
    expect(await storedLink(linkId)).toMatchObject({ state: 'error', errorCode: 'auth_expired' });
  });
});
