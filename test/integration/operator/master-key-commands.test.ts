import { randomBytes } from 'node:crypto';
import { createContext } from '../../../prisma/base/context.js';
import { openDatabase, type Database } from '../../../prisma/base/database/database.js';
import { Sealer } from '../../../prisma/base/sealing/sealer.js';
import { runCommand } from '../../support/actors/operator.js';
import { createTestDatabase, type TestDatabase } from '../../support/services/embedded-services.js';

let test: TestDatabase;
let database: Database;

beforeEach(async () => {
  test = await createTestDatabase();
  database = openDatabase({ url: test.url, name: 'key-tests', onError: () => undefined });
});

afterEach(async () => {
  await database.close();
  await test.drop();
});

const makeKey = (id: string) => ({ id, key: randomBytes(32) });
type Key = ReturnType<typeof makeKey>;

const withKeys = (keys: readonly Key[], ...args: string[]) =>
  runCommand(args, {
    DATABASE_URL: test.url,
    MASTER_KEYS: keys.map(({ id, key }) => `${id}:${key.toString('base64')}`).join(','),
  });
const causeIn = (stderr: string) =>
  (JSON.parse(stderr) as { error: { cause: string } }).error.cause;
const list = async (...keys: Key[]) => {
  const { stdout, stderr } = await withKeys(keys, 'keys', 'master', 'list', '--json');
  return stderr === '' ? (JSON.parse(stdout) as unknown) : causeIn(stderr);
};

/** Stores a data key. */
const seal = (...keys: Key[]) =>
  database.transaction((tx) =>
    createContext(database, new Sealer(keys)).sealer.sealUnder(
      tx,
      'test/1',
      { table: 'test', column: 'sealed', row: '1' },
      Buffer.from('secret'),
    ),
  );

const NO_ROWS = { data_keys: 0, signing_keys: 0, cursor_keys: 0, idempotency_records: 0 };

describe('MASTER_KEYS', () => {
  it('is refused with another key under a known id, by every command', async () => {
    await list(makeKey('k1'));
    const message =
      'MASTER_KEYS has a different key under the id "k1" from the one in this database. Restore that key, or give the new one a different id.';
    expect(await list(makeKey('k1'))).toBe(message);
    expect(await withKeys([makeKey('k2'), makeKey('k1')], 'apps', 'list')).toEqual({
      status: 1,
      stdout: '',
      stderr: `${message}\n`,
    });
  });

  it('is refused without a key that rows need, and accepted once they do not', async () => {
    const [old, next] = [makeKey('old'), makeKey('next')];
    await list(old);
    await seal(old);
    expect(await list(next)).toBe(
      'MASTER_KEYS lacks the key "old", which rows of data_keys still need. Add it again after the current key, and run "keys master rewrap" before it leaves.',
    );
    expect((await withKeys([next, old], 'keys', 'master', 'rewrap')).stdout).toContain(
      'data_keys: 1 sealed again',
    );
    expect(await list(next)).toMatchObject([
      { key_id: 'next', place: 'current', data_keys: 1 },
      { key_id: 'old', place: 'missing', data_keys: 0, may_leave: true },
    ]);
  });
});

describe('keys master list', () => {
  it('counts the rows of each key and names the reason why it is kept', async () => {
    const [old, next] = [makeKey('old'), makeKey('next')];
    await list(old);
    await seal(old);
    expect(await list(next, old)).toEqual([
      {
        key_id: 'next',
        place: 'current',
        ...NO_ROWS,
        last_current_at: expect.stringMatching(/Z$/),
        may_leave: false,
        reason: 'it seals new values',
      },
      {
        key_id: 'old',
        place: 'older',
        ...NO_ROWS,
        data_keys: 1,
        last_current_at: expect.stringMatching(/Z$/),
        may_leave: false,
        reason: 'it still seals 1 rows: run "keys master rewrap"',
      },
    ]);
  });

  it('shows a key that was just added as unused, and the previous one as older after they changed places', async () => {
    const [old, next] = [makeKey('old'), makeKey('next')];
    await list(old);
    expect(await list(old, next)).toMatchObject([
      { key_id: 'old', place: 'current' },
      { key_id: 'next', place: 'unused', reason: 'it has sealed nothing' },
    ]);
    expect(await list(next, old)).toMatchObject([
      { key_id: 'next', place: 'current' },
      { key_id: 'old', place: 'older' },
    ]);
  });
});

describe('keys master rewrap', () => {
  it('names a damaged value, leaves it unchanged, and seals the others again', async () => {
    const [old, next] = [makeKey('old'), makeKey('next')];
    await list(old);
    await seal(old);
    await database.prisma.dataKey.create({
      data: { owner: 'test/damaged', masterKeyId: 'old', wrapped: new Uint8Array(60) },
    });
    const ended = await withKeys([next, old], 'keys', 'master', 'rewrap', '--json');
    expect({
      ...ended,
      stdout: JSON.parse(ended.stdout) as unknown,
      stderr: causeIn(ended.stderr),
    }).toEqual({
      status: 1,
      stderr: '1 values can be opened by no key, and stay as they are: data_keys/test/damaged.',
      stdout: {
        rewrapped: { ...NO_ROWS, data_keys: 1 },
        left: { old: 1 },
        unreadable: ['data_keys/test/damaged'],
      },
    });
  });
});
