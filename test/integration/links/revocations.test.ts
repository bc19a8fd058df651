import { createDeletionActivities } from '../../../activities/deletion/deletion-activities.js';
import { reportUnrevoked } from '../../../prisma/sources/permissions/unrevoked-permission.js';
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
} from '../../support/fixtures/linking-store.js';
import {
  commands,
  DAY,
  HOUR,
  keys,
  left,
  opened,
  openLinks,
  prisma,
  revocations,
  store,
} from './support/deleted-links.js';

openLinks();

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
    ['the session is canceled', (sessionId) => store.times.cancelSession(sessionId)],
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
