import { AttemptOver, SessionOver } from '../../../domain/errors/change-refused.js';
import { makeErrorStep } from '../../../domain/session/connect-problem.js';
import { FAILURE_MEANINGS } from '../../../domain/errors/failure-mapping.js';
import { PROVIDER_CAUSES, type ProviderCause } from '../../../domain/errors/provider-failure.js';
import { LoginGrantRepository } from '../../../prisma/work/linking/login-grant.repository.js';
import type { LoginGrant } from '../../../prisma/sources/permissions/login-grant.js';
import { RevocationRepository } from '../../../prisma/sources/permissions/revocation.repository.js';
import { UserErasureRepository } from '../../../prisma/views/users/user-erasure.repository.js';
import {
  connectedLink,
  LINKED,
  MINUTE,
  newSession,
  openedSession,
  shown,
  TENANT,
  storeOfFile,
  store,
} from '../../support/fixtures/linking-store.js';

const BANK = 'first-bank';
const GRANT: LoginGrant = {
  credential: Buffer.from('canary-granted'),
  reference: 'connection-granted',
  consent: 'ask',
};

storeOfFile();

const prisma = () => store.ctx.database.prisma;
const loginOf = (sessionId: string, attempt = 1) => ({
  sessionId,
  attemptKey: `${sessionId}/${attempt}`,
  provider: 'sandbox',
});

interface Granted {
  sessionId: string;
  linkId: string;
}

/** A session whose login received a permission and then failed before its accounts were listed. */
async function failedAfterGrant(
  over: Parameters<typeof openedSession>[1] = {},
  cause: ProviderCause = 'malformed',
): Promise<Granted> {
  const { sessionId } = await openedSession(store, over);
  const { attemptKey } = loginOf(sessionId);
  const { linkId } = await store.logins.beginLogin(sessionId, BANK, attemptKey);
  await store.grants.keep(loginOf(sessionId), GRANT);
  await fail(sessionId, cause);
  return { sessionId, linkId };
}

const fail = (sessionId: string, cause: ProviderCause) =>
  store.attempts.failLogin(
    sessionId,
    cause,
    shown(
      2,
      makeErrorStep('connect_error.provider_down', {
        mayChooseAnother: true,
        institutionUrl: null,
      }),
    ),
  );

const resume = (sessionId: string) =>
  store.grants.resume(sessionId, BANK, loginOf(sessionId, 2).attemptKey);

const credentialOf = (grant: LoginGrant | null) =>
  grant && Buffer.from(grant.credential).toString();

/** The credentials that are awaiting revocation. */
async function toRevoke(linkId: string): Promise<string[]> {
  const revocations = new RevocationRepository(store.ctx);
  const { revocations: rows = [] } = (await revocations.plan(linkId)) ?? {};
  return Promise.all(
    rows.map(async ({ revocationId }) =>
      Buffer.from((await revocations.beginAttempt(revocationId))?.credential ?? []).toString(),
    ),
  );
}

