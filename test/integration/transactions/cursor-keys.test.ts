import { decodeCursor, encodeCursor } from '../../../domain/transactions/sync-cursor.js';
import { CursorKeys } from '../../../prisma/base/keys/cursor-key.repository.js';
import { storageOfFile, storage } from '../../support/fixtures/stored-link.js';

storageOfFile();

describe('Cursor keys', () => {
  it('are the same for processes that start at once', async () => {
    const processes = Array.from({ length: 6 }, () => new CursorKeys(storage.ctx));
    await Promise.all(processes.map((keys) => keys.ensure()));
    expect(await storage.ctx.database.prisma.cursorKey.count()).toBe(1);
    const [writer, reader] = processes;
    if (writer === undefined || reader === undefined) throw new Error('no process');
    const cursor = { floor: 1n, position: 2n, highWater: 3n };
    expect(
      decodeCursor(
        encodeCursor(cursor, 'mk_1', writer.currentKeyId, writer.mac),
        'mk_1',
        reader.mac,
      ),
    ).toEqual(cursor);
  });

  it('still verify cursors after they were retired, and are stored sealed', async () => {
    const keys = new CursorKeys(storage.ctx);
    await keys.ensure();
    const text = encodeCursor(
      { floor: 4n, position: 4n, highWater: null },
      'mk_1',
      keys.currentKeyId,
      keys.mac,
    );
    const retired = keys.currentKeyId;
    await storage.ctx.database.prisma.cursorKey.updateMany({ data: { retiredAt: new Date() } });
    const after = new CursorKeys(storage.ctx);
    expect(() => after.currentKeyId).toThrow('no cursor key is loaded');
    await after.ensure();
    expect(after.currentKeyId).not.toBe(retired);
    expect(decodeCursor(text, 'mk_1', after.mac)).toEqual({
      floor: 4n,
      position: 4n,
      highWater: null,
    });
    const [row] = await storage.ctx.database.prisma.cursorKey.findMany();
    expect(row?.sealed.length).toBeGreaterThan(32 + 28);
  });
});
