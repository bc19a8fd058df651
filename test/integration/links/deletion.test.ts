import { purgeDueLinks, purgeLinks } from '../../../prisma/links/link/purge-links.js';
import {
  connectedLink,
  eventsOf,
  relinkedUpToLogin,
  TENANT,
} from '../../support/fixtures/linking-store.js';
import { attemptOf } from '../../support/fixtures/stored-link.js';
import {
  commands,
  DAY,
  keys,
  left,
  opened,
  openLinks,
  prisma,
  revocations,
  store,
} from './support/deleted-links.js';

openLinks();

describe('DELETE of a link', () => {
  it('erases everything at once except the credential, which awaits revocation under a key of its own', async () => {
    const { linkId } = await connectedLink(store);
    await store.links.delete(TENANT, linkId);
    expect(await prisma().account.count()).toBe(0);
    expect(await prisma().providerCredential.count()).toBe(0);
    expect(await keys()).toEqual(['revocation']);
    expect(await commands()).toContain(linkId);
    expect(await revocations.plan(linkId)).toMatchObject({
      deleted: true,
      appId: TENANT.appId,
      environment: 'sandbox',
      institutionId: 'first-bank',
    });
    expect(await left(linkId)).toEqual([
      { revocationId: expect.any(String), provider: 'sandbox', giveUpInMs: DAY },
    ]);
    expect(await opened(linkId)).toEqual(['canary-credential']);
  });

  it('is announced once, and nothing is announced after it', async () => {
    const { linkId } = await connectedLink(store);
    const run = await store.refresh.beginRun(linkId);
    const name = attemptOf(run, 'transactions');
    await store.links.delete(TENANT, linkId);
    await expect(
      store.refresh.storeTransactions(linkId, name, {
        transactions: [],
        last: true,
        window: null,
        seenIds: [],
      }),
    ).rejects.toMatchObject({ name: 'StaleRefreshRun' });
    await store.refresh.failProduct(linkId, name, 'transactions', 'consent_expired');
    await store.refresh.finishRun(linkId, run?.run ?? '', { anySucceeded: true });
    await expect(store.links.delete(TENANT, linkId)).rejects.toMatchObject({
      name: 'TransitionRefused',
    });
    expect((await eventsOf(store, linkId)).slice(-2)).toEqual([
      'accounts completed',
      'state deleted',
    ]);
  });

  it('ends the sessions of the link and revokes permissions granted in them', async () => {
    const { linkId } = await connectedLink(store);
    const { sessionId } = await relinkedUpToLogin(store, linkId);
    await store.links.delete(TENANT, linkId);
    expect(await prisma().linkSession.findUnique({ where: { sessionId } })).toMatchObject({
      state: 'ended',
      endReason: 'link_deleted',
    });
    expect((await opened(linkId)).sort()).toEqual(['canary-credential', 'canary-renewed']);
    expect(await keys()).toEqual(['revocation', 'revocation']);
  });

  it('does not wait for a revocation: the limit and the record are settled in the transaction', async () => {
    const live = { ...TENANT, environment: 'live' as const };
    const { linkId } = await connectedLink(store, {}, live);
    const counted = () =>
      prisma().link.count({ where: { environment: 'live', state: { not: 'deleted' } } });
    expect(await counted()).toBe(1);
    await store.links.delete(live, linkId);
    expect(await counted()).toBe(0);
    expect(await left(linkId)).toHaveLength(1);
  });
});

describe('The purge of links', () => {
  it('removes the record of a link 90 days after its deletion without an event, and keeps its events', async () => {
    const { linkId } = await connectedLink(store);
    const living = await connectedLink(store);
    await store.links.delete(TENANT, linkId);
    const announced = await eventsOf(store, linkId);
    store.pass(90 * DAY - 1);
    expect(await purgeLinks(store.ctx, store.ctx.clock(), { limit: 10 })).toBe(0);
    expect(await store.links.get(TENANT, linkId)).toMatchObject({ state: 'deleted' });
    store.pass(1);
    expect(await store.links.get(TENANT, linkId)).toBeNull();
    expect(await store.links.linkOwnership(TENANT, linkId)).toBe('unknown');
    expect(await purgeLinks(store.ctx, store.ctx.clock(), { limit: 10 })).toBe(1);
    expect(await prisma().link.findMany({ select: { linkId: true } })).toEqual([
      { linkId: living.linkId },
    ]);
    expect(await eventsOf(store, linkId)).toEqual(announced);
  });

  it('uses the time of the world the link lives in', async () => {
    const { linkId } = await connectedLink(store);
    await store.links.delete(TENANT, linkId);
    await prisma().link.update({ where: { linkId }, data: { worldId: 'wld_march' } });
    store.pass(100 * DAY);
    expect(await purgeLinks(store.ctx, store.ctx.clock(), { limit: 10 })).toBe(0);
    expect(
      await store.ctx.database.transaction((tx) =>
        purgeDueLinks(tx, store.ctx.clock(), { worldId: 'wld_march', limit: 10 }),
      ),
    ).toBe(1);
  });
});
