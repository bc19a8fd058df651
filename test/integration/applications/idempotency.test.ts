import { randomBytes } from 'node:crypto';
import { createContext, type Context } from '../../../prisma/base/context.js';
import { openDatabase } from '../../../prisma/base/database/database.js';
import {
  IdempotencyRepository,
  KeyTaken,
  removeExpiredUses,
  type IdempotentRequest,
  type IdempotentUse,
} from '../../../prisma/tenants/applications/idempotency.repository.js';
import { Sealer } from '../../../prisma/base/sealing/sealer.js';
import { SessionLocks } from '../../../prisma/base/database/session-locks.js';
import { createTestDatabase, type TestDatabase } from '../../support/services/embedded-services.js';
import { eventually } from '../../support/assertions/eventually.js';

const HOUR = 3_600_000;
const masterKey = { id: 'test', key: randomBytes(32) };

/** One process of the API. */
interface Process {
  ctx: Context;
  locks: SessionLocks;
  uses: IdempotencyRepository;
  close(): Promise<void>;
}

let test: TestDatabase;
let now = Date.parse('2026-03-02T10:00:00.000Z');
let here: Process;
let elsewhere: Process;

function start(name: string): Process {
  const database = openDatabase({ url: test.url, name, onError: () => undefined });
  const ctx = createContext(database, new Sealer([masterKey]), { clock: () => new Date(now) });
  const locks = new SessionLocks(database.pool);
  return {
    ctx,
    locks,
    uses: new IdempotencyRepository(ctx, locks),
    close: async () => {
      locks.close();
      await database.close();
    },
  };
}

beforeAll(async () => {
  test = await createTestDatabase();
  here = start('here');
  elsewhere = start('elsewhere');
});

afterAll(async () => {
  await Promise.all([here.close(), elsewhere.close()]);
  await test.drop();
});

let keys = 0;
const request = (over: Partial<IdempotentRequest> = {}): IdempotentRequest => {
  keys += 1;
  return {
    appId: 'pocket-ledger',
    environment: 'sandbox',
    method: 'POST',
    path: '/link-session',
    key: `key-${keys}`,
    body: Buffer.from('{}'),
    ...over,
  };
};
const OUTCOME = { status: 201, body: { link_session_token: 'canary-token', expires_at: null } };

async function first(
  process: Process,
  asked: IdempotentRequest,
): Promise<Extract<IdempotentUse, { kind: 'first' }>> {
  const use = await process.uses.begin(asked);
  if (use.kind !== 'first') throw new Error(`a first use was ${use.kind}`);
  return use;
}

