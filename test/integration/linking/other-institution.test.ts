import type { LinkedInstitution } from '../../../prisma/sources/permissions/login-grant.js';
import {
  ATTEMPT,
  connectedLink,
  LINKED,
  openedSession,
  relinkedUpToLogin,
  RENEWED,
  TENANT,
  storeOfFile,
  store,
} from '../../support/fixtures/linking-store.js';

storeOfFile();

const elsewhere = {
  remoteId: 'bank-3',
  name: 'Third Bank',
  url: 'https://www.third.example/login',
};

/** A login at first-bank whose user linked another institution on the source's page. */
async function linkedElsewhere(institution: LinkedInstitution) {
  const { sessionId } = await openedSession(store);
  const { linkId } = await store.logins.beginLogin(sessionId, 'first-bank', ATTEMPT);
  await store.bankLogins.storeLinked(sessionId, ATTEMPT, { ...LINKED, institution });
  const link = await store.ctx.database.prisma.link.findUniqueOrThrow({ where: { linkId } });
  return { sessionId, link };
}

describe('A user who links another institution than the one chosen', () => {
  it('has a link of that institution, if it is known', async () => {
    const known = { remoteId: 'second-bank', name: 'Any Name', url: null };
    const { sessionId, link } = await linkedElsewhere(known);
    expect(link).toMatchObject({ institutionId: 'second-bank', state: 'connecting' });
    expect(await store.sessions.get(sessionId)).toMatchObject({ institutionId: 'second-bank' });
  });

  it('has a link of a new institution otherwise, which the next user finds', async () => {
    const { link } = await linkedElsewhere(elsewhere);
    expect(link.institutionId).toBe('third-bank-us');
    expect(await store.institutions.find([TENANT.environment], 'third-bank-us')).toMatchObject({
      name: 'Third Bank',
      domain: 'third.example',
      routes: [{ provider: 'sandbox', remoteId: 'bank-3' }],
    });
    expect((await linkedElsewhere(elsewhere)).link.institutionId).toBe('third-bank-us');
    const namesake = await linkedElsewhere({ ...elsewhere, remoteId: 'bank-4' });
    expect(namesake.link.institutionId).toBe('third-bank-us-2');
  });

  it('cannot repair a link by doing so, and the link stays unchanged', async () => {
    const { linkId } = await connectedLink(store);
    await expect(
      relinkedUpToLogin(store, linkId, {}, { ...RENEWED, institution: elsewhere }),
    ).rejects.toMatchObject({ providerCause: 'user_denied' });
    expect(
      await store.ctx.database.prisma.link.findUniqueOrThrow({ where: { linkId } }),
    ).toMatchObject({ institutionId: 'first-bank', state: 'connected' });
  });
});

describe('The user in front of Connect', () => {
  it('is kept sealed for the bank until the session ends', async () => {
    const { sessionId } = await openedSession(store);
    await store.logins.beginLogin(sessionId, 'first-bank', ATTEMPT);
    const endUser = { ipAddress: '192.0.2.7', userAgent: 'canary-agent', language: 'de' };
    await store.sessions.noteEndUser(sessionId, endUser);
    expect(await store.bankLogins.loginFacts(sessionId)).toMatchObject({ endUser });
    const secrets = () =>
      store.ctx.database.prisma.sessionSecret.findMany({ where: { sessionId } });
    expect(JSON.stringify(await secrets())).not.toContain('canary-agent');
    await store.times.cancelSession(sessionId);
    expect(await secrets()).toEqual([]);
    await store.sessions.noteEndUser(sessionId, endUser);
    expect(await secrets()).toEqual([]);
  });
});
