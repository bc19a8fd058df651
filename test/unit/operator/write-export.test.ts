import fs, { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { writeExport } from '../../../apps/operator/src/commands/exports/write-export.js';

const folder = mkdtempSync(join(tmpdir(), 'tributary-export-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('The file of an export', () => {
  it('contains the whole text', async () => {
    async function* text() {
      yield* await Promise.resolve(['first\n', 'second\n']);
    }
    const path = join(folder, 'whole.csv');
    expect(await writeExport(path, text(), () => undefined)).toBe(13);
    expect(fs.readFileSync(path, 'utf8')).toBe('first\nsecond\n');
  });

  it('is removed when the disk fails while the service prepares the next text', async () => {
    const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    jest.spyOn(fs, 'write').mockImplementation(((...args: unknown[]) => {
      setImmediate(() => (args.at(-1) as (error: Error) => void)(full));
    }) as typeof fs.write);
    // A stream reports its error once its file is closed.
    const { close } = fs;
    let isClosed = false;
    jest.spyOn(fs, 'close').mockImplementation((file, done) =>
      close(file, (error) => {
        isClosed = true;
        done?.(error);
      }),
    );
    async function* text() {
      yield 'first\n';
      while (!isClosed) await nextTurn();
      yield 'second\n';
    }
    const path = join(folder, 'failed.csv');
    await expect(writeExport(path, text(), () => undefined)).rejects.toBe(full);
    expect(existsSync(path)).toBe(false);
  });
});
