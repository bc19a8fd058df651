import { randomBytes } from 'node:crypto';
import type { Prisma } from '../../../prisma/generated/client.js';
import { reportLink } from '../../../prisma/links/link/link-report.js';
import { storeLink, TENANT } from '../../support/fixtures/stored-link.js';
import {
  add,
  ctx,
  providers,
  shown,
  startConfigurations,
  storage,
} from './support/configured-providers.js';

startConfigurations();

/** A user who is about to log in. */
async function storeSession(provider: string): Promise<{ sessionId: string }> {
  const { prisma } = ctx.database;
  const { pk } = await prisma.customerUser.create({ data: { ...TENANT, userId: provider } });
  return prisma.linkSession.create({
    data: {
      sessionId: `ses_${provider}`,
      ...TENANT,
      clientId: 'sandbox_pocket-ledger',
      customerUserPk: pk,
      tokenHash: new Uint8Array(randomBytes(32)),
      mode: 'link',
      beganAs: 'link',
      products: {},
      features: {},
      state: 'open',
      expiresAt: new Date(Date.now() + 60_000),
      provider,
    },
  });
}

describe('providers remove', () => {
  const keyOf = (name: string) =>
    ctx.database.prisma.dataKey.findUnique({ where: { owner: `provider/${name}` } });

  it('is refused while links use the configuration, with their number and the next steps', async () => {
    await add('used');
    const { pk } = await storeLink(storage, { provider: 'used' });
    await ctx.database.prisma.link.update({ where: { pk }, data: { connectedAt: new Date() } });
    await ctx.database.prisma.providerCredential.create({
      data: { linkPk: pk, provider: 'used', reference: 'p', sealed: Buffer.from('x') },
    });
    expect(await providers(['remove', 'used'])).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(
        /^used cannot be removed: 1 connected link uses it\. Delete these links/,
      ),
    });
    expect(await keyOf('used')).not.toBeNull();
    expect(await shown('used')).toMatchObject({ links: 1 });
    await ctx.database.prisma.providerCredential.delete({ where: { linkPk: pk } });
    expect((await providers(['remove', 'used'])).status).toBe(0);
  });

  it('is refused while a login that its bank accepted is not finished', async () => {
    await add('logging-in');
    const { sessionId } = await storeSession('logging-in');
    const change = (data: Prisma.LinkSessionUpdateInput) =>
      ctx.database.prisma.linkSession.update({ where: { sessionId }, data });
    await change({ attemptKey: 'first', bankAccepted: true });
    expect(await providers(['remove', 'logging-in'])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('1 login that its bank accepted is not finished'),
    });
    await change({ state: 'ended', endedAt: new Date() });
    expect((await providers(['remove', 'logging-in'])).status).toBe(0);
  });

  it.each<[string, string | null, string]>([
    ['has not come to a permission', 'first', ' One login through it had no permission yet'],
    ['ended without one', null, ''],
  ])('is not refused for an open session whose login %s', async (_what, attemptKey, said) => {
    const name = attemptKey === null ? 'idle' : 'in-progress';
    await add(name);
    const { sessionId } = await storeSession(name);
    await ctx.database.prisma.linkSession.update({ where: { sessionId }, data: { attemptKey } });
    const { status, stdout } = await providers(['remove', name]);
    expect(status).toBe(0);
    expect(stdout.startsWith(`${name} is removed, and its keys are erased.${said}`)).toBe(true);
    expect(
      await ctx.database.prisma.linkSession.findUniqueOrThrow({ where: { sessionId } }),
    ).toMatchObject({ state: 'open', attemptKey: null });
  });

  it.each([
    ['that an app imported under its name', { importedAt: new Date() }],
    ['whose login failed', { connectedAt: null }],
  ])('is not refused for a link %s, which needs no key', async (_what, facts) => {
    await add('named');
    const { linkId } = await storeLink(storage, {
      provider: 'named',
      state: 'error',
      errorCode: 'auth_expired',
    });
    await ctx.database.prisma.link.update({ where: { linkId }, data: facts });
    expect(await shown('named')).toMatchObject({ links: 0 });
    expect(await providers(['remove', 'named'])).toMatchObject({ status: 0 });
    expect((await reportLink(ctx.database, linkId))?.link.provider).toBe('named');
  });

  it('leaves no key behind', async () => {
    await add('erased');
    expect(await keyOf('erased')).not.toBeNull();
    expect(await providers(['remove', 'erased'])).toMatchObject({ status: 0 });
    expect(await keyOf('erased')).toBeNull();
    expect(await providers(['show', 'erased'])).toMatchObject({ status: 1 });
    expect(await providers(['remove', 'erased'])).toMatchObject({ status: 1 });
  });
});
