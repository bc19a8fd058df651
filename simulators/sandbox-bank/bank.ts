import { ConnectionStore } from './customers/connection-store.js';
import { createFaultGate, type FaultGate } from './faults/fault-gate.js';
import { FaultStore } from './faults/fault-store.js';
import { LoginStore } from './logins/login-store.js';
import { createPause } from './pause.js';
import type { Database } from './storage/database.js';
import { WorldStore } from './storage/worlds.js';
import { ChangingHistoryStore } from './transactions/changing-histories.js';
import { ScriptedHistoryStore } from './transactions/scripted-histories.js';

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
