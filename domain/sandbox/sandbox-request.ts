import type { PresentedFault, FaultKind, FaultOperation } from './sandbox-fault.js';
import type { ScriptedStatus, ScriptStep } from './sandbox-script.js';

/** What a call of /sandbox/… wants done at a pretend source. Source: link-lifecycle 14. */
export type SandboxWish =
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
  | { kind: 'expire_permission'; linkId: string };

/** What came of it. */
export type SandboxAnswer =
  | { kind: 'fault'; fault: PresentedFault }
  | { kind: 'faults'; faults: PresentedFault[] }
  | {
      kind: 'script';
      rows: { ref: string; providerTransactionId: string; status: ScriptedStatus }[];
    }
  | { kind: 'script_failed'; index: number; reason: string }
  | { kind: 'done' }
  /** There is no such fault, or the link has no permission any more. */
  | { kind: 'not_found' }
  /** The institution is not one of a source that takes part in this. */
  | { kind: 'not_possible' };

/** Under which name the sign-in of a login without a person is sealed in its session. */
export const SEALED_SIGN_IN = 'sign-in';
