import { readFileSync } from 'node:fs';

/** Every call requests the key; a changed file is noticed within this time. */
const READ_EVERY_MS = 1_000;

/**
 * The key that was read at start, or the current content of its file. A file that is missing, empty or cannot be read, as while it
 * is replaced, leaves the last key in use.
 */
export function createKeyReader(
  key: string,
  file: string | undefined,
  now: () => number = Date.now,
): () => string {
  if (file === undefined) return () => key;
  let current = key;
  let readAt = now();
  return () => {
    if (now() - readAt < READ_EVERY_MS) return current;
    readAt = now();
    current = readKey(file) || current;
    return current;
  };
}

function readKey(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return '';
  }
}
