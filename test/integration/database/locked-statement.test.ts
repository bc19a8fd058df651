import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase, type Database } from '../../../prisma/database/database.js';
import { runLocked } from '../../../prisma/database/locked-statement.js';
import { createTestDatabase } from '../../support/services/embedded-services.js';
import { eventually } from '../../support/assertions/eventually.js';

const LOCK = 'SELECT pg_advisory_xact_lock(7, 1)';
const TOLD = {
  name: 'told',
  text: 'INSERT INTO lines VALUES ($1::text) RETURNING line, (SELECT count(*)::int FROM lines) AS before',
};

describe('a statement under locks', () => {
  let database: Database;
  let pool: pg.Pool;
  let drop: () => Promise<void>;
  beforeAll(async () => {
    const test = await createTestDatabase();
    ({ drop } = test);
    database = openDatabase({
      url: test.url,
      name: 'locked-statement-test',
      onError: () => undefined,
    });
    pool = database.hot;
    await pool.query('CREATE TABLE lines (line text)');
  });
  afterAll(async () => {
    await database.close();
    await drop();
  });

  it('is given its values as they are', async () => {
    const text = `SELECT $1::timestamptz AS instant, $2::bigint AS pk, $3::int AS count, $4::text AS line, $5::text[] AS names, $6::int[] AS numbers, $7::text[] AS none`;
    const odd = String.raw`a'b"c\d,{e} $1; --`;
    const values = [
      new Date('2026-03-02T10:15:32.430Z'),
      2n ** 53n + 1n,
      8,
      odd,
      [odd, '', 'NULL'],
      [0, 1],
      [],
    ];
    const expected = {
      instant: values[0],
      pk: '9007199254740993',
      count: 8,
      line: odd,
      names: [odd, '', 'NULL'],
      numbers: [0, 1],
      none: [],
    };
    // Prepared by the first, there for the others.
    for (let time = 0; time < 3; time += 1)
      expect(await runLocked(pool, LOCK, { name: 'values', text, values })).toEqual([expected]);
  });

  it('sees what was committed by whoever held the lock before', async () => {
    const holder = await pool.connect();
    await holder.query('BEGIN');
    await holder.query(LOCK);
    await holder.query("INSERT INTO lines VALUES ('first')");
    const second = runLocked(pool, LOCK, { ...TOLD, values: ['second'] });
    await eventually(async () =>
      expect(
        (
          await database.pool.query(
            "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())",
          )
        ).rowCount,
      ).toBe(1),
    );
    await holder.query('COMMIT');
    holder.release();
    expect(await second).toEqual([{ line: 'second', before: 1 }]);
  });

  it('does nothing when it fails, and lets go of the lock', async () => {
    const text = `WITH written AS (INSERT INTO lines VALUES ($1::text) RETURNING line) SELECT line, 1 / length($2::text) AS share FROM written`;
    await expect(
      runLocked(pool, LOCK, { name: 'fails', text, values: ['third', ''] }),
    ).rejects.toThrow('division by zero');
    expect((await pool.query("SELECT 1 FROM lines WHERE line = 'third'")).rowCount).toBe(0);
    expect(await runLocked(pool, LOCK, { name: 'fails', text, values: ['third', 'x'] })).toEqual([
      { line: 'third', share: 1 },
    ]);
  });
});
