import { createContext, useContext } from 'react';
import type { LinkedBank } from './back-end';

export interface Ledger {
  banks: LinkedBank[];
  /** The last event, for the user. */
  message: string;
  /** Opens Connect; with `linkId` to repair that link. */
  linkBank: (linkId?: string) => void;
  /** Makes a sandbox link need its user again, as when a bank withdraws its permission. */
  breakBank: (linkId: string) => void;
  disconnectBank: (linkId: string) => void;
}

export const LedgerContext = createContext<Ledger | null>(null);

export function useLedger(): Ledger {
  const ledger = useContext(LedgerContext);
  if (ledger === null) throw new Error('There is no LedgerProvider above this component.');
  return ledger;
}
