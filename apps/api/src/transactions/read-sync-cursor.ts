import { invalid, validationFailed, type ApiError } from '../../../../domain/errors/api-errors.js';
import {
  decodeCursor,
  SYNC_START,
  type SyncCursor,
} from '../../../../domain/transactions/sync-cursor.js';
import type { CursorKeys } from '../../../../prisma/base/keys/cursor-key.repository.js';

/**
 * The position of a cursor; missing or empty = the beginning. `owner`: the log that it must belong
 * to. Source: native-api 3.6, guarantee 8.
 * @throws ApiError
 */
export function readSyncCursor(
  { mac }: Pick<CursorKeys, 'mac'>,
  text: string | undefined,
  owner: string,
): SyncCursor {
  if (text === undefined || text === '') return SYNC_START;
  const cursor = decodeCursor(text, owner, mac);
  if (cursor === null) throw unreadableCursor();
  return cursor;
}

export function unreadableCursor(): ApiError {
  return validationFailed([
    invalid(['query', 'cursor'], 'The cursor does not belong to this link.'),
  ]);
}
