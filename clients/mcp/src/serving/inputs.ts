import { z } from 'zod';

export const MAX_ROWS = 100;

/** Ids reach the service as parts of a path, and it looks up any text. */
export const id = z.string().min(1).max(200);
export const linkId = id.describe('From list_links.');
export const day = z.iso.date().describe('Such as 2026-03-31; inclusive.');
export const limit = z.int().min(1).max(MAX_ROWS).default(50);
export const offset = z
  .int()
  .min(0)
  .max(10_000_000)
  .default(0)
  .describe('The next_offset of the previous result.');
export const cursor = z
  .string()
  .max(2_000)
  .optional()
  .describe('The next_cursor of the previous result.');

/** A part of a list that the service returns as a whole. */
export function rowsFrom<Row>(rows: readonly Row[], from: number) {
  const end = from + MAX_ROWS;
  return { rows: rows.slice(from, end), next_offset: end < rows.length ? end : null };
}
