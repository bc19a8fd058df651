import { quotaGate, type QuotaCaller } from '../../../activities/quota-gate.js';
import { openDatabase, type Database } from '../../../prisma/base/database/database.js';
import {
  QuotaRepository,
  type QuotaCall,
} from '../../../prisma/sources/quotas/quota.repository.js';
import type { QuotaRule } from '../../../providers/contract/provider.js';
import { GENEROUS_FACTS } from '../../support/fixtures/provider-calls.js';
import { openStorage, type Storage } from '../../support/fixtures/stored-link.js';

let storage: Storage;
let quotas: QuotaRepository;
const others: Database[] = [];
beforeAll(async () => {
  storage = await openStorage();
  quotas = new QuotaRepository(storage.ctx);
});
afterAll(async () => {
  await Promise.all(others.map((database) => database.close()));
  await storage.close();
});

const DAY_S = 86_400;
let subjects = 0;
const call = (over: Partial<QuotaCall> = {}): QuotaCall => ({
  provider: 'simplefin',
  quota: 'requests',
  subject: `grant-${(subjects += 1)}`,
  limit: 3,
  reserve: 0,
  windowSeconds: DAY_S,
  ...over,
});
const taken = async (made: QuotaCall, times: number): Promise<boolean[]> => {
  const results = [];
  for (let time = 0; time < times; time += 1) results.push((await quotas.take(made)).taken);
  return results;
};
/** Moves the calls of a subject into the past. */
const age = ({ subject }: QuotaCall, seconds: number) =>
  storage.ctx.database.pool.query(
    `UPDATE quota_windows SET window_start = window_start - $2 * interval '1 second', ends_at = ends_at - $2 * interval '1 second' WHERE subject = $1`,
    [subject, seconds],
  );

describe('A quota', () => {
  it('never allows more calls than its rule in any window, with three workers at once', async () => {
    const { pool } = storage.ctx.database;
    // The buckets in which each call was counted, kept although the counts themselves are removed.
    await pool.query(`
      CREATE TABLE counted_calls (at timestamptz NOT NULL);
      CREATE FUNCTION note_call() RETURNS trigger AS 'BEGIN INSERT INTO counted_calls VALUES (NEW.window_start); RETURN NEW; END' LANGUAGE plpgsql;
      CREATE TRIGGER note_call AFTER INSERT OR UPDATE ON quota_windows FOR EACH ROW WHEN (NEW.quota = 'hammered') EXECUTE FUNCTION note_call();`);
    for (let worker = 0; worker < 3; worker += 1)
      others.push(
        openDatabase({
          url: storage.url,
          name: 'worker',
          maxConnections: 4,
          onError: () => undefined,
        }),
      );
    const made = call({ quota: 'hammered', limit: 5, windowSeconds: 1 });
    const until = Date.now() + 2_300;
    let allowed = 0;
    await Promise.all(
      others.flatMap((database) => {
        const worker = new QuotaRepository({ ...storage.ctx, database });
        return Array.from({ length: 4 }, async () => {
          while (Date.now() < until || allowed <= 5)
            if ((await worker.take(made)).taken) allowed += 1;
        });
      }),
    );
    const { rows } = await pool.query<{ calls: number; most: number }>(`
      SELECT count(*)::int AS calls,
             max((SELECT count(*) FROM counted_calls other WHERE other.at > call.at - interval '1 second' AND other.at <= call.at))::int AS most
        FROM counted_calls call`);
    expect(rows).toEqual([{ calls: allowed, most: 5 }]);
    expect(allowed).toBeGreaterThan(5);
  });

  it('refuses the call after the last one and reports when there is room again', async () => {
    const made = call();
    expect(await taken(made, 4)).toEqual([true, true, true, false]);
    const { waitMs } = await quotas.take(made);
    expect(waitMs).toBeGreaterThan((DAY_S - 3_600) * 1_000);
    expect(waitMs).toBeLessThanOrEqual((DAY_S + 60) * 1_000);
  });

  it('has room again for each call as soon as a whole window has passed since it', async () => {
    const made = call();
    expect(await taken(made, 2)).toEqual([true, true]);
    await age(made, DAY_S / 2);
    expect(await taken(made, 2)).toEqual([true, false]);
    // A minute more than the window: the part of a day in which calls are counted together.
    expect((await quotas.take(made)).waitMs).toBeLessThanOrEqual((DAY_S / 2 + 60) * 1_000);
    await age(made, DAY_S / 2 + 61);
    expect(await taken(made, 3)).toEqual([true, true, false]);
  });

  it('counts each permission, account, quota and provider separately', async () => {
    const made = call({ limit: 1 });
    expect(await taken(made, 2)).toEqual([true, false]);
    for (const other of [{ subject: 'another' }, { quota: 'others' }, { provider: 'akoya' }])
      expect(await taken({ ...made, ...other }, 1)).toEqual([true]);
  });

  it('keeps its reserve for requests of apps', async () => {
    const scheduled = call({ reserve: 2 });
    expect(await taken(scheduled, 2)).toEqual([true, false]);
    expect(await taken({ ...scheduled, reserve: 0 }, 3)).toEqual([true, true, false]);
  });

  it('is never available to scheduled calls where all of it is reserved', async () => {
    const { taken: isTaken, waitMs } = await quotas.take(call({ reserve: 3 }));
    expect({ isTaken, waitMs }).toEqual({ isTaken: false, waitMs: DAY_S * 1_000 });
  });

  it('leaves no row once its calls no longer count', async () => {
    const made = call();
    await taken(made, 2);
    const rows = () =>
      storage.ctx.database.prisma.quotaWindow.count({ where: { subject: made.subject } });
    const soon = new Date(Date.now() + 3_600_000);
    await quotas.removeEnded(soon, 1_000);
    expect(await rows()).toBeGreaterThan(0);
    await quotas.removeEnded(new Date(Date.now() + 2 * DAY_S * 1_000), 1_000);
    expect(await rows()).toBe(0);
  });

  it('is shown by provider and quota, with the permission that has the fewest calls left', async () => {
    const [first, second] = [call({ provider: 'shown' }), call({ provider: 'shown' })];
    await taken(first, 3);
    await taken(second, 1);
    expect(await quotas.usage('shown')).toEqual([
      {
        provider: 'shown',
        quota: 'requests',
        limit: 3,
        subjects: 2,
        usedUp: 1,
        leastLeft: 0,
        freesAt: expect.any(Date),
      },
    ]);
  });
});

