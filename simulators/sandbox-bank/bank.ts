import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { ConnectionStore } from './customers/connection-store.js';
import { createFaultGate, type FaultGate } from './faults/fault-gate.js';
import { FaultStore } from './faults/fault-store.js';
import { BankError } from './http/bank-error.js';
import { LoginStore } from './logins/login-store.js';
import type { Database } from './storage/database.js';
import { ScriptedHistoryStore } from './scripts/scripted-histories.js';
import { WorldStore } from './storage/worlds.js';
import { ChangingHistoryStore } from './transactions/changing-histories.js';

/** Shared state of the bank's calls and pages. */
export interface Bank {
  connections: ConnectionStore;
  logins: LoginStore;
  worlds: WorldStore;
  faults: FaultStore;
  meetFaults: FaultGate;
  scripts: ScriptedHistoryStore;
  histories: ChangingHistoryStore;
  /** The clock of worlds that follow real time. Codes, approvals and attempts follow real time. */
  now: () => Date;
  /** All delays of the bank (slow logins, approvals, resends) are multiplied by this. */
  delayFactor: number;
  /** Waits for a delay of this many seconds. When the bank closes in the meantime, it fails as unavailable. */
  pause: (seconds: number) => Promise<void>;
}

export function createBank(
  database: Database,
  { delayFactor, now, stopping }: Pick<Bank, 'delayFactor' | 'now'> & { stopping: AbortSignal },
): Bank {
  const faults = new FaultStore(database);
  const pause = createPause(stopping, delayFactor);
  return {
    connections: new ConnectionStore(database),
    logins: new LoginStore(database),
    worlds: new WorldStore(database),
    faults,
    meetFaults: createFaultGate(faults, pause),
    scripts: new ScriptedHistoryStore(database),
    histories: new ChangingHistoryStore(database),
    now,
    delayFactor,
    pause,
  };
}

/** Waits a number of seconds, times the factor. When the bank closes in the meantime, the wait fails as unavailable. */
function createPause(stopping: AbortSignal, factor: number): (seconds: number) => Promise<void> {
  // Every waiting request adds a listener.
  setMaxListeners(0, stopping);
  return async (seconds) => {
    if (seconds * factor <= 0) return;
    try {
      await delay(seconds * factor * 1_000, undefined, { signal: stopping });
    } catch {
      throw new BankError('bank_unavailable', 'The bank is closing.', { 'retry-after': '1' });
    }
  };
}
