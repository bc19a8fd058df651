import { connectedLink, finishedSession } from '../../support/services/api-in-process.js';
import { apiOfFile, service, token } from '../../support/services/api-of-file.js';

apiOfFile();

const prisma = () => service.database.prisma;
const remove = (linkId: string) => service.api.as(token).delete(`/links/${linkId}`);
const unrevoked = (linkId: string) =>
  prisma().unrevokedPermission.findMany({
    where: { linkId },
    select: { provider: true, reference: true, reason: true },
  });

async function kept(linkId: string) {
  const { pk: linkPk } = await prisma().link.findUniqueOrThrow({ where: { linkId } });
  const keys = await prisma().dataKey.count({ where: { owner: { endsWith: linkId } } });
  const [accounts, credentials, revocations] = await Promise.all([
    prisma().account.count({ where: { linkPk } }),
    prisma().providerCredential.count({ where: { linkPk } }),
    prisma().permissionRevocation.count({ where: { linkPk } }),
  ]);
  return { accounts, credentials, revocations, keys };
}

describe('DELETE /links/{id}', () => {
  it.each<[string, (linkId: string) => Promise<unknown>]>([
    [
      'is sealed with a missing master key',
      (linkId) =>
        prisma().dataKey.updateMany({
          where: { owner: `credential/${linkId}` },
          data: { masterKeyId: 'gone' },
        }),
    ],
    [
      'is damaged',
      (linkId) =>
        prisma().providerCredential.updateMany({
          where: { link: { linkId } },
          data: { sealed: Buffer.alloc(64) },
        }),
    ],
    [
      'has lost its data key',
      (linkId) => prisma().dataKey.deleteMany({ where: { owner: `credential/${linkId}` } }),
    ],
  ])('returns 204 and erases the data when the permission %s', async (_how, damage) => {
    const linkId = await connectedLink(service, token);
    await damage(linkId);
    expect((await remove(linkId)).status).toBe(204);
    expect((await service.api.as(token).get(`/links/${linkId}`)).body).toMatchObject({
      state: 'deleted',
    });
    expect(await kept(linkId)).toEqual({ accounts: 0, credentials: 0, revocations: 0, keys: 0 });
    expect(await unrevoked(linkId)).toEqual([
      { provider: 'sandbox', reference: 'conn_1', reason: 'unreadable' },
    ]);
  });

  it('returns 204 when the login of an unfinished session cannot be decrypted', async () => {
    const { sessionId } = await finishedSession(service, token);
    const { linkPk } = await prisma().linkSession.findUniqueOrThrow({ where: { sessionId } });
    const { linkId } = await prisma().link.findUniqueOrThrow({ where: { pk: linkPk ?? 0n } });
    await prisma().sessionSecret.create({
      data: { sessionId, kind: 'login_grant', name: '', sealed: Buffer.alloc(64) },
    });
    expect((await remove(linkId)).status).toBe(204);
    expect(await kept(linkId)).toMatchObject({ accounts: 0, credentials: 0, keys: 0 });
    expect(await unrevoked(linkId)).toEqual([
      { provider: 'sandbox', reference: null, reason: 'unreadable' },
    ]);
  });

  it('records nothing for a permission that can be revoked', async () => {
    const linkId = await connectedLink(service, token);
    expect((await remove(linkId)).status).toBe(204);
    expect(await unrevoked(linkId)).toEqual([]);
    expect(await kept(linkId)).toMatchObject({ credentials: 0, revocations: 1 });
  });
});
