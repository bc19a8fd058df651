import { randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';

/**
 * Replaces a file at once, so that a crash leaves the old one or the new one, which only its owner can read. A file or a
 * symbolic link that someone else put there is neither written to nor followed.
 */
export async function replaceFile(
  path: string,
  text: string,
  suffix = randomBytes(6).toString('hex'),
): Promise<void> {
  const temporary = `${path}.${suffix}`;
  const file = await open(temporary, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, path).catch(async (error: unknown) => {
    await rm(temporary, { force: true });
    throw error;
  });
}
