import { z } from 'zod';
import { storable } from '../schemas/text.schema.js';

/** The deepest token of connect 10 is five levels down; anything deeper is none. */
const DEEPEST = 8;

/** As JSON: a page loads it each time it opens a session. */
const LARGEST_BYTES = 32 * 1024;

/** Theme tokens are judged by the front end, which ignores what it does not know; here they only have to be storable. */
export const theme = z
  .record(z.string(), z.unknown())
  .refine(
    (value) => isStorable(value, DEEPEST),
    'Must be nested at most 8 levels deep and hold no character that is not allowed.',
  )
  .refine(
    (value) => Buffer.byteLength(JSON.stringify(value)) <= LARGEST_BYTES,
    'Must be at most 32 KB of JSON.',
  )
  .meta({ description: 'Theme tokens: at most 32 KB of JSON, nested at most 8 levels deep.' });

function isStorable(value: unknown, levels: number): boolean {
  if (typeof value === 'string') return storable(value);
  if (typeof value !== 'object' || value === null) return true;
  if (levels === 0) return false;
  return Object.entries(value).every(
    ([name, inner]) => storable(name) && isStorable(inner, levels - 1),
  );
}
