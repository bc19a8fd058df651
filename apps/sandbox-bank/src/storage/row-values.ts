import { createHash } from 'node:crypto';
import type { Row } from './database.js';

export function textOf(row: Row, column: string): string {
  const value = row[column];
  if (typeof value !== 'string') throw new TypeError(`${column} is not text`);
  return value;
}

export function textOrNullOf(row: Row, column: string): string | null {
  return row[column] === null ? null : textOf(row, column);
}

export function dateOrNullOf(row: Row, column: string): Date | null {
  const value = row[column];
  return value instanceof Date ? value : null;
}

/** Tokens and codes are kept only as hashes: their random bits need no salt. */
export function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
