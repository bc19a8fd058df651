import type { NewSandboxFault, SandboxFault } from '../domain/sandbox/sandbox-fault.js';
import type { ScriptedStatus, ScriptStep } from '../domain/sandbox/sandbox-script.js';
import type { ProviderAccess } from './provider-data.js';
import type { LinkedOutcome, LoginContext } from './provider-login.js';
import type { WorldFacts } from './provider.types.js';

/** Source: link-lifecycle 10 and 14. */
export interface SandboxControls {
  /** The bank refuses this permission from now on, as if its time were over. Idempotent. */
  expirePermission(access: ProviderAccess): Promise<void>;
  /** A whole login without a person: whatever is asked after the password is answered correctly. Fails like the login of a person. */
  logIn(
    context: LoginContext,
    credentials: { username: string; password: string },
  ): Promise<LinkedOutcome>;
  /** Writes rows at the bank, all of them or none; a later fetch brings what changed. Accounts are named by the provider's ids. */
  runScript(access: ProviderAccess, script: readonly ScriptStep[]): Promise<ScriptOutcome>;
  /** Makes something go wrong at an institution of one world. The same `faultId` again is the same fault. */
  createFault(place: FaultPlace, fault: NewSandboxFault): Promise<SandboxFault>;
  /** Those that are not used up, oldest first. */
  listFaults(place: FaultPlace): Promise<SandboxFault[]>;
  /** Which world a fault is in; null = there is no such fault. */
  worldOfFault(faultId: string, signal: AbortSignal): Promise<string | null>;
  /** Idempotent. */
  liftFault(faultId: string, signal: AbortSignal): Promise<void>;
  /** Forgets a world with everyone in it. Idempotent. */
  forgetWorld(worldId: string, signal: AbortSignal): Promise<void>;
}

export interface FaultPlace extends WorldFacts {
  remoteId: string;
  signal: AbortSignal;
}

/** What the rows are that a script touched, or the step that could not be done (from 0): then nothing was. */
export type ScriptOutcome =
  | { kind: 'done'; rows: { ref: string; providerTransactionId: string; status: ScriptedStatus }[] }
  | { kind: 'impossible'; index: number; reason: string };
