import type { FetchedAccount } from '../../../domain/refresh/fetched-data.js';
import type { IncompleteAccount } from '../../../domain/refresh/incomplete-answer.js';
import { combineRequestedProducts } from '../../../domain/link/products.js';
import type { AcceptedLogin } from '../../../prisma/sources/permissions/accepted-login.js';
import {
  account,
  ATTEMPT,
  LINKED,
  openedSession,
  RENEWED,
  relinkedUpToLogin,
  shown,
  TENANT,
  storeOfFile,
  store,
} from '../../support/fixtures/linking-store.js';
import { attemptOf } from '../../support/fixtures/stored-link.js';

storeOfFile();

const SUCCESS = shown(5, { kind: 'success' });
const FUND = account('fund', '3303');
const UNREAD: IncompleteAccount = {
  providerAccountId: 'fund',
  name: 'Holiday Fund',
  reason: 'unreadable',
  resource: 'account',
  field: 'currency',
  fault: 'missing',
};
const WITHOUT_FUND: AcceptedLogin = { ...LINKED, consent: 'ask', incomplete: [UNREAD] };

/** A connected link of a user who chose these accounts while `fund` could not be read. */
async function linkWith(...refs: string[]): Promise<string> {
  const { sessionId } = await openedSession(store, { products: combineRequestedProducts({}) });
  const { linkId } = await store.logins.beginLogin(sessionId, 'first-bank', ATTEMPT);
  await store.bankLogins.storeLinked(sessionId, ATTEMPT, WITHOUT_FUND);
  await store.questions.finishLinking(sessionId, SUCCESS, { granted: ['accounts'], refs });
  const { token } = (await store.exchange.finish(sessionId, 'first')) ?? {};
  await store.exchange.exchange(TENANT, token?.exchangeableToken ?? '');
  return linkId;
}

/** A relink whose login lists these accounts. */
async function relink(linkId: string, login: Partial<AcceptedLogin>) {
  const asked = await relinkedUpToLogin(store, linkId, {}, { ...RENEWED, ...login });
  const step = await store.questions.question(asked.sessionId, 'select_accounts');
  if (step?.kind !== 'select_accounts') throw new Error('the accounts are not offered');
  const finish = (...refs: string[]) =>
    store.questions.finishLinking(asked.sessionId, SUCCESS, { granted: [], refs });
  return { ...asked, step, finish };
}

async function refresh(
  linkId: string,
  listed: FetchedAccount[],
  incomplete: IncompleteAccount[] = [],
): Promise<void> {
  const { pk } = await store.ctx.database.prisma.link.findUniqueOrThrow({ where: { linkId } });
  await store.ctx.database.transaction((tx) =>
    store.refresh.requestProducts(tx, pk, ['accounts'], 'scheduled'),
  );
  const run = await store.refresh.beginRun(linkId);
  await store.refresh.storeAccounts(linkId, attemptOf(run, 'accounts'), listed, { incomplete });
}

const sharedBy = async (linkId: string) =>
  (await store.accounts.list(TENANT, linkId)).map(({ name }) => name);
const incompleteOf = async (linkId: string) =>
  (await store.links.get(TENANT, linkId))?.products.find(({ product }) => product === 'accounts')
    ?.incomplete;

describe('An account that could not be read while linking', () => {
  it('is named as incomplete until a refresh can read it, and is added by that refresh', async () => {
    const linkId = await linkWith('a1', 'm1');
    const named = [{ account_id: null, account_name: 'Holiday Fund', reason: 'unreadable' }];
    expect(await incompleteOf(linkId)).toMatchObject(named);
    await refresh(linkId, LINKED.accounts.slice(), [UNREAD]);
    expect(await sharedBy(linkId)).toEqual(['checking']);
    expect(await incompleteOf(linkId)).toMatchObject(named);
    await refresh(linkId, [...LINKED.accounts, FUND]);
    expect(await store.accounts.list(TENANT, linkId)).toMatchObject([
      { name: 'checking' },
      { name: 'fund', mask: '3303', current: '2350' },
    ]);
    expect(await incompleteOf(linkId)).toEqual([]);
  });

  it('is not added if the user did not choose it', async () => {
    const linkId = await linkWith('a1');
    expect(await incompleteOf(linkId)).toEqual([]);
    await refresh(linkId, [...LINKED.accounts, FUND]);
    expect(await sharedBy(linkId)).toEqual(['checking']);
  });

  it('is shared by the relink that can read it, with the accounts that were shared earlier', async () => {
    const linkId = await linkWith('a1', 'm1');
    const { step, finish } = await relink(linkId, { accounts: [...LINKED.accounts, FUND] });
    expect(step.accounts.map(({ ref, locked }) => [ref, locked])).toEqual([
      ['a1', true],
      ['a2', false],
      ['a3', true],
    ]);
    await finish();
    expect(await sharedBy(linkId)).toEqual(['checking', 'fund']);
  });

  it('stays shared through a relink that cannot read it either', async () => {
    const linkId = await linkWith('a1', 'm1');
    const { step, finish } = await relink(linkId, WITHOUT_FUND);
    expect(step.missing).toEqual([{ ref: null, name: 'Holiday Fund', selected: true }]);
    await finish();
    await refresh(linkId, [...LINKED.accounts, FUND]);
    expect(await sharedBy(linkId)).toEqual(['checking', 'fund']);
  });

  it('may be chosen in a relink', async () => {
    const linkId = await linkWith('a1');
    const { step, finish } = await relink(linkId, WITHOUT_FUND);
    expect(step.missing).toEqual([{ ref: 'm1', name: 'Holiday Fund', selected: false }]);
    await finish('m1');
    await refresh(linkId, [...LINKED.accounts, FUND]);
    expect(await sharedBy(linkId)).toEqual(['checking', 'fund']);
  });

  it('is included in the question again in a relink through another provider', async () => {
    const linkId = await linkWith('a1', 'm1');
    const { prisma } = store.ctx.database;
    await prisma.link.update({ where: { linkId }, data: { provider: 'earlier-provider' } });
    const { step, finish } = await relink(linkId, { accounts: [...LINKED.accounts, FUND] });
    expect(step.accounts.map(({ locked }) => locked)).toEqual([true, false, false]);
    await finish();
    await refresh(linkId, [...LINKED.accounts, FUND]);
    expect(await sharedBy(linkId)).toEqual(['checking']);
  });

  it('leaves nothing of its id and name in a deleted link', async () => {
    const linkId = await linkWith('a1', 'm1');
    await store.links.delete(TENANT, linkId);
    const { prisma } = store.ctx.database;
    const left = await prisma.link.findUniqueOrThrow({
      where: { linkId },
      include: { products: true },
    });
    const text = JSON.stringify(left, (_, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    expect(text).not.toMatch(/fund/i);
  });
});

describe('An awaited account', () => {
  it('is shared with the account that it is recognized as, if the user had declined that one', async () => {
    const linkId = await linkWith('a1', 'm1');
    // The second account, under the id of the awaited one.
    const [checking, savings] = LINKED.accounts;
    if (!checking || !savings) throw new Error('two accounts are expected');
    await refresh(linkId, [checking, { ...savings, providerAccountId: 'fund' }]);
    expect(await sharedBy(linkId)).toEqual(['checking', 'savings']);
  });
});
