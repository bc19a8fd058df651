import type { SourceFault } from '../../../../domain/refresh/source-fault.js';

export const faults: SourceFault[] = [];
export const scope = { account: 'acct_1', note: (fault: SourceFault) => void faults.push(fault) };

/** Collects the faults of each test. */
export function collectFaults(): void {
  beforeEach(() => void faults.splice(0));
}

export const MALFORMED = expect.objectContaining({
  name: 'ProviderFailure',
  providerCause: 'malformed',
});

export function failureOf(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}
