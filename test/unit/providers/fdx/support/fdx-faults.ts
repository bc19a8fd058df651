import type { SourceFault } from '../../../../../domain/refresh/source-fault.js';

export const faults: SourceFault[] = [];
const note = (fault: SourceFault) => void faults.push(fault);

/** Collects the faults of each test. */
export function collectFaults(): void {
  beforeEach(() => void faults.splice(0));
}
export const scope = { account: 'a1', note };
