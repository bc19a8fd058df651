import type { ConnectError, Platform, SdkName } from '@tributary/connect-js/core';
import type { AuthRequest } from './auth-way.js';
import type { FlowOptions, TimerName } from './inputs.js';
import type { Report } from './report.js';

/** What is the same for every flow of an app. */
export interface FlowSetup {
  /** `connectBaseUrl` as `readBaseAddress` returns it. */
  base: string;
  /** As the service records it. */
  platform: Exclude<Platform, 'web'>;
  system: AuthRequest['platform'];
  /** Such as `17.4.1`. */
  system_version: string | null;
  sdk: SdkName;
}

export type StateName = 'idle' | 'loading' | 'open' | 'failed' | 'last_screen';

/** Of one flow; every flow starts with new ones. */
export interface FlowMemory {
  /** As given, or the one that was kept of an earlier flow. */
  readonly linkSessionToken: string | null;
  /** Where the current load continues from; null at `/start`. */
  readonly continueUrl: string | null;
  readonly options: FlowOptions;
  /** Of the first load; those after it add their number. */
  readonly channel: string;
  /** Counted from 1. */
  readonly load: number;
  /** The newest session at a bank. */
  readonly login: { readonly attempt: number; readonly isOpen: boolean };
  /** A return address that was sent and is not acknowledged. */
  readonly pendingReturn: string | null;
  /** States whose return address was taken, those of earlier flows among them. */
  readonly taken: readonly string[];
  /** When the page was loaded again without the user asking for it. */
  readonly reloads: readonly number[];
  readonly timers: readonly TimerName[];
  readonly report: Report;
  /** What the native failure view shows. */
  readonly failure: ConnectError | null;
}

export interface FlowState {
  readonly name: StateName;
  readonly setup: FlowSetup;
  /** The number of the current or last flow; 0 before the first. */
  readonly flow: number;
  /** Null exactly in `idle`. */
  readonly memory: FlowMemory | null;
  /** Rule 11: the token of the newest flow, until its final callback; null without one. */
  readonly keptToken: string | null;
  /** Rule 5: the states of logins whose return a flow took, once that flow has had its final callback. */
  readonly endedReturns: readonly string[];
}

/** The state before the first flow, with what earlier flows of the same process have left. */
export function idleState(
  setup: FlowSetup,
  keptToken: string | null = null,
  endedReturns: readonly string[] = [],
): FlowState {
  return { name: 'idle', setup, flow: 0, memory: null, keptToken, endedReturns };
}
