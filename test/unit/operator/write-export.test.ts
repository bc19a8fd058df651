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
    const path = join(folder, 'failed.csv');
    // The test files of one process share these functions, so only this file may meet a full disk.
    const isTheFile = (descriptor: number) =>
      existsSync(path) && fs.fstatSync(descriptor).ino === fs.statSync(path).ino;
    const { close, write } = fs;
    jest.spyOn(fs, 'write').mockImplementation(((file: number, ...args: unknown[]) => {
      if (!isTheFile(file)) return (write as (...all: unknown[]) => void)(file, ...args);
      setImmediate(() => (args.at(-1) as (error: Error) => void)(full));
    }) as typeof fs.write);
    // A stream reports its error once its file is closed.
    let isClosed = false;
    jest.spyOn(fs, 'close').mockImplementation((file, done) => {
      const isFailed = isTheFile(file);
      close(file, (error) => {
        isClosed ||= isFailed;
        done?.(error);
      });
    });
    async function* text() {
      yield 'first\n';
      while (!isClosed) await nextTurn();
      yield 'second\n';
    }
    await expect(writeExport(path, text(), () => undefined)).rejects.toBe(full);
    expect(existsSync(path)).toBe(false);
  });
});
