import { SecretUses } from '../../../apps/api/src/auth/secret-uses.js';
import { VerifyClient } from '../../../apps/api/src/auth/verify-client.js';
import type { ApiSettings } from '../../../apps/platform/src/config/settings.js';
import { RefusedSignIns } from '../../../apps/platform/src/sign-ins/refused-sign-ins.js';
import { ApplicationRepository } from '../../../prisma/tenants/applications/application.repository.js';
import {
  ClientSecretRepository,
  MAX_SECRETS,
} from '../../../prisma/tenants/applications/client-secret.repository.js';
import { hashClientSecret } from '../../../prisma/tenants/applications/client-secret.js';
import { openStorage, type Storage } from '../../support/fixtures/stored-link.js';

const CLIENT_ID = 'sandbox_pocket-ledger';
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let storage: Storage;
let secrets: ClientSecretRepository;
let now: number;

beforeAll(async () => {
  storage = await openStorage(() => new Date(now));
  secrets = new ClientSecretRepository(storage.ctx);
});
beforeEach(async () => {
  now = Date.parse('2026-03-02T10:00:20.000Z');
  await storage.ctx.database.prisma.clientSecret.deleteMany();
});
afterAll(() => storage.close());

/** Verifies key pairs as one API process does. */
function newProcess(): VerifyClient {
  return new VerifyClient(
    { rateLimitFailedAuth: 'off' } as unknown as ApiSettings,
    new ApplicationRepository(storage.ctx),
    new RefusedSignIns({ record: () => Promise.resolve(), logger: { warn: () => undefined } }),
    new SecretUses(storage.ctx, secrets),
  );
}

async function works(secret: string, clients = newProcess()): Promise<boolean> {
  const verified = await clients.verify({
    clientId: CLIENT_ID,
    secret,
    address: '203.0.113.7',
    anonymous: { waitSeconds: 0, authenticate: (_, check) => check() },
  });
  return verified !== null;
}

const rotate = (secret: string, { overlapMs = 0 } = {}) =>
  secrets.rotate(CLIENT_ID, { secretHash: hashClientSecret(secret), label: secret, overlapMs });

async function idOf(label: string): Promise<string> {
  return (await secrets.list(CLIENT_ID))?.find((secret) => secret.label === label)?.secretId ?? '';
}

describe('A rotated key pair', () => {
  it('accepts both secrets during the overlap, and then only the new one', async () => {
    await rotate('old');
    expect(await rotate('new', { overlapMs: 24 * HOUR })).toMatchObject({
      kind: 'rotated',
      othersEndAt: new Date(now + 24 * HOUR),
    });
    now += 24 * HOUR - 1;
    expect([await works('old'), await works('new')]).toEqual([true, true]);
    now += 1;
    expect([await works('old'), await works('new')]).toEqual([false, true]);
  });

  it('keeps the earlier end of a secret that a later rotation would let work longer', async () => {
    await rotate('first');
    await rotate('second', { overlapMs: HOUR });
    await rotate('third', { overlapMs: 24 * HOUR });
    now += HOUR;
    expect([await works('first'), await works('second')]).toEqual([false, true]);
  });

  it('accepts only the new secret when there is no overlap', async () => {
    await rotate('old');
    expect(await rotate('new')).toMatchObject({ kind: 'rotated', othersEndAt: null });
    expect([await works('old'), await works('new')]).toEqual([false, true]);
  });

  it('has one secret after rotations at the same time, and no more than the bound with an overlap', async () => {
    await rotate('old');
    const working = async () =>
      ((await secrets.list(CLIENT_ID)) ?? []).filter(
        ({ endsAt }) => endsAt === null || endsAt.getTime() > now,
      ).length;
    await Promise.all([rotate('one'), rotate('two'), rotate('three')]);
    expect(await working()).toBe(1);
    const outcomes = await Promise.all(
      Array.from({ length: MAX_SECRETS + 1 }, (_, index) =>
        rotate(`s${index}`, { overlapMs: HOUR }),
      ),
    );
    expect(outcomes.filter(({ kind }) => kind === 'too_many')).toHaveLength(2);
    expect(await working()).toBe(MAX_SECRETS);
  });
});

describe('The last use of a secret', () => {
  const lastUse = async (label: string) =>
    (await secrets.list(CLIENT_ID))
      ?.find((secret) => secret.label === label)
      ?.lastUsedAt?.toISOString() ?? null;

  it('is its minute, written once by each process at most and not by every call', async () => {
    await rotate('used', { overlapMs: HOUR });
    await rotate('unused', { overlapMs: HOUR });
    const [one, other] = [newProcess(), newProcess()];
    const query = jest.spyOn(storage.ctx.database.pool, 'query');
    const writes = () =>
      query.mock.calls.filter(([statement]) =>
        JSON.stringify(statement).includes('UPDATE client_secrets'),
      ).length;

    await Promise.all(Array.from({ length: 20 }, () => works('used', one)));
    for (let call = 0; call < 5; call += 1) await works('used', other);
    expect({ writes: writes(), at: await lastUse('used') }).toEqual({
      writes: 1,
      at: '2026-03-02T10:00:00.000Z',
    });
    now += MINUTE;
    await works('used', other);
    await works('used', one);
    expect({ writes: writes(), at: await lastUse('used') }).toEqual({
      writes: 2,
      at: '2026-03-02T10:01:00.000Z',
    });
    expect(await lastUse('unused')).toBeNull();
  });

  it('is not changed by a process whose clock is behind', async () => {
    await rotate('used');
    const secretId = await idOf('used');
    await secrets.noteUse(secretId, new Date('2026-03-02T10:05:00.000Z'));
    await secrets.noteUse(secretId, new Date('2026-03-02T10:04:00.000Z'));
    expect(await lastUse('used')).toBe('2026-03-02T10:05:00.000Z');
  });
});

describe('The end of one secret', () => {
  it('is immediate, and leaves the others', async () => {
    await rotate('old');
    await rotate('new', { overlapMs: 24 * HOUR });
    expect(await secrets.end(CLIENT_ID, await idOf('old'), { tokensToo: false })).toMatchObject({
      kind: 'ended',
      secret: { endsAt: new Date(now), tokensEndedAt: null },
    });
    expect([await works('old'), await works('new')]).toEqual([false, true]);
  });

  it('is refused for the only secret that works, also to two requests at once', async () => {
    await rotate('old');
    await rotate('new', { overlapMs: 24 * HOUR });
    const ends = await Promise.all(
      ['old', 'new'].map(async (label) =>
        secrets.end(CLIENT_ID, await idOf(label), { tokensToo: false }),
      ),
    );
    expect(ends.map(({ kind }) => kind).sort()).toEqual(['ended', 'only_one']);
  });
});

describe('The list of secrets', () => {
  it('leaves ended ones out after 90 days, but not those whose tokens were ended', async () => {
    await rotate('old');
    await rotate('leaked');
    await secrets.end(CLIENT_ID, await idOf('leaked'), { tokensToo: true });
    await rotate('new');
    await secrets.end(CLIENT_ID, await idOf('leaked'), { tokensToo: true });
    now += 90 * 24 * HOUR;
    await rotate('newest');
    expect((await secrets.list(CLIENT_ID))?.map(({ label }) => label).sort()).toEqual([
      'leaked',
      'new',
      'newest',
    ]);
  });
});
