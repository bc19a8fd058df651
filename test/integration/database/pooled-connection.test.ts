import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase, type Database } from '../../../prisma/database/database.js';
import { pooledConnection } from '../../../prisma/database/pooled-connection.js';
import { bytesKept } from '../../support/assertions/bytes-kept.js';
import { createTestDatabase } from '../../support/services/embedded-services.js';

const ROWS = {
  name: 'rows',
  text: "SELECT repeat('x', 200) AS text, i AS a, i AS b, i AS c FROM generate_series(1, 20) AS i",
};

describe('a connection of a pool', () => {
  let url: string;
  let drop: () => Promise<void>;
  const closing: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    ({ url, drop } = await createTestDatabase());
  });
  afterAll(async () => {
    await Promise.all(closing.map((close) => close()));
    await drop();
  });

  function openPool(readTimeoutMs: number): pg.Pool {
    const pool = new pg.Pool({
      connectionString: url,
      max: 1,
      Client: pooledConnection(readTimeoutMs),
    });
    pool.on('error', () => undefined);
    pool.on('connect', (client) => client.on('error', () => undefined));
    closing.push(() => pool.end());
    return pool;
  }
  function openPools(): Database {
    const database = openDatabase({
      url,
      name: 'pooled-connection-test',
      onError: () => undefined,
    });
    closing.push(() => database.close());
    return database;
  }

  it('answers in each way pg has: text or configuration, with and without values, promise or callback', async () => {
    const client = await openPool(5_000).connect();
    const named = { name: 'sum', text: 'SELECT $1::int + 1 AS sum' };
    const answers = [
      await client.query('SELECT 2 AS sum'),
      await client.query('SELECT $1::int + 1 AS sum', [1]),
      await client.query({ ...named, values: [1] }),
      await client.query(named, [1]),
      await new Promise<pg.QueryResult>((resolve) =>
        client.query('SELECT 2 AS sum', (_error, result) => resolve(result)),
      ),
      await new Promise<pg.QueryResult>((resolve) =>
        client.query('SELECT $1::int + 1 AS sum', [1], (_error, result) => resolve(result)),
      ),
    ];
    client.release();
    expect(answers.map(({ rows }) => rows as unknown)).toEqual(answers.map(() => [{ sum: 2 }]));
  });

  it('says what PostgreSQL says, and where it was asked', async () => {
    const pool = openPool(5_000);
    const error = await pool
      .query('SELECT nothing')
      .catch((failure: unknown) => failure as pg.DatabaseError);
    expect(error).toMatchObject({ code: '42703' });
    const client = await pool.connect();
    const asked = await client
      .query('SELECT nothing')
      .catch((failure: unknown) => failure as pg.DatabaseError);
    client.release();
    expect((asked as Error).stack).toContain('pooled-connection.test');
  });

  it('is given up with a query that takes too long, and with what waits behind it', async () => {
    const pool = openPool(200);
    const client = await pool.connect();
    const both = await Promise.allSettled([
      client.query('SELECT pg_sleep(30)'),
      client.query('SELECT 1'),
    ]);
    client.release(true);
    expect(
      both.map((answer) =>
        answer.status === 'rejected' ? (answer.reason as Error).message : 'answered',
      ),
    ).toEqual([
      'Query read timeout',
      expect.stringMatching(/Query read timeout|Connection terminated/),
    ]);
    await expect(pool.query('SELECT pg_sleep(30)')).rejects.toThrow('Query read timeout');
    expect((await pool.query<{ one: number }>('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  });

  it('leaves nothing of a query behind in the old generation', async () => {
    const { hot } = openPools();
    const client = await hot.connect();
    closing.unshift(() => Promise.resolve(client.release()));
    // 8,500 bytes and more of each when pg was left to itself.
    expect(await bytesKept(300, () => client.query(ROWS))).toBeLessThan(2_000);
    expect(await bytesKept(300, () => hot.query(ROWS))).toBeLessThan(2_000);
  });
});
