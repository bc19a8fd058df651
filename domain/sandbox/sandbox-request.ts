import type { HoldingsStep, LiabilityStep } from './investment-script.js';
import type { PresentedFault, FaultKind, FaultOperation } from './sandbox-fault.js';
import type { ScriptedStatus, ScriptStep } from './sandbox-script.js';

/** A command of /sandbox/… to a sandbox provider. Source: link-lifecycle 14. */
export type SandboxCommand =
  | {
      kind: 'create_fault';
      institutionId: string;
      worldId: string;
      fault: {
        operation: FaultOperation;
        kind: FaultKind;
        count: number | null;
        delaySeconds: number;
        retryAfterSeconds: number | null;
      };
    }
  | { kind: 'list_faults'; institutionId: string; worldIds: readonly string[] }
  | { kind: 'lift_fault'; faultId: string }
  | { kind: 'run_script'; linkId: string; script: readonly ScriptStep[] }
  | { kind: 'run_holdings_script'; linkId: string; script: readonly HoldingsStep[] }
  | { kind: 'run_liabilities_script'; linkId: string; script: readonly LiabilityStep[] }
  | { kind: 'expire_permission'; linkId: string };

/** The result of a command. */
export type SandboxResult =
  | { kind: 'fault'; fault: PresentedFault }
  | { kind: 'faults'; faults: PresentedFault[] }
  | {
      kind: 'script';
      rows: { ref: string; providerTransactionId: string; status: ScriptedStatus }[];
    }
  | { kind: 'script_failed'; index: number; reason: string }
  | { kind: 'done' }
  /** There is no such fault, or the link no longer has a permission. */
  | { kind: 'not_found' }
  /** The institution does not belong to a sandbox provider that supports this. */
  | { kind: 'not_possible' };

/** The name under which a session seals the credentials of a login without a user. */
export const SEALED_SIGN_IN = 'sign-in';
