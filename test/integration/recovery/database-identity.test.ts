import { openDatabase, type Database } from '../../../prisma/base/database/database.js';
import { isForeignDatabase } from '../../../prisma/base/database/database-failures.js';
import { adoptDatabase } from '../../../prisma/operations/recovery/recover.js';
import { openStorage, storageIn, type Storage } from '../../support/fixtures/stored-link.js';
import {
  copyDatabase,
  createEmptyDatabase,
  createTestDatabase,
} from '../../support/services/embedded-services.js';

const open = (url: string): Database =>
  openDatabase({ url, name: 'identity-tests', onError: () => undefined });

describe('A database that knows its identity', () => {
  let original: Storage;
  beforeAll(async () => {
    original = await openStorage();
  });
  afterAll(() => original.close());

  const identity = ({ ctx }: Storage) =>
    ctx.database.prisma.databaseIdentity.findMany({ omit: { createdAt: true } });

  it('receives it from the first process, and admits every later one', async () => {
    const [known, ...others] = await identity(original);
    expect(others).toEqual([]);
    expect(known).toMatchObject({ pk: 1 });
    const later = open(original.url);
    try {
      await later.ping();
      await later.checkIdentity();
    } finally {
      await later.close();
    }
    expect(await identity(original)).toEqual([known]);
  });

  it('admits connections before its tables are created', async () => {
    const empty = await createEmptyDatabase();
    const database = open(empty.url);
    try {
      await database.ping();
      await database.checkIdentity();
    } finally {
      await database.close();
      await empty.drop();
    }
  });

  it('lends no connection to a copy, reads included, until the copy is adopted', async () => {
    const copy = await copyDatabase(original.url);
    const restored = storageIn(copy, { masterKey: original.masterKey });
    const adopting = storageIn(copy, { masterKey: original.masterKey, anyIdentity: true });
    try {
      const { database } = restored.ctx;
      const tries = [
        database.pool.query('SELECT 1'),
        database.hot.query('SELECT 1'),
        database.prisma.link.count(),
        database.transaction((tx) => tx.link.count()),
        database.checkIdentity(),
      ];
      for (const outcome of await Promise.allSettled(tries))
        expect(outcome.status === 'rejected' && isForeignDatabase(outcome.reason)).toBe(true);

      await adoptDatabase(adopting.ctx);
      await database.checkIdentity();
      expect(await database.prisma.link.count()).toBe(0);
    } finally {
      await adopting.ctx.database.close();
      await restored.close();
    }
  });

  it('refuses connections that are open when its rows are restored in place', async () => {
    const test = await createTestDatabase();
    const storage = storageIn(test);
    try {
      const { database } = storage.ctx;
      await database.ping();
      // A restore does the same: equal values, written by another transaction.
      await database.pool.query('UPDATE database_identity SET pk = pk');
      await expect(database.checkIdentity()).rejects.toThrow('its rows were written by a restore');
      await expect(database.pool.query('SELECT 1')).rejects.toThrow('operator recover');
    } finally {
      await storage.close();
    }
  });

  it('keeps its identity when its tables are vacuumed and rewritten', async () => {
    await original.ctx.database.pool.query('VACUUM FULL FREEZE database_identity');
    await original.ctx.database.checkIdentity();
  });

  it.each([
    ['system_identifier', 'it is on another server'],
    ['timeline', 'the server was failed over or recovered to a point in time'],
  ])('causes an error that names the difference when %s does', async (column, cause) => {
    const copy = storageIn(await copyDatabase(original.url), { anyIdentity: true });
    const refused = open(copy.url);
    try {
      await adoptDatabase(copy.ctx);
      await copy.ctx.database.prisma.$executeRawUnsafe(
        `UPDATE database_identity SET ${column} = ${column} + 1, written_in = pg_current_xact_id()::text::bigint`,
      );
      await expect(refused.ping()).rejects.toThrow(
        `This is not the database that the service wrote to: ${cause}. Nothing is written until an operator runs \`operator recover\``,
      );
    } finally {
      await refused.close();
      await copy.close();
    }
  });
});
