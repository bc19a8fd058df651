import { MockActivityEnvironment } from '@temporalio/testing';
import { createRevocationActivities } from '../../../activities/deletion/deletion-activities.js';
import { RevocationRepository } from '../../../prisma/sources/permissions/revocation.repository.js';
import { UserErasureRepository } from '../../../prisma/views/users/user-erasure.repository.js';
import { WorldRepository } from '../../../prisma/worlds/world.repository.js';
import { ADAPTERS } from '../../../providers/adapters.js';
import type { Provider, RevocationOutcome } from '../../../providers/contract/provider.js';
import { runCommand } from '../../support/actors/operator.js';
import { CALLING_ADAPTERS } from '../../support/adapters/calls-of-adapters.js';
import {
  ATTEMPT,
  connectedLink,
  LINKED,
  MINUTE,
  openedSession,
  relinkedUpToLogin,
  shown,
  succeededSession,
  TENANT,
  storeOfFile,
  store,
} from '../../support/fixtures/linking-store.js';
import { representatives } from '../../support/runner/representatives.js';

const PROVIDER = 'vendor';
const USER = { id: 'ann@mail.example', email: null, phone: null };

storeOfFile();

let revocations: RevocationRepository;
beforeAll(async () => {
  revocations = new RevocationRepository(store.ctx);
  // Every login goes through a configuration of the operator.
  const { prisma } = store.ctx.database;
  await prisma.providerConfiguration.create({
    data: { name: PROVIDER, adapter: 'simplefin', environment: 'sandbox', settings: {} },
  });
  await prisma.institutionRoute.updateMany({ data: { provider: PROVIDER } });
});
beforeEach(async () => {
  await prisma().unrevokedPermission.deleteMany();
  await prisma().permissionRevocation.deleteMany();
});

const prisma = () => store.ctx.database.prisma;

/** The means by which the source can end the permission. */
const CAPABILITIES: Readonly<Record<string, (() => Promise<RevocationOutcome>) | undefined>> = {
  'whose adapter cannot revoke': undefined,
  'whose bank offers no way to revoke': () => Promise.resolve('not_offered'),
  'whose bank revokes it': () => Promise.resolve('revoked'),
};

/**
 * Every case in which one of our permissions is no longer used. Each returns the id of the link.
 */
const ENDS: Readonly<Record<string, () => Promise<string>>> = {
  'its link is deleted': async () => {
    const { linkId } = await connectedLink(store);
    await store.links.delete(TENANT, linkId);
    return linkId;
  },
  'its user is erased': async () => {
    const { linkId } = await connectedLink(store, { customerUser: USER });
    const erasures = new UserErasureRepository(store.ctx);
    await erasures.request(TENANT, USER.id);
    const { customerUserPk } = await prisma().link.findUniqueOrThrow({ where: { linkId } });
    const { erasureId } = await prisma().userErasure.findFirstOrThrow({
      where: { customerUserPk },
    });
    while ((await erasures.advance(erasureId)) === 'more');
    return linkId;
  },
  'a relink replaces it': async () => {
    const { linkId } = await connectedLink(store);
    const { sessionId } = await relinkedUpToLogin(store, linkId);
    await store.questions.finishLinking(sessionId, shown(3, { kind: 'success' }));
    return linkId;
  },
  'a relink is abandoned': async () => {
    const { linkId } = await connectedLink(store);
    const { sessionId } = await relinkedUpToLogin(store, linkId);
    await store.attempts.exitAttempt(sessionId, shown(3, { kind: 'select_institution' }));
    return linkId;
  },
  'its session runs out': async () => {
    const { sessionId } = await openedSession(store);
    const { linkId } = await store.logins.beginLogin(sessionId, 'first-bank', ATTEMPT);
    await store.bankLogins.storeLinked(sessionId, ATTEMPT, LINKED);
    store.pass(61 * MINUTE);
    await store.times.expireIfDue(sessionId);
    return linkId;
  },
  'its link is never exchanged': async () => {
    const { sessionId, linkId } = await succeededSession(store);
    store.pass(31 * MINUTE);
    await store.times.expireIfDue(sessionId);
    return linkId;
  },
};

/** The worker's handling of open revocations. */
async function revokeAll(revoke: (() => Promise<RevocationOutcome>) | undefined): Promise<void> {
  const provider = { name: PROVIDER, ...(revoke === undefined ? {} : { revoke }) } as Provider;
  const { revokePermission } = createRevocationActivities({
    revocations,
    providers: { get: () => provider },
  });
  for (const { revocationId } of await prisma().permissionRevocation.findMany())
    await new MockActivityEnvironment().run(revokePermission, { revocationId });
}

const recorded = () =>
  prisma().unrevokedPermission.findMany({
    omit: { pk: true, reportedAt: true, createdAt: true, reference: true },
  });
