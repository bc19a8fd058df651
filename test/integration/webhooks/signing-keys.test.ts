import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { calculateJwkThumbprint } from 'jose';
import { createContext, type Context } from '../../../prisma/context.js';
import { openDatabase } from '../../../prisma/database.js';
import { SigningKeys } from '../../../prisma/repositories/signing-key.repository.js';
import { Sealer } from '../../../prisma/sealing/sealer.js';
import { createTestDatabase } from '../../support/embedded-services.js';

const MINUTE = 60_000;

describe('signing keys', () => {
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

  it('there is none before the first start', async () => {
    const keys = new SigningKeys(ctx);
    expect(await keys.publishedSet()).toEqual({ keys: [] });
    await expect(keys.current()).rejects.toThrow('there is no signing key');
  });

  it('processes that start at once make one first key', async () => {
    const starters = Array.from({ length: 6 }, () => new SigningKeys(ctx));
    await Promise.all(starters.map((keys) => keys.ensure()));
    const sets = await Promise.all(starters.map((keys) => keys.publishedSet()));
    expect(new Set(sets.map((set) => JSON.stringify(set))).size).toBe(1);
    expect(await ctx.database.prisma.signingKey.count()).toBe(1);
  });

  it('the set has exactly the members of webhooks 5', async () => {
    const { keys: [key] } = await new SigningKeys(ctx).publishedSet();
    expect(Object.keys(key ?? {}).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
    expect(key).toMatchObject({ kty: 'EC', crv: 'P-256', use: 'sig', alg: 'ES256', kid: expect.stringMatching(/^[\w-]{43}$/) });
    expect(await calculateJwkThumbprint({ ...key })).toBe(key?.kid);
  });

  it('the private part is sealed, and opens only with the master key', async () => {
    const row = await ctx.database.prisma.signingKey.findFirstOrThrow();
    expect(Buffer.from(row.sealedPrivate).toString('latin1')).not.toContain('"d"');
    const stranger = new SigningKeys({ ...ctx, sealer: new Sealer([{ id: 'test', key: randomBytes(32) }]) });
    await expect(stranger.current()).rejects.toThrow();
    expect((await new SigningKeys(ctx).current()).kid).toBe(row.kid);
  });

  it('a following key is published before it signs, then comes first; the previous one stays until it retires', async () => {
    const keys = new SigningKeys(ctx);
    const { prisma } = ctx.database;
    const first = await prisma.signingKey.findFirstOrThrow();
    const other = new SigningKeys({ ...ctx, database: ctx.database });
    // What a rotation writes: the new key now, its use after the lead, the end of the old one after the overlap.
    const next = await import('node:crypto').then(({ generateKeyPairSync }) => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }));
    const kid = await calculateJwkThumbprint({ kty: 'EC', crv: 'P-256', x: next.x ?? '', y: next.y ?? '' });
    const activeFrom = new Date(now.getTime() + 15 * MINUTE);
    await prisma.signingKey.create({
      data: {
        kid, activeFrom, publicJwk: { kty: 'EC', crv: 'P-256', x: next.x, y: next.y, use: 'sig', alg: 'ES256', kid },
        sealedPrivate: Uint8Array.from(ctx.sealer.sealWithMaster({ table: 'signing_keys', column: 'sealed_private', row: kid }, Buffer.from(JSON.stringify(next)))),
      },
    });
    await prisma.signingKey.update({ where: { kid: first.kid }, data: { retiredAt: new Date(activeFrom.getTime() + 24 * 60 * MINUTE) } });
    const kids = async () => (await keys.publishedSet()).keys.map((key) => key.kid);

    expect([await kids(), (await keys.current()).kid]).toEqual([[first.kid, kid], first.kid]);
    now = new Date(activeFrom.getTime() - 1);
    expect((await keys.current()).kid).toBe(first.kid);
    now = activeFrom;
    expect([await kids(), (await keys.current()).kid]).toEqual([[kid, first.kid], kid]);
    now = new Date(activeFrom.getTime() + 24 * 60 * MINUTE);
    expect([await kids(), (await other.current()).kid]).toEqual([[kid], kid]);
    await keys.ensure();
    expect(await prisma.signingKey.count()).toBe(2);
  });
});