describe('An idempotency key', () => {
  it('replays the outcome of its first use in every process', async () => {
    const asked = request();
    await (await first(here, asked)).keep(OUTCOME);
    expect(await here.uses.begin(asked)).toEqual({ kind: 'repeat', outcome: OUTCOME });
    expect(await elsewhere.uses.begin(asked)).toEqual({ kind: 'repeat', outcome: OUTCOME });
  });

  it.each<[string, Partial<IdempotentRequest>]>([
    ['another app', { appId: 'rival' }],
    ['the other environment', { environment: 'live' }],
    ['another method', { method: 'PUT' }],
    ['another path', { path: '/links/import' }],
    ['another key', { key: 'another' }],
  ])('is independent for %s', async (_whom, over) => {
    const asked = request();
    await (await first(here, asked)).keep(OUTCOME);
    await (await first(here, { ...asked, ...over })).forget();
  });

  it('is refused with another body, during and after the first use', async () => {
    const asked = request();
    const use = await first(here, asked);
    const other = { ...asked, body: Buffer.from('{ }') };
    expect({
      here: await here.uses.begin(other),
      elsewhere: await elsewhere.uses.begin(other),
    }).toEqual({ here: { kind: 'mismatch' }, elsewhere: { kind: 'mismatch' } });
    await use.keep(OUTCOME);
    expect({
      here: await here.uses.begin(other),
      elsewhere: await elsewhere.uses.begin(other),
    }).toEqual({ here: { kind: 'mismatch' }, elsewhere: { kind: 'mismatch' } });
  });

  it('runs its request once, however many processes start it at the same time', async () => {
    const asked = request();
    const began = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 === 0 ? here : elsewhere).uses.begin(asked),
      ),
    );
    const [winner, ...none] = began.filter((use) => use.kind === 'first');
    expect({ winner: winner?.kind, loser: none }).toEqual({ winner: 'first', loser: [] });
    expect(began.filter((use) => use.kind === 'running')).toHaveLength(19);
    await winner?.keep(OUTCOME);
    expect(await elsewhere.uses.begin(asked)).toMatchObject({ kind: 'repeat' });
  });

  it('stores the outcome in the transaction of the effect, or neither', async () => {
    const asked = request();
    const use = await first(here, asked);
    const lost = new Error('lost');
    await expect(
      here.ctx.database.transaction(async (tx) => {
        await use.keepIn(tx, OUTCOME);
        throw lost;
      }),
    ).rejects.toBe(lost);
    expect(await elsewhere.uses.begin(asked)).toEqual({ kind: 'running' });
    await here.ctx.database.transaction((tx) => use.keepIn(tx, OUTCOME));
    await use.forget();
    expect(await elsewhere.uses.begin(asked)).toEqual({ kind: 'repeat', outcome: OUTCOME });
  });

  it('counts as unused when its outcome was not stored', async () => {
    const asked = request();
    await (await first(here, asked)).forget();
    await (await first(elsewhere, { ...asked, body: Buffer.from('other') })).forget();
    expect(
      await here.ctx.database.prisma.idempotencyRecord.count({ where: { outcome: null } }),
    ).toBe(0);
  });

  it('is forgotten after 24 hours and then removed', async () => {
    const asked = request();
    const use = await first(here, asked);
    now += HOUR;
    await use.keep(OUTCOME);
    now += 24 * HOUR - 1;
    expect(await here.uses.begin(asked)).toMatchObject({ kind: 'repeat' });
    now += 1;
    const again = await first(here, { ...asked, body: Buffer.from('other') });
    await again.keep(OUTCOME);
    expect(await removeExpiredUses(here.ctx, new Date(now))).toBeGreaterThan(0);
    expect(await here.uses.begin({ ...asked, body: Buffer.from('other') })).toMatchObject({
      kind: 'repeat',
    });
    now += 24 * HOUR;
    await removeExpiredUses(here.ctx, new Date(now));
    expect(await here.ctx.database.prisma.idempotencyRecord.count()).toBe(0);
  });

  it('leaves no token, key or body in clear text', async () => {
    const asked = request({ key: 'canary-key', body: Buffer.from('canary-body') });
    await (await first(here, asked)).keep(OUTCOME);
    const { rows } = await here.ctx.database.pool.query<{ text: string }>(
      "SELECT r::text || encode(outcome, 'escape') AS text FROM idempotency_records r",
    );
    for (const { text } of rows) expect(text).not.toMatch(/canary/);
    for (const { text } of rows) expect(text).not.toContain(Buffer.from('canary').toString('hex'));
  });
});

describe('An idempotency key after a crash', () => {
  const kill = (name: string) =>
    elsewhere.ctx.database.pool.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1',
      [name],
    );

  it('is free: the next use counts as the first', async () => {
    const crashing = start('crashing');
    const asked = request();
    await first(crashing, asked);
    expect(await elsewhere.uses.begin(asked)).toEqual({ kind: 'running' });
    await kill('crashing');
    await (await eventually(() => first(elsewhere, asked))).keep(OUTCOME);
    await crashing.close();
  });

  it('of its connection lets a second use start, and only the one that finishes first has an effect', async () => {
    const crashing = start('crashing-later');
    const asked = request();
    const use = await first(crashing, asked);
    await kill('crashing-later');
    const second = await eventually(() => first(elsewhere, asked));
    await second.keep(OUTCOME);
    const { database } = crashing.ctx;
    const late = () => database.transaction((tx) => use.keepIn(tx, { status: 201, body: 'late' }));
    // The lost connections are replaced first.
    await eventually(() => expect(late()).rejects.toThrow(KeyTaken));
    await use.forget();
    expect(await here.uses.begin(asked)).toEqual({ kind: 'repeat', outcome: OUTCOME });
    await crashing.close();
  });

  it('of its connection does not end the process', async () => {
    const surviving = start('surviving');
    const use = await first(surviving, request());
    await kill('surviving');
    await (await eventually(() => first(surviving, request()))).keep(OUTCOME);
    await use.keep(OUTCOME);
    await surviving.close();
  });
});

describe('The lock of an idempotency key', () => {
  it('is held by one request at a time, in one process or several', async () => {
    const unlock = await here.locks.tryLock(7n);
    expect(unlock).not.toBeNull();
    expect({
      here: await here.locks.tryLock(7n),
      elsewhere: await elsewhere.locks.tryLock(7n),
    }).toEqual({ here: null, elsewhere: null });
    const other = await here.locks.tryLock(-(2n ** 63n));
    await unlock?.();
    const next = await elsewhere.locks.tryLock(7n);
    expect(next).not.toBeNull();
    await Promise.all([next?.(), other?.()]);
  });
});
