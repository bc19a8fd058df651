import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { ProviderFailure } from '../../../domain/errors/provider-failure.js';
import { SessionLocks } from '../../../prisma/base/database/session-locks.js';
import {
  CredentialRenewals,
  type SeenCredential,
} from '../../../prisma/sources/permissions/credential-renewals.js';
import {
  openCredential,
  storeCredential,
} from '../../../prisma/sources/permissions/provider-credential.js';
import { releasePermission } from '../../../prisma/sources/permissions/release-permission.js';
import { RevocationRepository } from '../../../prisma/sources/permissions/revocation.repository.js';
import { eventually } from '../../support/assertions/eventually.js';
import {
  openStorage,
  storeLink,
  type Storage,
  type StoredLink,
} from '../../support/fixtures/stored-link.js';
import { decode, RotatingBank } from './rotating-bank.js';
import { expectLoss } from '../../support/services/expect-loss.mjs';

const PROCESS = fileURLToPath(new URL('fetching-process.ts', import.meta.url));
/** Processes cost seconds to start. */
const PROCESSES = process.env['LONG_RUNS'] ? 4 : 2;
const never = new AbortController().signal;
const bank = new RotatingBank();
let bankUrl: string;
let storage: Storage;
let locks: SessionLocks;
const children: ChildProcess[] = [];

beforeAll(async () => {
  storage = await openStorage();
  locks = new SessionLocks(storage.ctx.database.pool);
  bankUrl = await bank.open();
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  bank.close();
  locks.close();
  await storage.close();
});

const permit = (link: StoredLink, reference: string, credential: Uint8Array) =>
  storage.ctx.database.transaction((tx) =>
    storeCredential(storage.ctx, tx, link, { provider: 'sandbox', reference, credential }),
  );

/** A link with a new grant of the bank. */
async function permittedLink(): Promise<StoredLink> {
  const link = await storeLink(storage);
  await permit(link, 'grant-1', bank.grant());
  return link;
}

async function seenOf(link: StoredLink): Promise<SeenCredential & { credential: Uint8Array }> {
  const held = await openCredential(storage.ctx, storage.ctx.database.prisma, link);
  if (held === null) throw new Error('the link has no credential');
  return { linkId: link.linkId, ...held };
}

/** A process that has read the credential and waits for `go`. */
async function fetchingProcess(link: StoredLink, env: Record<string, string>) {
  const { NODE_OPTIONS: _ofJest, ...inherited } = process.env;
  const child = spawn(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      '--import',
      '@swc-node/register/esm-register',
      PROCESS,
    ],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: {
        ...inherited,
        DATABASE_URL: storage.url,
        MASTER_KEY: storage.masterKey.toString('base64'),
        LINK_ID: link.linkId,
        BANK_URL: bankUrl,
        ...env,
      },
    },
  );
  children.push(child);
  expectLoss(child.stdin);
  const exit = once(child, 'exit') as Promise<[number | null, string | null]>;
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  expect((await lines.next()).value).toBe('ready');
  return {
    exit,
    go: async (): Promise<string[]> => {
      child.stdin.write('go\n');
      const { value, done } = await lines.next();
      return done === true ? [] : (JSON.parse(value) as string[]);
    },
  };
}

