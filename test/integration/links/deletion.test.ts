import { createDeletionActivities } from '../../../activities/deletion/deletion-activities.js';
import { purgeDueLinks, purgeLinks } from '../../../prisma/links/purge-links.js';
import { RevocationRepository } from '../../../prisma/permissions/revocation.repository.js';
import { reportUnrevoked } from '../../../prisma/permissions/unrevoked-permission.js';
import {
  ATTEMPT,
  connectedLink,
  eventsOf,
  LINKED,
  MINUTE,
  openedSession,
  openStore,
  relinkedUpToLogin,
  RENEWED,
  shown,
  succeededSession,
  TENANT,
  type Store,
} from '../../support/fixtures/linking-store.js';
import { attemptOf } from '../../support/fixtures/stored-link.js';

const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

let store: Store;
let revocations: RevocationRepository;

beforeEach(async () => {
  store = await openStore();
  revocations = new RevocationRepository(store.ctx);
});
afterEach(() => store?.close());

const prisma = () => store.ctx.database.prisma;
const left = async (linkId: string) => (await revocations.plan(linkId))?.revocations ?? [];
const opened = async (linkId: string) =>
  Promise.all(
    (await left(linkId)).map(async ({ revocationId }) =>
      Buffer.from((await revocations.beginAttempt(revocationId))?.credential ?? []).toString(),
    ),
  );
const keys = async () =>
  (await prisma().dataKey.findMany()).map(({ owner }) => owner.split('/')[0]);
const commands = async () =>
  (await prisma().outboxCommand.findMany({ where: { kind: 'startLinkDeletion' } })).map(
    ({ payload }) => (payload as { linkId: string }).linkId,
  );

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

describe('A permission that is no longer used', () => {
  it('is revoked when the link was never exchanged', async () => {
    const { sessionId, linkId } = await succeededSession(store);
    store.pass(31 * MINUTE);
    await store.times.expireIfDue(sessionId);
    expect((await eventsOf(store, linkId)).at(-1)).toBe('state error/user_error');
    expect(await opened(linkId)).toEqual(['canary-credential']);
    expect(await commands()).toEqual([linkId]);
    expect(await revocations.plan(linkId)).toMatchObject({ deleted: false });
  });

  it.each<[string, (sessionId: string) => Promise<unknown>]>([
    [
      'the user leaves',
      (sessionId) =>
        store.attempts.exitAttempt(sessionId, shown(3, { kind: 'select_institution' })),
    ],
    [
      'another bank is chosen',
      (sessionId) => store.logins.beginLogin(sessionId, 'second-bank', 'another'),
    ],
    [
      'the same bank is started again',
      async (sessionId) => {
        await store.attempts.failLogin(
          sessionId,
          'internal',
          shown(3, { kind: 'select_institution' }),
        );
        await store.logins.beginLogin(sessionId, 'first-bank', ATTEMPT);
      },
    ],
    ['the session is cancelled', (sessionId) => store.times.cancelSession(sessionId)],
    [
      'the session runs out',
      async (sessionId) => {
        store.pass(HOUR);
        await store.times.expireIfDue(sessionId);
      },
    ],
  ])('is revoked when %s before the end', async (_how, end) => {
    const { sessionId } = await openedSession(store);
    const { linkId } = await store.logins.beginLogin(sessionId, 'first-bank', ATTEMPT);
    await store.bankLogins.storeLinked(sessionId, ATTEMPT, LINKED);
    await end(sessionId);
    expect(await opened(linkId)).toEqual(['canary-credential']);
  });

  it('is revoked when it could not be stored, even if its link continued without it', async () => {
    const { linkId } = await connectedLink(store);
    expect(
      await revocations.release(linkId, {
        provider: 'sandbox',
        reference: 'too-late',
        credential: Buffer.from('canary-late'),
      }),
    ).toBe(true);
    expect(await opened(linkId)).toEqual(['canary-late']);
    expect(await commands()).toEqual([linkId]);
    expect((await store.credentials.credential(linkId))?.credential.toString()).toBe(
      'canary-credential',
    );
    expect(
      await revocations.release('mk_unknown', {
        provider: 'sandbox',
        reference: 'too-late',
        credential: Buffer.from('canary-late'),
      }),
    ).toBe(false);
  });

  it('is revoked when a relink replaces it, and when a relink is abandoned', async () => {
    const { linkId } = await connectedLink(store);
    const { sessionId } = await relinkedUpToLogin(store, linkId);
    await store.attempts.exitAttempt(sessionId, shown(3, { kind: 'select_institution' }));
    expect(await opened(linkId)).toEqual(['canary-renewed']);
    expect((await store.credentials.credential(linkId))?.credential.toString()).toBe(
      'canary-credential',
    );
    await prisma().permissionRevocation.deleteMany();

    const again = await relinkedUpToLogin(store, linkId);
    await store.questions.finishLinking(again.sessionId, shown(3, { kind: 'success' }));
    expect(await opened(linkId)).toEqual(['canary-credential']);
    expect((await store.credentials.credential(linkId))?.credential.toString()).toBe(
      'canary-renewed',
    );
  });

  it('is kept when the bank renewed it under the same reference', async () => {
    const { linkId } = await connectedLink(store);
    const renewed = { ...RENEWED, reference: LINKED.reference };
    const { sessionId } = await relinkedUpToLogin(store, linkId, {}, renewed);
    await store.attempts.exitAttempt(sessionId, shown(3, { kind: 'select_institution' }));
    const again = await relinkedUpToLogin(store, linkId, {}, renewed);
    await store.questions.finishLinking(again.sessionId, shown(3, { kind: 'success' }));
    expect(await left(linkId)).toEqual([]);
  });

  it('is kept when the link received it again before it was revoked', async () => {
    const { linkId } = await connectedLink(store);
    const { sessionId } = await relinkedUpToLogin(store, linkId);
    await store.attempts.exitAttempt(sessionId, shown(3, { kind: 'select_institution' }));
    const again = await relinkedUpToLogin(store, linkId);
    await store.questions.finishLinking(again.sessionId, shown(3, { kind: 'success' }));
    expect((await opened(linkId)).sort()).toEqual(['', 'canary-credential']);
    expect(await left(linkId)).toHaveLength(1);
  });
});

