import { openDatabase } from '../../../prisma/base/database/database.js';
import { openTcpGate } from '../../support/services/tcp-gate.js';

describe('A pool whose PostgreSQL stops responding', () => {
  it('fails the query after its timeout, and opens another connection afterwards', async () => {
    const url = new URL(process.env['TEST_DATABASE_URL'] ?? '');
    const gate = await openTcpGate({ host: url.hostname, port: Number(url.port) });
    url.port = String(gate.port);
    const database = openDatabase({ url: url.href, name: 'timeouts', onError: () => undefined });
    try {
      await database.ping();
      gate.set('mute');
      await expect(database.pool.query('SELECT 1')).rejects.toThrow('Query read timeout');
      gate.set('open');
      expect((await database.pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    } finally {
      await gate.close();
      await database.close();
    }
  });
});
