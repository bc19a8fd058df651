import type { Pool } from 'pg';
import type { SyncStore } from '@tributary/node';

/** The tables of the store. */
export const SCHEMA: string;

export function postgresqlStore(pool: Pick<Pool, 'query' | 'connect'>): SyncStore;
