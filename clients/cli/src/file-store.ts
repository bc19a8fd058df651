import { readFile } from 'node:fs/promises';
import type { SyncedPage, SyncPosition, SyncStore, Transaction } from '@tributary/node';
import { CommandFailure } from '../../terminal/src/command-failure.js';
import { replaceFile } from './replace-file.js';

interface Contents {
  link_id: string;
  position: SyncPosition | null;
  transactions: Record<string, Transaction>;
  /** Of a walk that began again and is not complete. */
  replacement: Record<string, Transaction> | null;
}

export interface FileStore extends SyncStore {
  /** Transactions of the copy. */
  count(): number;
}

/** A copy of one link in a file, which each page replaces at once with its position. */
export async function openFileStore(file: string, linkId: string): Promise<FileStore> {
  let contents = await readContents(file, linkId);
  return {
    count: () => Object.keys(contents.transactions).length,
    load: () => contents.position,
    commit: async (_, page) => {
      const next = withPage(contents, page);
      await writeContents(file, next);
      contents = next;
    },
  };
}

function withPage(
  contents: Contents,
  { upserted, removed, position, replacement }: SyncedPage,
): Contents {
  const before =
    replacement === null
      ? contents.transactions
      : replacement.begins
        ? {}
        : (contents.replacement ?? {});
  const rows = {
    ...before,
    ...Object.fromEntries(upserted.map((row) => [row.transaction_id, row])),
  };
  for (const id of removed) delete rows[id];
  if (replacement === null) return { ...contents, position, transactions: rows };
  return replacement.completes
    ? { ...contents, position, transactions: rows, replacement: null }
    : { ...contents, position, replacement: rows };
}

async function readContents(file: string, linkId: string): Promise<Contents> {
  const empty: Contents = { link_id: linkId, position: null, transactions: {}, replacement: null };
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw new CommandFailure(
      `The file ${file} cannot be read (${error.code}).`,
      'Choose another file.',
    );
  });
  if (text === null) return empty;
  const found = parse(text);
  if (found?.link_id === linkId) return found;
  throw new CommandFailure(
    `The file ${file} is not a copy of ${linkId}.`,
    'Choose another file: each holds the copy of one link.',
  );
}

function parse(text: string): Contents | null {
  try {
    const found = JSON.parse(text) as Partial<Contents> | null;
    return typeof found?.transactions === 'object' ? (found as Contents) : null;
  } catch {
    return null;
  }
}

async function writeContents(file: string, contents: Contents): Promise<void> {
  await replaceFile(file, `${JSON.stringify(contents)}\n`).catch((error: NodeJS.ErrnoException) => {
    throw new CommandFailure(
      `The file ${file} cannot be written (${error.code}).`,
      'Choose another file.',
    );
  });
}
