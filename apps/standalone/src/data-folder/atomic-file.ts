import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';

/** Readers see the old content or the new one, also after a crash. */
export function writeAtomically(path: string, content: string, mode: number): void {
  const unfinished = `${path}.${process.pid}.unfinished`;
  rmSync(unfinished, { force: true });
  const file = openSync(unfinished, 'wx', mode);
  try {
    writeSync(file, content);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(unfinished, path);
}
