import type { DatabaseSync } from 'node:sqlite';
import type { SyncStore } from '@tributary/node';

export function sqliteStore(
  database: Pick<DatabaseSync, 'exec' | 'prepare' | 'isTransaction'>,
): SyncStore;
