import { combineRequestedProducts } from '../../../domain/link/products.js';
import {
  ATTEMPT,
  account,
  eventsOf,
  LINKED,
  openedSession,
  relinkedUpToLogin,
  RENEWED,
  shown,
  TENANT,
  storeOfFile,
  store,
} from '../../support/fixtures/linking-store.js';
import { brokenLink, storedLink, SUCCESS } from './support/relinked-store.js';

storeOfFile();

describe('A relink', () => {
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
    const again = await relinkedUpToLogin(store, linkId);
    const relink = (await store.bankLogins.loginFacts(again.sessionId))?.relink;
    expect(relink?.reference).toBe('connection-2');
    const balances = { available: '2210.52', current: '2350.00', limit: null };
    const checking = { accountType: 'depository.checking', currency: 'USD', ...balances };
    const unknown = { available: null, current: null, limit: null };
    const savings = { accountType: 'depository.savings', currency: 'USD', ...unknown };
    expect(
      [...(relink?.accountFacts ?? [])].map(([id, { available, current, limit, ...facts }]) => [
        id,
        {
          ...facts,
          available: available?.toFixed(2) ?? null,
          current: current?.toFixed(2) ?? null,
          limit,
        },
      ]),
    ).toEqual([
      ['checking', checking],
      ['savings', savings],
    ]);
  });
});
