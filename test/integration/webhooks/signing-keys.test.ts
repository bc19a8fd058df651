import { randomBytes } from 'node:crypto';
import { calculateJwkThumbprint } from 'jose';
import { createContext, type Context } from '../../../prisma/base/context.js';
import { openDatabase } from '../../../prisma/base/database/database.js';
import { KeyRotationRepository } from '../../../prisma/base/keys/key-rotation.repository.js';
import { SigningKeys } from '../../../prisma/base/keys/signing-key.repository.js';
import { Sealer } from '../../../prisma/base/sealing/sealer.js';
import { createTestDatabase } from '../../support/services/embedded-services.js';

const MINUTE = 60_000;

describe('Signing keys', () => {
  const master = { id: 'test', key: randomBytes(32) };
  let now = new Date('2026-03-02T10:00:00Z');
  let ctx: Context;
  let close: () => Promise<void>;

  beforeAll(async () => {
    const test = await createTestDatabase();
    const database = openDatabase({ url: test.url, name: 'key-tests', onError: () => undefined });
    ctx = createContext(database, new Sealer([master]), { clock: () => now });
    close = async () => {
      await database.close();
      await test.drop();
    };
  });
  afterAll(() => close());

  it('do not exist before the first start', async () => {
    const keys = new SigningKeys(ctx);
    expect(await keys.publishedSet()).toEqual({ keys: [] });
    await expect(keys.current()).rejects.toThrow('there is no signing key');
  });

  it('are created once by processes that start at the same time', async () => {
    const starters = Array.from({ length: 6 }, () => new SigningKeys(ctx));
    await Promise.all(starters.map((keys) => keys.ensure()));
    const sets = await Promise.all(starters.map((keys) => keys.publishedSet()));
    expect(new Set(sets.map((set) => JSON.stringify(set))).size).toBe(1);
    expect(await ctx.database.prisma.signingKey.count()).toBe(1);
  });

  it('are published with exactly the members of webhooks 5', async () => {
    const {
      keys: [key],
    } = await new SigningKeys(ctx).publishedSet();
    expect(Object.keys(key ?? {}).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
    expect(key).toMatchObject({
      kty: 'EC',
      crv: 'P-256',
      use: 'sig',
      alg: 'ES256',
      kid: expect.stringMatching(/^[\w-]{43}$/),
    });
    expect(await calculateJwkThumbprint({ ...key })).toBe(key?.kid);
  });

  it('are sealed, and their private part opens only with the master key', async () => {
    const row = await ctx.database.prisma.signingKey.findFirstOrThrow();
    expect(Buffer.from(row.sealedPrivate ?? []).toString('latin1')).not.toContain('"d"');
    const stranger = new SigningKeys({
      ...ctx,
      sealer: new Sealer([{ id: 'test', key: randomBytes(32) }]),
    });
    await expect(stranger.current()).rejects.toThrow();
    expect((await new SigningKeys(ctx).current()).kid).toBe(row.kid);
  });

  const lead = { leadMs: 15 * MINUTE, overlapMs: 24 * 60 * MINUTE };
  const after = (ms: number) => {
    now = new Date(now.getTime() + ms);
  };
  const publishedBy = async (keys = new SigningKeys(ctx)) =>
    (await keys.publishedSet()).keys.map(({ kid }) => kid);
  const signingWith = async (keys = new SigningKeys(ctx)) => (await keys.current()).kid;

  it('are published before they sign and then come first; the previous one stays until it retires', async () => {
    const rotations = new KeyRotationRepository(ctx);
    const keys = new SigningKeys(ctx);
    const first = await signingWith();
    const { kid, activeFrom, settledAt } = await rotations.publishNext('one', lead);
    expect([activeFrom, settledAt].map((instant) => instant.getTime() - now.getTime())).toEqual([
      15 * MINUTE,
      (24 * 60 + 15) * MINUTE,
    ]);

    expect({ published: await publishedBy(keys), signing: await signingWith(keys) }).toEqual({
      published: [first, kid],
      signing: first,
    });
    now = new Date(activeFrom.getTime() - 1);
    expect(await signingWith(keys)).toBe(first);
    now = activeFrom;
    expect({ published: await publishedBy(keys), signing: await signingWith(keys) }).toEqual({
      published: [kid, first],
      signing: kid,
    });
    now = new Date(settledAt.getTime() - 1);
    expect(await publishedBy(keys)).toEqual([kid, first]);
    now = settledAt;
    expect({ published: await publishedBy(keys), signing: await signingWith(keys) }).toEqual({
      published: [kid],
      signing: kid,
    });
    await keys.ensure();
    expect(await ctx.database.prisma.signingKey.count()).toBe(2);
  });

  it('are not created again by a repeated rotation', async () => {
    const rotations = new KeyRotationRepository(ctx);
    const results = await Promise.all(
      Array.from({ length: 4 }, () => rotations.publishNext('two', lead)),
    );
    expect(new Set(results.map(({ kid }) => kid)).size).toBe(1);
    expect(await publishedBy()).toHaveLength(2);
    after(lead.leadMs + lead.overlapMs);
    expect(await publishedBy()).toEqual([results[0]?.kid]);
  });

  it('are rotated once in each period by workflows that no operator requested, however many are started', async () => {
    const everyMs = 30 * 24 * 60 * MINUTE;
    const rotations = new KeyRotationRepository(ctx);
    const start = (rotation: string) => rotations.publishDue(rotation, { everyMs, ...lead });
    // The key of the previous rotation belongs to this period.
    expect(await start('uninvited')).toBeNull();
    now = new Date(Math.ceil(now.getTime() / everyMs) * everyMs);
    const made = await Promise.all(['a', 'b', 'c'].map(start));
    const due = made.filter((published) => published !== null);
    expect(due).toMatchObject([{ isNew: true }]);
    const [winner] = ['a', 'b', 'c'].filter((_, index) => made[index] !== null);
    expect(await start(winner ?? '')).toMatchObject({ kid: due[0]?.kid, isNew: false });
    after(everyMs / 2);
    expect(await start('uninvited')).toBeNull();
    // The clock of the Schedule may be ahead of that of this process.
    now = new Date(Math.ceil(now.getTime() / everyMs) * everyMs - 1_000);
    expect(await start('scheduled')).toMatchObject({ isNew: true });
    after(lead.leadMs + lead.overlapMs);
  });

  it('are three after two rotations within the overlap, each for its time', async () => {
    const rotations = new KeyRotationRepository(ctx);
    const [first] = await publishedBy();
    const started = now.getTime();
    const { kid: second } = await rotations.publishNext('three', lead);
    after(60 * MINUTE);
    const { kid: third } = await rotations.publishNext('four', lead);
    expect(await publishedBy()).toEqual([second, third, first]);
    after(15 * MINUTE);
    expect(await publishedBy()).toEqual([third, second, first]);
    now = new Date(started + (24 * 60 + 15) * MINUTE);
    expect(await publishedBy()).toEqual([third, second]);
    after(60 * MINUTE);
    expect(await publishedBy()).toEqual([third]);
    // A key that is requested before the previous one signs.
    const { kid: fourth } = await rotations.publishNext('five', lead);
    const { kid: fifth } = await rotations.publishNext('six', lead);
    after(15 * MINUTE);
    expect(new Set(await publishedBy())).toEqual(new Set([third, fourth, fifth]));
    after(24 * 60 * MINUTE);
    expect(await publishedBy()).toHaveLength(1);
  });

  it('lose their private part when they leave the set, and the list still names them', async () => {
    const rotations = new KeyRotationRepository(ctx);
    const withPrivate = async () =>
      (
        await ctx.database.prisma.signingKey.findMany({ where: { sealedPrivate: { not: null } } })
      ).map(({ kid }) => kid);
    await rotations.publishNext('seven', lead);
    await rotations.eraseRetired(now);
    expect((await withPrivate()).sort()).toEqual((await publishedBy()).sort());
    after(lead.leadMs + lead.overlapMs);
    expect(await rotations.eraseRetired(now)).toBe(1);
    expect(await withPrivate()).toEqual(await publishedBy());
    const listed = await rotations.list();
    expect(listed).toHaveLength(await ctx.database.prisma.signingKey.count());
    expect(listed.filter(({ retiredAt }) => retiredAt === null)).toHaveLength(1);
  });

  it('are replaced at once by a revocation, including one that was waiting', async () => {
    const rotations = new KeyRotationRepository(ctx);
    const { kid: waiting } = await rotations.publishNext('eight', lead);
    const before = await publishedBy();
    expect(before).toHaveLength(2);
    const kid = await rotations.revoke('nine');
    expect({ published: await publishedBy(), signing: await signingWith() }).toEqual({
      published: [kid],
      signing: kid,
    });
    expect(
      await ctx.database.prisma.signingKey.findMany({
        where: { kid: { in: before } },
        select: { sealedPrivate: true, retiredAt: true },
      }),
    ).toEqual(before.map(() => ({ sealedPrivate: null, retiredAt: now })));
    after(lead.leadMs);
    expect(await signingWith()).not.toBe(waiting);
    // The clock of this process may be behind that of the operator.
    after(-lead.leadMs - 5_000);
    expect({ published: await publishedBy(), signing: await signingWith() }).toEqual({
      published: [kid],
      signing: kid,
    });
    await new SigningKeys(ctx).ensure();
    expect(await signingWith()).toBe(kid);
  });
});
