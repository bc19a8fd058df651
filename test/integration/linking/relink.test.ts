import { combineRequestedProducts } from '../../../domain/link/products.js';
import {
  ATTEMPT,
  account,
  connectedLink,
  eventsOf,
  LINKED,
  newSession,
  openedSession,
  openStore,
  relinkedUpToLogin,
  RENEWED,
  shown,
  TENANT,
  type Store,
} from '../../support/fixtures/linking-store.js';
import { attemptOf } from '../../support/fixtures/stored-link.js';

let store: Store;
beforeAll(async () => {
  store = await openStore();
});
afterAll(() => store.close());

const SUCCESS = (seq = 5) => shown(seq, { kind: 'success' });
const storedLink = (linkId: string) =>
  store.ctx.database.prisma.link.findUniqueOrThrow({
    where: { linkId },
    include: {
      products: { orderBy: { position: 'asc' } },
      accounts: { orderBy: { position: 'asc' } },
      credential: true,
    },
  });
const deliveriesTo = async (linkId: string) =>
  (
    await store.ctx.database.prisma.webhookDelivery.findMany({
      where: { event: { linkId } },
      orderBy: { pk: 'asc' },
    })
  ).map(({ url }) => url);

/** A connected link that needs its owner. */
async function brokenLink(over = {}) {
  const connected = await connectedLink(store, over);
  await store.links.reset(TENANT, connected.linkId);
  return connected;
}

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

  it('adds products with their settings and keeps the settings of existing products', async () => {
    const { linkId } = await brokenLink();
    const products = combineRequestedProducts({
      productsSettings: {
        identity: { prefetch: true, reason: 'confirm your name' },
        transactions: { extend_history: true, required: true },
      },
    });
    const { sessionId, questions } = await relinkedUpToLogin(store, linkId, { products });
    expect(questions).toEqual(['consent']);
    await store.questions.finishLinking(sessionId, SUCCESS(), { granted: ['identity'] });
    expect((await storedLink(linkId)).products).toMatchObject([
      { product: 'accounts', granted: true },
      { product: 'identity', granted: true, prefetch: true, reason: 'confirm your name' },
      { product: 'transactions', granted: true, extendHistory: false, required: false },
    ]);
  });

  it('does not grant a declined product, and requests it again in a later relink', async () => {
    const { linkId } = await brokenLink();
    const products = combineRequestedProducts({ products: ['identity'] });
    const declined = await relinkedUpToLogin(store, linkId, { products });
    await store.questions.finishLinking(declined.sessionId, SUCCESS(), { granted: [] });
    expect((await store.links.get(TENANT, linkId))?.products.map(({ product }) => product)).toEqual(
      ['accounts', 'transactions'],
    );
    const again = await relinkedUpToLogin(store, linkId, { products });
    expect(again.questions).toEqual(['consent']);
    await store.questions.finishLinking(again.sessionId, SUCCESS(), { granted: ['identity'] });
    expect((await store.links.get(TENANT, linkId))?.products.map(({ product }) => product)).toEqual(
      ['accounts', 'identity', 'transactions'],
    );
  });

  it('offers accounts that are not shared yet and keeps those that are', async () => {
    const { linkId } = await brokenLink();
    const before = await storedLink(linkId);
    const { sessionId, questions } = await relinkedUpToLogin(
      store,
      linkId,
      {},
      {
        ...RENEWED,
        accounts: [account('new', '9999'), ...LINKED.accounts, account('newer', '8888')],
      },
    );
    expect(questions).toEqual(['select_accounts']);
    expect(await store.questions.question(sessionId, 'select_accounts')).toMatchObject({
      accounts: [
        { ref: 'a1', selected: false, locked: false },
        { ref: 'a2', selected: true, locked: true },
        { ref: 'a3', locked: true },
        { ref: 'a4', locked: false },
      ],
    });
    await store.questions.finishLinking(sessionId, SUCCESS(), { refs: ['a4'] });
    const { accounts } = await storedLink(linkId);
    expect(
      accounts
        .filter(({ permitted }) => permitted)
        .map(({ providerAccountId }) => providerAccountId)
        .sort(),
    ).toEqual(['checking', 'newer', 'savings']);
    expect(
      accounts.filter(({ providerAccountId }) => providerAccountId === 'checking')[0]?.accountId,
    ).toBe(before.accounts[0]?.accountId);
    const once = await relinkedUpToLogin(
      store,
      linkId,
      {},
      { ...RENEWED, accounts: [account('new', '9999'), ...LINKED.accounts] },
    );
    expect(once.questions).toEqual(['select_accounts']);
    await store.questions.finishLinking(once.sessionId, SUCCESS(), { refs: ['a1'] });
    expect(
      (await storedLink(linkId)).accounts.find(
        ({ providerAccountId }) => providerAccountId === 'new',
      ),
    ).toMatchObject({
      permitted: true,
      accountId: accounts.find(({ providerAccountId }) => providerAccountId === 'new')?.accountId,
    });
  });

  it('creates a new account for one that only looks the same', async () => {
    const { linkId } = await brokenLink();
    const { sessionId, questions } = await relinkedUpToLogin(
      store,
      linkId,
      {},
      {
        ...RENEWED,
        accounts: [
          {
            ...account('other-checking', '1101'),
            accountType: 'depository.checking',
            name: 'checking',
            currency: 'CAD',
          },
        ],
      },
    );
    expect(questions).toEqual(['select_accounts']);
    await store.questions.finishLinking(sessionId, SUCCESS(), { refs: ['a1'] });
    expect(
      (await storedLink(linkId)).accounts.map(({ providerAccountId }) => providerAccountId).sort(),
    ).toEqual(['checking', 'other-checking', 'savings']);
  });

  it('completes a link that was never connected: asks every question, with the products requested first', async () => {
    const { sessionId: first } = await openedSession(store, {
      products: combineRequestedProducts({
        productsSettings: { transactions: { required: true, prefetch: true } },
      }),
    });
    const { linkId } = await store.logins.beginLogin(first, 'first-bank', ATTEMPT);
    await store.bankLogins.storeLinked(first, ATTEMPT, { ...LINKED, consent: 'ask' });
    await store.attempts.exitAttempt(first, shown(3, { kind: 'select_institution' }));
    const { sessionId, questions } = await relinkedUpToLogin(store, linkId);
    expect(questions).toEqual(['consent', 'select_accounts']);
    expect(await store.bankLogins.loginFacts(sessionId)).toMatchObject({
      relink: { reference: null },
      requestedProducts: ['accounts', 'transactions'],
    });
    await store.questions.finishLinking(sessionId, SUCCESS(), {
      granted: ['transactions'],
      refs: ['a1'],
    });
    expect(await eventsOf(store, linkId)).toEqual([
      'state connecting',
      'state error/incomplete',
      'state connected',
    ]);
    expect(await storedLink(linkId)).toMatchObject({
      connectedAt: store.ctx.clock(),
      products: [
        { product: 'accounts', granted: true },
        { product: 'transactions', granted: true, prefetch: true },
      ],
    });
    expect(await store.accounts.list(TENANT, linkId)).toHaveLength(1);
    expect(
      await store.bankLogins.loginFacts((await relinkedUpToLogin(store, linkId)).sessionId),
    ).toMatchObject({ relink: { reference: 'connection-2' } });
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
