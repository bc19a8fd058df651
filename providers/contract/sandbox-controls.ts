import type { NewSandboxFault, SandboxFault } from '../../domain/sandbox/sandbox-fault.js';
import type { HoldingsStep, LiabilityStep } from '../../domain/sandbox/investment-script.js';
import type { ScriptedStatus, ScriptStep } from '../../domain/sandbox/sandbox-script.js';
import type { ProviderAccess } from './provider-data.js';
import type { LinkedOutcome, LoginContext } from './provider-login.js';
import type { WorldFacts } from './provider.types.js';

/** The actions of tests and demos on a sandbox provider. Source: link-lifecycle 10 and 14. */
export interface SandboxControls {
  /** Makes the bank refuse this permission from now on, as if it had expired. Idempotent. */
  expirePermission(access: ProviderAccess): Promise<void>;
  /**
   * Runs a whole login without a user; every prompt after the password is answered correctly. Fails
   * like a user's login.
   */
  logIn(
    context: LoginContext,
    credentials: { username: string; password: string },
  ): Promise<LinkedOutcome>;
  /**
   * Changes transactions at the bank, all of them or none; a later fetch returns the changes.
   * Accounts are named by the provider's ids.
   */
  runScript(access: ProviderAccess, script: readonly ScriptStep[]): Promise<ScriptOutcome>;
  /** Changes holdings at the bank like `runScript`. Holdings, too, are named by the provider's ids. */
  runHoldingsScript(
    access: ProviderAccess,
    script: readonly HoldingsStep[],
  ): Promise<ChangeOutcome>;
  /** Changes debts at the bank like `runScript`. */
  runLiabilitiesScript(
    access: ProviderAccess,
    script: readonly LiabilityStep[],
  ): Promise<ChangeOutcome>;
  /**
   * Creates a fault at an institution of one world. Repeating a `faultId` repeats the same fault.
   */
  createFault(place: FaultPlace, fault: NewSandboxFault): Promise<SandboxFault>;
  /** Lists the faults that are not used up, oldest first. */
  listFaults(place: FaultPlace): Promise<SandboxFault[]>;
  /** Returns the world of a fault; null = no such fault. */
  worldOfFault(faultId: string, signal: AbortSignal): Promise<string | null>;
  /** Removes a fault. Idempotent. */
  liftFault(faultId: string, signal: AbortSignal): Promise<void>;
  /** Deletes a world with all its customers. Idempotent. */
  forgetWorld(worldId: string, signal: AbortSignal): Promise<void>;
}

export interface FaultPlace extends WorldFacts {
  remoteId: string;
  signal: AbortSignal;
}

/**
 * The transactions a script touched, or the index (from 0) and reason of the step that failed, in
 * which case nothing was changed.
 */
export type ScriptOutcome =
  | { kind: 'done'; rows: { ref: string; providerTransactionId: string; status: ScriptedStatus }[] }
  | { kind: 'impossible'; index: number; reason: string };

/** All steps were carried out, or the one that failed and nothing was changed. */
export type ChangeOutcome = { kind: 'done' } | Extract<ScriptOutcome, { kind: 'impossible' }>;
