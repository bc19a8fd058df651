import { combineRequestedProducts } from '../../../domain/link/products.js';
import { ProviderFailure } from '../../../domain/errors/provider-failure.js';
import {
  ATTEMPT,
  account,
  connectedLink,
  eventsOf,
  LINKED,
  openedSession,
  shown,
  TENANT,
  storeOfFile,
  store,
} from '../../support/fixtures/linking-store.js';

storeOfFile();

const ASKS = { ...LINKED, consent: 'ask' as const };
const WANTED = combineRequestedProducts({
  productsSettings: {
    transactions: { required: true, prefetch: true },
    identity: { prefetch: true, reason: 'confirm your name' },
  },
});

async function loggedIn(features: Record<string, boolean> = {}, login = ASKS) {
  const { sessionId } = await openedSession(store, { products: WANTED, features });
  const { linkId } = await store.logins.beginLogin(sessionId, 'first-bank', ATTEMPT);
  return {
    sessionId,
    linkId,
    questions: await store.bankLogins.storeLinked(sessionId, ATTEMPT, login),
  };
}

const stored = (linkId: string) =>
  store.ctx.database.prisma.link.findUniqueOrThrow({
    where: { linkId },
    include: {
      products: { orderBy: { position: 'asc' } },
      accounts: { orderBy: { position: 'asc' } },
      credential: true,
      refreshRequests: true,
    },
  });