const facts = (linkId: string, reason: string) => ({
  linkId,
  appId: TENANT.appId,
  environment: TENANT.environment,
  institutionId: 'first-bank',
  provider: PROVIDER,
  adapter: 'simplefin',
  reason,
});

describe.each(Object.entries(CAPABILITIES))('A permission %s', (capability, revoke) => {
  // Every end leaves a revocation; its handling depends on the capability alone.
  const ends = representatives(
    Object.entries(ENDS),
    ([how]) => capability === 'whose adapter cannot revoke' || how === 'a relink replaces it',
  );
  it.each(ends)('is recorded exactly if it stays valid when %s', async (_how, end) => {
    const linkId = await end();
    await revokeAll(revoke);
    expect(await recorded()).toEqual(
      capability === 'whose bank revokes it' ? [] : [facts(linkId, 'not_offered')],
    );
    expect(await prisma().permissionRevocation.count()).toBe(0);
  });
});

describe('The deletion of a world', () => {
  const deletedWith = async (work: (worldId: string) => Promise<unknown>): Promise<void> => {
    const worlds = new WorldRepository(store.ctx);
    const world = await worlds.create(TENANT.appId, {
      name: 'Winter',
      seed: 7n,
      start: store.ctx.clock(),
      enforceRefreshLimits: false,
    });
    const worldId = world?.worldId ?? '';
    await work(worldId);
    expect(await worlds.erase({ appId: TENANT.appId, worldId })).toBe(true);
  };

  it('records the permissions that sources other than the sandbox bank issued to its links and logins', async () => {
    let expected: string[] = [];
    await deletedWith(async (worldId) => {
      const { linkId: used } = await connectedLink(store, { worldId });
      const { linkId: left } = await connectedLink(store, { worldId });
      await store.links.delete(TENANT, left);
      const { sessionId } = await openedSession(store, { worldId });
      const { linkId: started } = await store.logins.beginLogin(sessionId, 'first-bank', ATTEMPT);
      await store.bankLogins.storeLinked(sessionId, ATTEMPT, LINKED);
      expected = [used, left, started];
    });
    expect((await recorded()).sort((a, b) => (a.linkId < b.linkId ? -1 : 1))).toEqual(
      expected.sort().map((linkId) => facts(linkId, 'world_deleted')),
    );
  });

  it('records nothing for the sandbox bank, which deletes the world itself', async () => {
    await deletedWith(async (worldId) => {
      const { linkId } = await connectedLink(store, { worldId });
      await prisma().providerCredential.updateMany({
        where: { link: { linkId } },
        data: { provider: 'sandbox' },
      });
    });
    expect(await recorded()).toEqual([]);
  });
});

describe('The information for an operator and an app', () => {
  it('is a list of the recorded permissions, also of deleted links', async () => {
    const linkId = await ENDS['its user is erased']?.();
    await revokeAll(undefined);
    const { stdout, status } = await runCommand(['links', 'unrevoked', '--json'], {
      DATABASE_URL: store.url,
      MASTER_KEYS: `test:${Buffer.alloc(32).toString('base64')}`,
    });
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toEqual([
      {
        link_id: linkId,
        app_id: TENANT.appId,
        environment: 'sandbox',
        institution_id: 'first-bank',
        adapter: 'simplefin',
        provider: PROVIDER,
        reference: LINKED.reference,
        reason: 'not_offered',
        created_at: expect.any(String),
      },
    ]);
    expect(stdout).not.toContain(USER.id);
  });

  it.each([
    ['every permission of the configuration stays valid', ['*'], true],
    ['this institution offers no way to revoke', ['other', 'first-bank'], true],
    ['only another institution offers no way', ['other'], false],
    ['every permission can be revoked', [], false],
  ])('is in the response to the erasure, when %s', async (_what, cannotRevoke, isNamed) => {
    await prisma().providerConfiguration.update({
      where: { name: PROVIDER },
      data: { cannotRevoke },
    });
    const customerUser = { ...USER, id: `user of ${cannotRevoke.join()}` };
    const { linkId } = await connectedLink(store, { customerUser });
    const erasures = new UserErasureRepository(store.ctx);
    const request = () => erasures.request(TENANT, customerUser.id);
    expect(await request()).toEqual(
      isNamed ? [{ linkId, institutionId: 'first-bank', provider: PROVIDER }] : [],
    );
    expect(await request()).toEqual([]);
  });
});

it('An adapter declares that all of its permissions stay valid exactly if it has no revocation', async () => {
  const origin = 'https://bank.example';
  for (const { name, settings } of ADAPTERS) {
    const provider = await CALLING_ADAPTERS[name]?.create({ environment: 'live', origin });
    const says = name === 'fdx' ? [] : (settings.cannotRevoke?.({}) ?? []);
    expect({ name, all: says.includes('*') }).toEqual({
      name,
      all: provider?.revoke === undefined,
    });
  }
});