describe('Revoking a permission', () => {
  it('erases the credential at its deadline, whatever happened to the workflow', async () => {
    const { linkId } = await connectedLink(store);
    await store.links.delete(TENANT, linkId);
    const sweep = (now: Date) =>
      revocations.sweep(now, { olderThanMs: MINUTE, idleMs: 2 * HOUR, limit: 10 });
    await prisma().outboxCommand.deleteMany();
    expect(await sweep(store.ctx.clock())).toBe(0);
    store.pass(3 * HOUR);
    expect(await sweep(store.ctx.clock())).toBe(1);
    expect(await commands()).toEqual([linkId]);
    expect(await sweep(store.ctx.clock())).toBe(0);
    store.pass(21 * HOUR + 30_000);
    expect(await left(linkId)).toMatchObject([{ giveUpInMs: 0 }]);
    store.pass(MINUTE);
    expect(await sweep(store.ctx.clock())).toBe(1);
    expect({ left: await left(linkId), keys: await keys() }).toEqual({ left: [], keys: [] });
  });

  it('stops at its deadline, also for an attempt that starts at that time', async () => {
    const { linkId } = await connectedLink(store);
    await store.links.delete(TENANT, linkId);
    const [row] = await left(linkId);
    store.pass(DAY);
    expect(await revocations.beginAttempt(row?.revocationId ?? '')).toBeNull();
    expect(await keys()).toEqual([]);
  });

  it('is abandoned by erasing the credential, and may be reported twice', async () => {
    const { linkId } = await connectedLink(store);
    await store.links.delete(TENANT, linkId);
    const { giveUpRevocation, planDeletion } = createDeletionActivities({ revocations });
    const [row] = await left(linkId);
    for (let time = 0; time < 2; time += 1)
      await giveUpRevocation({ revocationId: row?.revocationId ?? '' });
    expect(await planDeletion(linkId)).toMatchObject({ revocations: [] });
    expect(await keys()).toEqual([]);
  });
});

describe('A permission that is not revoked', () => {
  const unrevoked = () =>
    prisma().unrevokedPermission.findMany({
      select: { linkId: true, reference: true, reason: true, reportedAt: true },
    });

  async function leftAfterDeletion() {
    const { linkId } = await connectedLink(store);
    await store.links.delete(TENANT, linkId);
    const [row] = await left(linkId);
    return { linkId, revocationId: row?.revocationId ?? '' };
  }

  it('is recorded when its sealed credential cannot be opened, and the credential is erased nevertheless', async () => {
    const { linkId, revocationId } = await leftAfterDeletion();
    await prisma().dataKey.updateMany({ data: { masterKeyId: 'gone' } });
    expect(await revocations.beginAttempt(revocationId)).toBeNull();
    expect({ left: await left(linkId), keys: await keys() }).toEqual({ left: [], keys: [] });
    expect(await unrevoked()).toMatchObject([
      { linkId, reference: LINKED.reference, reason: 'unreadable' },
    ]);
  });

  it.each<[string, (revocationId: string) => Promise<unknown>]>([
    ['the workflow abandons it', (revocationId) => revocations.giveUp(revocationId)],
    [
      'the sweeper finds it',
      () =>
        revocations.sweep(store.ctx.clock(), { olderThanMs: MINUTE, idleMs: 2 * HOUR, limit: 10 }),
    ],
    ['an attempt begins too late', (revocationId) => revocations.beginAttempt(revocationId)],
  ])('is recorded once when its deadline passed and %s', async (_how, end) => {
    const { linkId, revocationId } = await leftAfterDeletion();
    store.pass(DAY + 2 * MINUTE);
    for (let time = 0; time < 2; time += 1) await end(revocationId);
    expect({ left: await left(linkId), keys: await keys() }).toEqual({ left: [], keys: [] });
    expect(await unrevoked()).toMatchObject([
      { linkId, reference: LINKED.reference, reason: 'time_over' },
    ]);
  });

  it('is reported once and forgotten 90 days later', async () => {
    const { linkId, revocationId } = await leftAfterDeletion();
    await revocations.giveUp(revocationId);
    const reports: unknown[] = [];
    const sweep = () =>
      reportUnrevoked(store.ctx, store.ctx.clock(), (permission) => reports.push(permission));
    expect({ first: await sweep(), second: await sweep() }).toEqual({ first: 1, second: 0 });
    expect(reports).toEqual([
      { link_id: linkId, institution: 'first-bank', provider: 'sandbox', reason: 'time_over' },
    ]);
    store.pass(90 * DAY);
    await sweep();
    expect(await unrevoked()).toEqual([]);
  });

  it('does not prevent a relink from replacing it', async () => {
    const { linkId } = await connectedLink(store);
    await prisma().providerCredential.updateMany({ data: { sealed: Buffer.alloc(64) } });
    const { sessionId } = await relinkedUpToLogin(store, linkId);
    await store.questions.finishLinking(sessionId, shown(3, { kind: 'success' }));
    expect((await store.credentials.credential(linkId))?.credential.toString()).toBe(
      'canary-renewed',
    );
    expect(await unrevoked()).toMatchObject([{ linkId, reason: 'unreadable' }]);
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