describe('A credential that its source renews', () => {
  it(`is renewed once for twenty fetches of ${PROCESSES} processes, and no permission is lost`, async () => {
    const link = await permittedLink();
    const processes = await Promise.all(
      Array.from({ length: PROCESSES }, () =>
        fetchingProcess(link, { FETCHES: String(20 / PROCESSES) }),
      ),
    );
    const outcomes = await Promise.all(processes.map(({ go }) => go()));
    expect(outcomes.flat()).toEqual(Array.from({ length: 20 }, () => 'fetched'));
    expect(bank).toMatchObject({ refreshes: 1, isGrantAlive: true });
    const row = await storage.ctx.database.prisma.providerCredential.findUniqueOrThrow({
      where: { linkPk: link.pk },
    });
    expect(row.version).toBe(2);
    expect(row.renewedAt).not.toBeNull();
    expect(decode((await seenOf(link)).credential)).toEqual({
      access: expect.stringMatching(/^access-\d+-1$/),
      refresh: expect.stringMatching(/^refresh-\d+-1$/),
    });
  });

  it('ends as consent_expired when the worker is killed between the response and the commit', async () => {
    const link = await permittedLink();
    const killed = await fetchingProcess(link, { KILL_AT_STORE: '1' });
    expect(await killed.go()).toEqual([]);
    expect(await killed.exit).toEqual([null, 'SIGKILL']);
    expect(bank).toMatchObject({ refreshes: 1, isGrantAlive: true });

    const next = await fetchingProcess(link, { FETCHES: '2' });
    expect(await next.go()).toEqual(['consent_expired', 'consent_expired']);
    expect(bank.refreshes).toBe(1);
  });

  it('is not replaced by a renewal of the permission that a relink replaced', async () => {
    const link = await permittedLink();
    const before = await seenOf(link);
    const renewal = new CredentialRenewals(storage.ctx, locks).renew(
      before,
      async () => {
        await permit(link, 'grant-2', Buffer.from('of the relink'));
        await storage.ctx.database.transaction((tx) =>
          releasePermission(storage.ctx, tx, link, before),
        );
        return Buffer.from('renewed too late');
      },
      never,
    );
    await expect(renewal).rejects.toMatchObject({ providerCause: 'consent_expired' });
    expect(Buffer.from((await seenOf(link)).credential).toString()).toBe('of the relink');
    // The old permission is revoked with the only credential that its source still accepts.
    const { revocationId } =
      await storage.ctx.database.prisma.permissionRevocation.findFirstOrThrow({
        where: { linkPk: link.pk },
      });
    const released = await new RevocationRepository(storage.ctx).beginAttempt(revocationId);
    expect(Buffer.from(released?.credential ?? []).toString()).toBe('renewed too late');
  });

  it('is that of a relink if a relink has renewed the same permission in the meantime', async () => {
    const link = await permittedLink();
    const renewed = await new CredentialRenewals(storage.ctx, locks).renew(
      await seenOf(link),
      async () => {
        await permit(link, 'grant-1', Buffer.from('of the relink'));
        return Buffer.from('renewed too late');
      },
      never,
    );
    expect(Buffer.from(renewed.credential).toString()).toBe('of the relink');
    expect(Buffer.from((await seenOf(link)).credential).toString()).toBe('of the relink');
  });

  it('stays unchanged when the exchange fails, and the next exchange may succeed', async () => {
    const link = await permittedLink();
    const renewals = new CredentialRenewals(storage.ctx, locks);
    const seen = await seenOf(link);
    await expect(
      renewals.renew(seen, () => Promise.reject(new ProviderFailure('provider_down', 'no')), never),
    ).rejects.toMatchObject({ providerCause: 'provider_down' });
    await renewals.renew(seen, () => Promise.resolve(Buffer.from('renewed')), never);
    expect(Buffer.from((await seenOf(link)).credential).toString()).toBe('renewed');
  });

  it('holds no connection of the pool while the source does not respond, and times out at a deadline', async () => {
    const link = await permittedLink();
    const limits = { exchangeMs: 3_000, waitMs: 1_000, storeMs: 60_000 };
    const renewals = new CredentialRenewals(storage.ctx, locks, limits);
    const seen = await seenOf(link);
    let respond: (credential: Uint8Array) => void = () => undefined;
    const silent = expect(
      renewals.renew(seen, () => new Promise<Uint8Array>((resolve) => (respond = resolve)), never),
    ).rejects.toMatchObject({ providerCause: 'provider_down' });
    const waiting = renewals.renew(seen, () => Promise.reject(new Error('a second one')), never);
    await expect(waiting).rejects.toMatchObject({ providerCause: 'provider_down' });
    const { pool } = storage.ctx.database;
    expect(pool.totalCount - pool.idleCount).toBeLessThanOrEqual(1);
    await silent;
    // The credential that the source has issued is kept, however late.
    respond(Buffer.from('late'));
    await eventually(async () => {
      expect(Buffer.from((await seenOf(link)).credential).toString()).toBe('late');
    });
  });
});