describe('A login that the bank accepted', () => {
  it('offers the accounts that could be read, and names those that could not', async () => {
    const unread = { reason: 'unreadable', resource: 'account', field: 'currency' } as const;
    const { sessionId, linkId } = await loggedIn(
      {},
      {
        ...ASKS,
        incomplete: [
          { ...unread, providerAccountId: 'x1', name: 'Holiday Fund', fault: 'missing' },
          { ...unread, providerAccountId: null, name: null, fault: 'missing' },
        ],
      },
    );
    const question = await store.questions.question(sessionId, 'select_accounts');
    expect(question).toMatchObject({
      kind: 'select_accounts',
      missing: [
        { ref: 'm1', name: 'Holiday Fund', selected: true },
        { ref: null, name: null, selected: false },
      ],
    });
    await store.questions.finishLinking(sessionId, shown(5, { kind: 'success' }), {
      granted: [],
      refs: ['a1', 'm1'],
    });
    const { products } = await stored(linkId);
    expect(products.find(({ product }) => product === 'accounts')?.incomplete).toMatchObject([
      { provider_account_id: 'x1', name: 'Holiday Fund' },
      { provider_account_id: null, name: null },
    ]);
  });

  it('stays sealed in its session until the last question is answered', async () => {
    const { sessionId, linkId, questions } = await loggedIn();
    expect(questions).toEqual(['consent', 'select_accounts']);
    expect(await store.questions.questions(sessionId)).toEqual(questions);
    expect(await stored(linkId)).toMatchObject({
      state: 'connecting',
      accounts: [],
      credential: null,
    });
    const rows = await store.ctx.database.prisma.sessionSecret.findMany({ where: { sessionId } });
    expect(rows.map(({ kind }) => kind).toSorted()).toEqual(['accepted_login', 'login_grant']);
    // Compared as bytes: a random ciphertext in hexadecimal contains any given four digits once in
    // a hundred rows.
    const texts = rows.flatMap(({ sealed, ...rest }) => [
      JSON.stringify(rest),
      Buffer.from(sealed).toString('latin1'),
    ]);
    for (const text of texts) expect(text).not.toMatch(/canary|checking|2350/);
  });

  it('is followed by questions with the accounts as the bank showed them', async () => {
    const { sessionId } = await loggedIn();
    expect(await store.questions.question(sessionId, 'consent')).toMatchObject({
      kind: 'consent',
      products: [
        { product: 'accounts', locked: true },
        { product: 'identity', reason: 'confirm your name', granted: true, locked: false },
        { product: 'transactions', required: true, locked: true },
      ],
    });
    expect(await store.questions.question(sessionId, 'select_accounts')).toMatchObject({
      kind: 'select_accounts',
      min: 1,
      max: null,
      accounts: [
        { ref: 'a1', name: 'checking', account_mask: '1101', balance: 2350, currency: 'USD' },
        { ref: 'a2', account_mask: '2202' },
      ],
    });
  });

  it('grants only what the user allowed', async () => {
    const { sessionId, linkId } = await loggedIn();
    const step = shown(3, { kind: 'select_institution' });
    await store.sessions.projectStep(sessionId, {
      ...step,
      accepted: true,
      granted: ['accounts', 'transactions'],
    });
    expect(await store.questions.question(sessionId, 'consent')).toMatchObject({
      products: [{}, { product: 'identity', granted: false }, {}],
    });
    await store.questions.finishLinking(sessionId, shown(4, { kind: 'success' }), { refs: ['a2'] });
    const link = await stored(linkId);
    expect(link.products.map(({ product, granted }) => [product, granted])).toEqual([
      ['accounts', true],
      ['identity', false],
      ['transactions', true],
    ]);
    expect(link.refreshRequests.map(({ product }) => product)).toEqual(['transactions']);
    expect(
      Object.keys(
        (await store.links.get(TENANT, linkId))?.products.map(({ product }) => product) ?? [],
      ),
    ).toHaveLength(2);
    expect((await store.accounts.list(TENANT, linkId)).map(({ name }) => name)).toEqual([
      'savings',
    ]);
    // Only the identifying data of the other account is stored.
    expect(
      link.accounts.map(({ providerAccountId, permitted, current, balanceDate }) => [
        providerAccountId,
        permitted,
        current?.toFixed() ?? null,
        balanceDate === null,
      ]),
    ).toEqual([
      ['checking', false, null, true],
      ['savings', true, '2350', false],
    ]);
    expect(await store.ctx.database.prisma.sessionSecret.count({ where: { sessionId } })).toBe(0);
  });

  it('offers no account when the session accepts none of those shown', async () => {
    const { sessionId } = await openedSession(store, {
      features: { permit_only_depository_accounts: true },
    });
    await store.logins.beginLogin(sessionId, 'first-bank', ATTEMPT);
    const card = { ...account('card', '3303'), accountType: 'liability.credit_card' };
    await expect(
      store.bankLogins.storeLinked(sessionId, ATTEMPT, { ...ASKS, accounts: [card] }),
    ).rejects.toEqual(expect.objectContaining({ providerCause: 'no_eligible_accounts' }));
    await expect(
      store.bankLogins.storeLinked(sessionId, ATTEMPT, { ...ASKS, accounts: [card] }),
    ).rejects.toBeInstanceOf(ProviderFailure);
    expect(
      await store.bankLogins.storeLinked(sessionId, ATTEMPT, {
        ...ASKS,
        accounts: [card, account('checking', '1101')],
      }),
    ).toEqual(['consent', 'select_accounts']);
    expect(await store.questions.question(sessionId, 'select_accounts')).toMatchObject({
      accounts: [{ ref: 'a2' }],
    });
  });

  it('shares one account where only one may be chosen', async () => {
    const { sessionId, linkId } = await loggedIn(
      { permit_only_one_account: true },
      LINKED as typeof ASKS,
    );
    expect(await store.questions.questions(sessionId)).toEqual(['select_accounts']);
    expect(await store.questions.question(sessionId, 'select_accounts')).toMatchObject({
      max: 1,
      accounts: [{ selected: false }, { selected: false }],
    });
    await store.questions.finishLinking(sessionId, shown(3, { kind: 'success' }), { refs: ['a1'] });
    expect((await store.accounts.list(TENANT, linkId)).map(({ name }) => name)).toEqual([
      'checking',
    ]);
  });

  it('is discarded with its attempt', async () => {
    const left = await loggedIn();
    await store.attempts.exitAttempt(left.sessionId, shown(3, { kind: 'select_institution' }));
    expect(await store.questions.questions(left.sessionId)).toEqual([]);
    expect(await store.questions.question(left.sessionId, 'consent')).toBeNull();
    expect(await eventsOf(store, left.linkId)).toEqual([
      'state connecting',
      'state error/incomplete',
    ]);

    const again = await loggedIn();
    await store.logins.beginLogin(again.sessionId, 'first-bank', ATTEMPT);
    expect(await store.questions.questions(again.sessionId)).toEqual([]);
    await expect(
      store.questions.finishLinking(again.sessionId, shown(4, { kind: 'success' })),
    ).rejects.toMatchObject({ name: 'SessionOver' });
  });
});

describe('The end of a session', () => {
  it('removes its step, which may show names and balances', async () => {
    const { sessionId } = await loggedIn();
    await store.sessions.projectStep(sessionId, {
      ...shown(3, { kind: 'select_accounts', accounts: [], min: 1, max: null }),
      accepted: true,
    });
    await store.times.cancelSession(sessionId);
    expect(await store.sessions.get(sessionId)).toMatchObject({ state: 'ended', step: null });
  });

  it('follows the deletion of its link', async () => {
    const { linkId } = await connectedLink(store);
    const { sessionId } = await openedSession(store, { mode: 'relink', existingLinkId: linkId });
    await store.links.delete(TENANT, linkId);
    expect(await store.sessions.get(sessionId)).toMatchObject({
      state: 'ended',
      endReason: 'link_deleted',
      step: null,
    });
  });
});
