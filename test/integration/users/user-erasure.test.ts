import { RevocationRepository } from '../../../prisma/sources/permissions/revocation.repository.js';
import { UserErasureRepository } from '../../../prisma/views/users/user-erasure.repository.js';
import {
  connectedLink,
  eventsOf,
  MINUTE,
  newSession,
  openedSession,
  openStores,
  relinkedUpToLogin,
  TENANT,
  type Store,
} from '../../support/fixtures/linking-store.js';

const HOUR = 60 * MINUTE;
const USER = 'ann@mail.example';
const ANN = { customerUser: { id: USER, email: { address: USER }, phone: null }, webhook: null };

let store: Store;
let erasures: UserErasureRepository;
openStores((opened) => {
  store = opened;
  erasures = new UserErasureRepository(store.ctx);
});

const prisma = () => store.ctx.database.prisma;

async function requested(): Promise<string> {
  await erasures.request(TENANT, USER);
  const { erasureId } = await prisma().userErasure.findFirstOrThrow();
  return erasureId;
}

/** Takes steps until one has nothing to do now. */
async function advance(erasureId: string): Promise<string> {
  for (;;) {
    const progress = await erasures.advance(erasureId);
    if (progress !== 'more') return progress;
  }
}

async function revokeAll(): Promise<void> {
  const revocations = new RevocationRepository(store.ctx);
  for (const { revocationId } of await prisma().permissionRevocation.findMany())
    await revocations.settle(revocationId);
}

