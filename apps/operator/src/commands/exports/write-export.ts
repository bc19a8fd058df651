import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { CommandFailure } from '../../../../../clients/terminal/src/command-failure.js';

const PROGRESS_BYTES = 64 * 1024 * 1024;

/**
 * Writes an export to a new file that only its owner reads, no faster than the disk. A file that
 * could not be completed is removed.
 * @returns its size in bytes
 * @throws CommandFailure
 */
export async function writeExport(
  path: string,
  text: AsyncIterable<string>,
  progress: (line: string) => void,
): Promise<number> {
  const file = await createFile(path);
  try {
    let shown = 0;
    const withProgress = async function* (chunks: AsyncIterable<string>) {
      for await (const chunk of chunks) {
        yield chunk;
        if (file.bytesWritten - shown < PROGRESS_BYTES) continue;
        shown = file.bytesWritten;
        progress(`${Math.round(shown / 1024 / 1024)} MiB written`);
      }
    };
    await pipeline(text, withProgress, file);
    return file.bytesWritten;
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

async function createFile(path: string): Promise<WriteStream> {
  // wx: never an existing file, nor one that a link leads to.
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600 });
  try {
    await once(file, 'open');
    return file;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw new CommandFailure(`${path} exists already: name a new file.`);
    throw new CommandFailure(`${path} cannot be created (${code ?? 'unknown error'}).`);
  }
}
