import type { SourceFault } from '../../../../../domain/refresh/source-fault.js';

export const faults: SourceFault[] = [];
export const note = (fault: SourceFault) => void faults.push(fault);

/** Collects the faults of each test. */
export function collectFaults(): void {
  beforeEach(() => void faults.splice(0));
}

export const balance = (type: string, amount: string, currency = 'EUR') => ({
  name: type,
  balance_type: type,
  balance_amount: { currency, amount },
});