describe('access.acquire', () => {
  const rule: QuotaRule = {
    name: 'reads',
    per: 'permission',
    limit: 1,
    windowSeconds: DAY_S,
    unattendedOnly: false,
    reserve: 0,
  };
  const gate = (over: Partial<QuotaRule>, caller: Partial<QuotaCaller> = {}) =>
    quotaGate(
      { quotas },
      { name: 'gated', facts: { ...GENEROUS_FACTS, quotas: [{ ...rule, ...over }] } },
      { reference: `grant-${(subjects += 1)}`, endUser: null, isScheduled: false, ...caller },
    );
  const endUser = { ipAddress: '192.0.2.7', userAgent: 'Browser', language: 'en' };

  it('throws rate_limited with the time until there is room', async () => {
    const acquire = gate({});
    await acquire('reads');
    const failure: unknown = await acquire('reads').catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: 'QuotaUsedUp', providerCause: 'rate_limited' });
    expect((failure as { retryAfterSeconds: number }).retryAfterSeconds).toBeGreaterThan(86_000);
  });

  it('counts by account where the rule does', async () => {
    const acquire = gate({ per: 'account' });
    await acquire('reads', 'checking');
    await acquire('reads', 'savings');
    await expect(acquire('reads', 'checking')).rejects.toMatchObject({ name: 'QuotaUsedUp' });
    await expect(acquire('reads')).rejects.toThrow('is counted by account');
  });

  it('does not count calls for which a user waits if the source does not count them', async () => {
    const attended = gate({ unattendedOnly: true }, { endUser });
    await attended('reads');
    await attended('reads');
    const unattended = gate({ unattendedOnly: true });
    await unattended('reads');
    await expect(unattended('reads')).rejects.toMatchObject({ name: 'QuotaUsedUp' });
  });

  it('leaves the reserve to apps', async () => {
    const reserved = { limit: 2, reserve: 1 };
    const reference = 'one-grant';
    const scheduled = gate(reserved, { reference, isScheduled: true });
    await scheduled('reads');
    await expect(scheduled('reads')).rejects.toMatchObject({ name: 'QuotaUsedUp' });
    await gate(reserved, { reference })('reads');
  });

  it('refuses a quota that the adapter does not declare', async () => {
    await expect(gate({})('calls')).rejects.toThrow('gated has no quota "calls".');
  });
});
