import { z } from 'zod';
import type { Ledger } from '../ledger.js';

/** A change of the ledger that a test orders by name. */
export interface Script {
  /** @returns the changes, as JSON; a wrong parameter throws a ZodError */
  run(ledger: Ledger, params: unknown): unknown;
}

export function script<T extends z.ZodType>(
  params: T,
  run: (ledger: Ledger, params: z.output<T>) => unknown,
): Script {
  return { run: (ledger, given) => run(ledger, params.parse(given)) };
}

export const dayParam = z.string().regex(/^\d{4}-\d{2}-\d{2}$/, 'must be YYYY-MM-DD');
export const amountParam = z.string().regex(/^-?\d+(\.\d+)?$/, 'must be a signed decimal text');