describe('The credential that a login received before it failed', () => {
  it('is sealed, and a retry continues with it under another key, until the accounts are listed', async () => {
    const { sessionId, linkId } = await failedAfterGrant();
    const secrets = await prisma().sessionSecret.findMany({ where: { sessionId } });
    expect(secrets.map(({ kind }) => kind)).toContain('login_grant');
    expect(secrets.some(({ sealed }) => Buffer.from(sealed).includes('canary'))).toBe(false);
    expect(await store.links.get(TENANT, linkId)).toMatchObject({ state: 'error' });

    expect(await resume(sessionId)).toEqual({
      linkId,
      provider: 'sandbox',
      remoteId: BANK,
      institutionId: BANK,
    });
    expect(await store.links.get(TENANT, linkId)).toMatchObject({ state: 'connecting' });
    expect(await store.grants.held(loginOf(sessionId, 1))).toBeNull();
    const held = await store.grants.held(loginOf(sessionId, 2));
    expect(held).toMatchObject({ reference: 'connection-granted', consent: 'ask' });
    expect(credentialOf(held)).toBe('canary-granted');

    await store.bankLogins.storeLinked(sessionId, loginOf(sessionId, 2).attemptKey, {
      ...LINKED,
      ...GRANT,
    });
    await store.questions.finishLinking(sessionId, shown(3, { kind: 'success' }));
    expect((await store.credentials.credential(linkId))?.credential.toString()).toBe(
      'canary-granted',
    );
    expect(await store.grants.isHeld(sessionId)).toBe(false);
    expect(await toRevoke(linkId)).toEqual([]);
  });

  it('is kept when accounts were listed but linking could not be completed', async () => {
    const { sessionId } = await openedSession(store);
    const { attemptKey } = loginOf(sessionId);
    await store.logins.beginLogin(sessionId, BANK, attemptKey);
    await store.bankLogins.storeLinked(sessionId, attemptKey, { ...LINKED, ...GRANT });
    expect(await resume(sessionId)).not.toBeNull();
    expect(await store.questions.questions(sessionId)).toEqual([]);
    expect(credentialOf(await store.grants.held(loginOf(sessionId, 2)))).toBe('canary-granted');
  });

  it('is replaced by the credential that the source issued for it', async () => {
    const { sessionId, linkId } = await failedAfterGrant();
    await resume(sessionId);
    const permission = { reference: GRANT.reference, linkId };
    await store.grants.renew(loginOf(sessionId, 2), permission, Buffer.from('canary-renewed'));
    expect(credentialOf(await store.grants.held(loginOf(sessionId, 2)))).toBe('canary-renewed');
    // The session ends, and the source issues another one for a call in progress.
    await store.times.cancelSession(sessionId);
    await store.grants.renew(loginOf(sessionId, 2), permission, Buffer.from('canary-newest'));
    expect(await toRevoke(linkId)).toEqual(['canary-newest']);
  });

  it('is revoked when a login receives another one', async () => {
    const { sessionId, linkId } = await failedAfterGrant();
    await resume(sessionId);
    await store.grants.keep(loginOf(sessionId, 2), { ...GRANT, reference: 'connection-other' });
    expect(await toRevoke(linkId)).toEqual(['canary-granted']);
    expect(await store.grants.held(loginOf(sessionId, 2))).toMatchObject({
      reference: 'connection-other',
    });
  });

  it.each(PROVIDER_CAUSES.map((cause) => [cause, FAILURE_MEANINGS[cause].retryable] as const))(
    'after %s is kept: %s',
    async (cause, isKept) => {
      const { sessionId, linkId } = await failedAfterGrant({}, cause);
      expect(await store.grants.isHeld(sessionId)).toBe(isKept);
      expect(await toRevoke(linkId)).toEqual(isKept ? [] : ['canary-granted']);
      expect((await resume(sessionId)) !== null).toBe(isKept);
    },
  );
});

const ERASED = 'the user is erased';

/** Every case in which the attempt or its session ends without a link. */
const ENDS: [string, (granted: Granted) => Promise<unknown>][] = [
  [
    'the user leaves',
    ({ sessionId }) =>
      store.attempts.exitAttempt(sessionId, shown(3, { kind: 'select_institution' })),
  ],
  [
    'the user logs in at the bank again',
    ({ sessionId }) => store.logins.beginLogin(sessionId, BANK, loginOf(sessionId, 2).attemptKey),
  ],
  [
    'the user chooses another bank',
    ({ sessionId }) =>
      store.logins.beginLogin(sessionId, 'second-bank', loginOf(sessionId, 2).attemptKey),
  ],
  ['only another login can help', ({ sessionId }) => fail(sessionId, 'consent_expired')],
  ['the session is canceled', ({ sessionId }) => store.times.cancelSession(sessionId)],
  [
    'the session expires',
    async ({ sessionId }) => {
      store.pass(61 * MINUTE);
      await store.times.expireIfDue(sessionId);
    },
  ],
  ['the link is deleted', ({ linkId }) => store.links.delete(TENANT, linkId)],
  [
    ERASED,
    async () => {
      const erasures = new UserErasureRepository(store.ctx);
      await erasures.request(TENANT, `user ${ERASED}`);
      const { erasureId } = await prisma().userErasure.findFirstOrThrow();
      while ((await erasures.advance(erasureId)) === 'more');
    },
  ],
];

