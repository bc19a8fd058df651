import {
  EndPermissionRepository,
  type PermissionToEnd,
} from '../../../prisma/sources/permissions/end-permission.repository.js';
import {
  connectedLink,
  MINUTE,
  relinkedUpToLogin,
  shown,
  succeededSession,
  TENANT,
  storeOfFile,
  store,
} from '../../support/fixtures/linking-store.js';

storeOfFile();

let permissions: EndPermissionRepository;
beforeAll(() => {
  permissions = new EndPermissionRepository(store.ctx);
});

const outbox = () => store.ctx.database.prisma.outboxCommand;

/** The requests that the worker was asked to pass to banks, oldest first. */
async function asked(linkId: string): Promise<PermissionToEnd[]> {
  const commands = await outbox().findMany({
    where: { kind: 'endPermission', payload: { path: ['linkId'], equals: linkId } },
    orderBy: { pk: 'asc' },
  });
  return commands.map(({ payload }) => payload as unknown as PermissionToEnd);
}

async function onlyAsked(linkId: string): Promise<PermissionToEnd> {
  const [permission, ...more] = await asked(linkId);
  if (permission === undefined || more.length > 0)
    throw new Error(`the bank is to be announced ${more.length + 1} times`);
  return permission;
}

const relink = async (linkId: string) => {
  const { sessionId } = await relinkedUpToLogin(store, linkId);
  await store.questions.finishLinking(sessionId, shown(5, { kind: 'success' }));
};

describe('A reset of a login', () => {
  it('is passed to the bank once, however often it is requested', async () => {
    const { linkId } = await connectedLink(store);
    await Promise.all([1, 2, 3].map(() => store.links.reset(TENANT, linkId)));
    const permission = await onlyAsked(linkId);
    expect(permission).toEqual({
      linkId,
      provider: 'sandbox',
      dueAt: store.ctx.clock().toISOString(),
    });
    const access = await permissions.access(permission);
    expect({
      remoteId: access?.remoteId,
      credential: Buffer.from(access?.credential ?? []).toString(),
    }).toEqual({ remoteId: 'first-bank', credential: 'canary-credential' });
    await permissions.settle(permission);
    expect(await permissions.access(permission)).toBeNull();
  });

  it('is passed to the bank again when it is requested after the bank confirmed', async () => {
    const { linkId } = await connectedLink(store);
    await store.links.reset(TENANT, linkId);
    await permissions.settle(await onlyAsked(linkId));
    store.pass(1_000);
    await store.links.reset(TENANT, linkId);
    expect(await asked(linkId)).toHaveLength(2);
  });

  it('ends no permission that a later relink created', async () => {
    const { linkId } = await connectedLink(store);
    await store.links.reset(TENANT, linkId);
    const before = await onlyAsked(linkId);
    await relink(linkId);
    expect(await permissions.access(before)).toBeNull();

    // A confirmation of the first reset does not settle the second one, either.
    store.pass(1_000);
    await store.links.reset(TENANT, linkId);
    const [, after] = await asked(linkId);
    await permissions.settle(before);
    expect(await permissions.access(before)).toBeNull();
    expect(
      Buffer.from((await permissions.access(after ?? before))?.credential ?? []).toString(),
    ).toBe('canary-renewed');
  });

  it('is not passed to the bank when it is refused', async () => {
    const { linkId } = await succeededSession(store);
    await expect(store.links.reset(TENANT, linkId)).rejects.toThrow();
    expect(await asked(linkId)).toEqual([]);
  });

  it('is not passed to the bank once the link is deleted', async () => {
    const { linkId } = await connectedLink(store);
    await store.links.reset(TENANT, linkId);
    const permission = await onlyAsked(linkId);
    await store.links.delete(TENANT, linkId);
    expect(await permissions.access(permission)).toBeNull();
    await permissions.settle(permission);
  });
});

describe('A reset that was not passed to the bank', () => {
  it('is passed on by the sweeper, unless a command is in progress', async () => {
    const { linkId } = await connectedLink(store);
    await store.links.reset(TENANT, linkId);
    const permission = await onlyAsked(linkId);
    const overdue = () =>
      permissions.requeueOverdue(new Date(store.ctx.clock().getTime() - MINUTE), 10);
    store.pass(2 * MINUTE);
    const others = await overdue();
    expect(await asked(linkId)).toHaveLength(1);
    await outbox().deleteMany({ where: { kind: 'endPermission' } });
    expect(await overdue()).toBeGreaterThan(others);
    expect(await asked(linkId)).toEqual([{ ...permission, overdue: true }]);
    await permissions.settle(permission);
    await outbox().deleteMany({ where: { kind: 'endPermission' } });
    await overdue();
    expect(await asked(linkId)).toEqual([]);
  });
});
