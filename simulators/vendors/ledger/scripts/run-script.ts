import { LedgerError, type Ledger } from '../ledger.js';
import { BANK_SCRIPTS } from './bank-scripts.js';
import { ROW_SCRIPTS } from './row-scripts.js';
import type { Script } from './script.js';

export const SCRIPTS = { ...ROW_SCRIPTS, ...BANK_SCRIPTS };
export type ScriptName = keyof typeof SCRIPTS;

/**
 * Changes the ledger as a test orders.
 * @returns the changes, as JSON
 * @throws LedgerError for an unknown script, account, row, bank or customer; ZodError for wrong
 *   parameters
 */
export function runScript(ledger: Ledger, name: string, params: unknown = {}): unknown {
  const known: Readonly<Record<string, Script | undefined>> = SCRIPTS;
  const script = Object.hasOwn(known, name) ? known[name] : undefined;
  if (script === undefined) {
    throw new LedgerError(
      `There is no script "${name}". Scripts: ${Object.keys(SCRIPTS).join(', ')}.`,
    );
  }
  return script.run(ledger, params);
}