describe('The credential of a failed login is erased and revoked', () => {
  it.each(ENDS)('when %s', async (name, end) => {
    const customerUser = { id: `user ${name}`, email: null, phone: null };
    const granted = await failedAfterGrant({ customerUser });
    await end(granted);
    expect(await store.grants.isHeld(granted.sessionId)).toBe(false);
    expect(await resume(granted.sessionId).catch(() => null)).toBeNull();
    expect(await toRevoke(granted.linkId)).toEqual(['canary-granted']);
  });

  it('when another session takes over the link', async () => {
    const { linkId } = await connectedLink(store);
    const relink = { mode: 'relink', existingLinkId: linkId } as const;
    const { sessionId } = await failedAfterGrant(relink);
    await store.sessions.create(TENANT, newSession(relink));
    expect(await store.grants.isHeld(sessionId)).toBe(false);
    expect(await toRevoke(linkId)).toEqual(['canary-granted']);
  });

  it('but is not revoked when the bank renewed the permission that the link has', async () => {
    const { linkId } = await connectedLink(store);
    const { sessionId } = await openedSession(store, { mode: 'relink', existingLinkId: linkId });
    await store.logins.beginLogin(sessionId, BANK, loginOf(sessionId).attemptKey);
    await store.grants.keep(loginOf(sessionId), { ...GRANT, reference: LINKED.reference });
    await store.times.cancelSession(sessionId);
    expect(await store.grants.isHeld(sessionId)).toBe(false);
    expect(await toRevoke(linkId)).toEqual([]);
  });
});

describe('The credential of a failed login belongs to its session', () => {
  it('and is not used by another session of the same user at the same bank', async () => {
    await failedAfterGrant();
    const { sessionId } = await openedSession(store);
    await store.logins.beginLogin(sessionId, BANK, loginOf(sessionId).attemptKey);
    expect(await store.grants.isHeld(sessionId)).toBe(false);
    expect(await store.grants.held(loginOf(sessionId))).toBeNull();
    expect(await resume(sessionId)).toBeNull();
  });

  it('even if its row is copied into another session', async () => {
    const { sessionId: from } = await failedAfterGrant();
    const { sessionId: to } = await failedAfterGrant();
    const key = { kind: 'login_grant', name: '' };
    const { sealed } = await prisma().sessionSecret.findUniqueOrThrow({
      where: { sessionId_kind_name: { sessionId: from, ...key } },
    });
    await prisma().sessionSecret.update({
      where: { sessionId_kind_name: { sessionId: to, ...key } },
      data: { sealed },
    });
    expect(await resume(to)).toBeNull();
    expect(await resume(from)).not.toBeNull();
  });

  it('and to its link and provider', async () => {
    const { sessionId } = await failedAfterGrant();
    await resume(sessionId);
    const login = loginOf(sessionId, 2);
    expect(await store.grants.held({ ...login, provider: 'other' })).toBeNull();
    expect(
      await store.grants.resume(sessionId, 'second-bank', loginOf(sessionId, 3).attemptKey),
    ).toBeNull();
    const { linkId } = await connectedLink(store, {
      customerUser: { id: 'user-2', email: null, phone: null },
    });
    const { pk } = await prisma().link.findUniqueOrThrow({ where: { linkId } });
    await prisma().linkSession.update({ where: { sessionId }, data: { linkPk: pk } });
    expect(await store.grants.held(login)).toBeNull();
    expect(await resume(sessionId)).toBeNull();
  });

  it('and is not stored once the login or the session has finished', async () => {
    const { sessionId } = await openedSession(store);
    await store.logins.beginLogin(sessionId, BANK, loginOf(sessionId, 2).attemptKey);
    await expect(store.grants.keep(loginOf(sessionId, 1), GRANT)).rejects.toBeInstanceOf(
      AttemptOver,
    );
    await store.times.cancelSession(sessionId);
    await expect(store.grants.keep(loginOf(sessionId, 2), GRANT)).rejects.toBeInstanceOf(
      SessionOver,
    );
    expect(await prisma().sessionSecret.count({ where: { sessionId } })).toBe(0);
  });
});

it('A permission is stored once a database that was starting responds', async () => {
  const { sessionId } = await openedSession(store);
  await store.logins.beginLogin(sessionId, BANK, loginOf(sessionId).attemptKey);
  const { database } = store.ctx;
  let refused = 0;
  const starting: typeof database = Object.assign(Object.create(database), {
    transaction: (...work: Parameters<typeof database.transaction>) => {
      if (refused > 0) return database.transaction(...work);
      refused += 1;
      return Promise.reject(Object.assign(new Error('starting up'), { code: '57P03' }));
    },
  });
  await new LoginGrantRepository({ ...store.ctx, database: starting }).keep(
    loginOf(sessionId),
    GRANT,
  );
  expect({ refused, isHeld: await store.grants.isHeld(sessionId) }).toEqual({
    refused: 1,
    isHeld: true,
  });
});