describe('The erasure of a customer user', () => {
  it('removes the id and the contact data in the transaction of the request', async () => {
    await openedSession(store, ANN);
    const erasureId = await requested();
    expect(
      await prisma().customerUser.findMany({ select: { userId: true, email: true, phone: true } }),
    ).toEqual([{ userId: erasureId, email: null, phone: null }]);
    expect(
      await prisma().outboxCommand.findMany({
        where: { kind: 'startUserErasure' },
        select: { payload: true },
      }),
    ).toEqual([{ payload: { erasureId } }]);
  });

  it('is recorded once however often it is requested', async () => {
    await openedSession(store, ANN);
    await Promise.all([1, 2, 3].map(() => erasures.request(TENANT, USER)));
    expect(await prisma().userErasure.count()).toBe(1);
  });

  it('keeps the bare record of a link until its permission has ended at the bank', async () => {
    const { linkId } = await connectedLink(store, { ...ANN, tags: ['vip'] });
    const erasureId = await requested();
    store.pass(HOUR);
    expect(await advance(erasureId)).toBe('waiting');
    expect(await store.links.get(TENANT, linkId)).toMatchObject({
      state: 'deleted',
      tags: [],
      webhook: null,
    });
    expect(await eventsOf(store, linkId)).toEqual(['state deleted']);
    await revokeAll();
    expect(await advance(erasureId)).toBe('done');
    expect({
      links: await prisma().link.count(),
      linkSessions: await prisma().linkSession.count(),
      customerUsers: await prisma().customerUser.count(),
      dataKeys: await prisma().dataKey.count(),
    }).toEqual({ links: 0, linkSessions: 0, customerUsers: 0, dataKeys: 0 });
    expect(await prisma().userErasure.findMany()).toEqual([
      {
        erasureId,
        appId: TENANT.appId,
        environment: TENANT.environment,
        customerUserPk: null,
        requestedAt: expect.any(Date),
        erasedAt: store.ctx.clock(),
      },
    ]);
    expect(await advance(erasureId)).toBe('done');
  });

  it('keeps the record of a session that was open until nothing is in progress for it', async () => {
    const { linkId } = await connectedLink(store, ANN);
    await relinkedUpToLogin(store, linkId);
    const erasureId = await requested();
    expect(await advance(erasureId)).toBe('waiting');
    await revokeAll();
    expect(await advance(erasureId)).toBe('waiting');
    expect(await prisma().linkSession.count({ where: { state: { not: 'ended' } } })).toBe(0);
    // A permission that the bank grants too late still finds its link, and is revoked.
    expect(
      await new RevocationRepository(store.ctx).release(linkId, {
        provider: 'sandbox',
        reference: 'late',
        credential: Buffer.from('late'),
      }),
    ).toBe(true);
    store.pass(3 * MINUTE);
    expect(await advance(erasureId)).toBe('waiting');
    await revokeAll();
    expect(await advance(erasureId)).toBe('done');
  });

  it('waits for the delivery of the last event, and no longer than three days', async () => {
    await connectedLink(store, { ...ANN, webhook: 'https://app.example/hooks?user=ann' });
    const erasureId = await requested();
    store.pass(HOUR);
    await advance(erasureId);
    await revokeAll();
    expect(await advance(erasureId)).toBe('waiting');
    store.pass(72 * HOUR);
    expect(await advance(erasureId)).toBe('done');
    expect({
      events: await prisma().webhookEvent.count(),
      deliveries: await prisma().webhookDelivery.count(),
    }).toEqual({ events: 0, deliveries: 0 });
  });

  it('keeps the last event in the log without its address and the response', async () => {
    await connectedLink(store, { ...ANN, webhook: 'https://app.example/hooks?user=ann' });
    const erasureId = await requested();
    store.pass(HOUR);
    await advance(erasureId);
    await prisma().webhookDelivery.updateMany({
      data: { status: 'delivered', history: [{ responseExcerpt: 'Thank you, Ann' }] },
    });
    await revokeAll();
    expect(await advance(erasureId)).toBe('done');
    expect(
      await prisma().webhookDelivery.findMany({ select: { url: true, history: true } }),
    ).toEqual([{ url: 'https://app.example:443', history: [] }]);
  });

  it('erases many links and sessions a few at a time, and continues after any interruption', async () => {
    const { linkId } = await connectedLink(store, ANN);
    const {
      pk: _pk,
      linkId: _linkId,
      ...link
    } = await prisma().link.findUniqueOrThrow({ where: { linkId } });
    await prisma().link.createMany({
      data: Array.from({ length: 45 }, (_, index) => ({ ...link, linkId: `mk_copy${index}` })),
    });
    for (let count = 0; count < 25; count += 1)
      await store.sessions.create(TENANT, newSession(ANN));
    const erasureId = await requested();
    store.pass(HOUR);
    const steps = [];
    for (let step = 0; step < 3; step += 1)
      steps.push(await new UserErasureRepository(store.ctx).advance(erasureId));
    expect(steps).toEqual(['more', 'more', 'more']);
    await advance(erasureId);
    await revokeAll();
    expect(await advance(erasureId)).toBe('done');
    expect({
      links: await prisma().link.count(),
      linkSessions: await prisma().linkSession.count(),
    }).toEqual({ links: 0, linkSessions: 0 });
  });

  it('is completed by the sweeper when its workflow is lost', async () => {
    await store.sessions.create(TENANT, newSession(ANN));
    const erasureId = await requested();
    expect(await erasures.sweep(store.ctx.clock(), 10)).toBe(0);
    store.pass(MINUTE);
    expect(await erasures.sweep(store.ctx.clock(), 10)).toBe(1);
    expect(await prisma().userErasure.findUnique({ where: { erasureId } })).toMatchObject({
      customerUserPk: null,
      erasedAt: store.ctx.clock(),
    });
    expect(await erasures.sweep(store.ctx.clock(), 10)).toBe(0);
  });

  it('succeeds when nothing sealed can be opened', async () => {
    await connectedLink(store, ANN);
    await prisma().dataKey.updateMany({ data: { masterKeyId: 'gone' } });
    const erasureId = await requested();
    store.pass(HOUR);
    expect(await advance(erasureId)).toBe('done');
    expect(await prisma().unrevokedPermission.findMany({ select: { reason: true } })).toEqual([
      { reason: 'unreadable' },
    ]);
  });
});
