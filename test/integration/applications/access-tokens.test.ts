import { AccessTokenRepository } from '../../../prisma/tenants/applications/access-token.repository.js';
import { openStorage, type Storage } from '../../support/fixtures/stored-link.js';

const HOUR = 3_600_000;
const CLIENT = { clientId: 'sandbox_pocket-ledger', secretId: 'sec_x', scopes: [], ttlMs: HOUR };

describe('The removal of expired access tokens', () => {
  let storage: Storage;
  let tokens: AccessTokenRepository;
  let now = Date.parse('2026-03-02T10:00:00Z');
  beforeAll(async () => {
    storage = await openStorage(() => new Date(now));
    tokens = new AccessTokenRepository(storage.ctx);
  });
  afterAll(() => storage.close());

  it('starts with the oldest, works in batches, keeps valid tokens, and is shared between workers', async () => {
    const old: string[] = [];
    for (let index = 0; index < 5; index += 1) {
      old.push((await tokens.issue(CLIENT)).token);
      now += 1_000;
    }
    now += 2 * HOUR;
    const { token: living } = await tokens.issue(CLIENT);
    const before = new Date(now);
    const removed = await Promise.all([
      tokens.removeExpired(before, 2),
      tokens.removeExpired(before, 2),
    ]);
    expect(removed.reduce((sum, count) => sum + count, 0)).toBe(4);
    expect(
      await Promise.all(old.map(async (token) => (await tokens.find(token)) !== null)),
    ).toEqual([false, false, false, false, true]);
    expect(await tokens.removeExpired(before, 2)).toBe(1);
    expect(await tokens.removeExpired(before, 2)).toBe(0);
    expect(await tokens.find(living)).not.toBeNull();
  });

  it('finds them by their index', async () => {
    const { pool } = storage.ctx.database;
    await pool.query(
      `INSERT INTO access_tokens (token_hash, client_id, scope, expires_at)
       SELECT decode(md5(n::text), 'hex'), $1, '{}', timestamptz '2026-01-01' + n * interval '1 minute' FROM generate_series(1, 20000) AS n`,
      [CLIENT.clientId],
    );
    await pool.query('ANALYZE access_tokens');
    const { rows } = await pool.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN SELECT token_hash FROM access_tokens WHERE expires_at < '2026-01-02' ORDER BY expires_at LIMIT 5000 FOR UPDATE SKIP LOCKED`,
    );
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain(
      'access_tokens_expires_at_idx',
    );
  });
});
