import { z } from 'zod';
import { storable } from '../schemas/text.schema.js';

/** The tokens of connect 10 are nested five levels deep at most. */
const MAX_DEPTH = 8;

/** Size of the JSON, which a page loads whenever it opens a session. */
const MAX_BYTES = 32 * 1024;

/** The front end validates theme tokens and ignores unknown ones; here they must only be storable. */
export const theme = z
  .record(z.string(), z.unknown())
  .refine(
    (value) => isStorable(value, MAX_DEPTH),
    'Must be nested at most 8 levels deep and hold no character that is not allowed.',
  )
  .refine(
    (value) => Buffer.byteLength(JSON.stringify(value)) <= MAX_BYTES,
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
