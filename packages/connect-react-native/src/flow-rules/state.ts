import type { ConnectError, Platform, SdkName } from '@tributary/connect-js/core';
import type { AuthRequest } from './auth-way.js';
import type { FlowOptions, TimerName } from './inputs.js';
import type { Report } from './report.js';

/** The settings that all flows of an app share. */
export interface FlowSetup {
  /** `connectBaseUrl` as `readBaseAddress` returns it. */
  base: string;
  /** The name and version that the service records. */
  platform: Exclude<Platform, 'web'>;
  system: AuthRequest['platform'];
  /** Such as `17.4.1`. */
  system_version: string | null;
  sdk: SdkName;
}

export type StateName = 'idle' | 'loading' | 'open' | 'failed' | 'last_screen';

/** The state of one flow; every flow starts with a new one. */
export interface FlowMemory {
  /** The given token, or the kept one of an earlier flow. */
  readonly linkSessionToken: string | null;
  /** The return address of the current load; null at `/start`. */
  readonly continueUrl: string | null;
  readonly options: FlowOptions;
  /** Of the first load; those after it add their number. */
  readonly channel: string;
  /** Counted from 1. */
  readonly load: number;
  /** The newest session at a bank. */
  readonly login: { readonly attempt: number; readonly isOpen: boolean };
  /** `state_hash` of the logins that this flow has opened. */
  readonly stateHashes: readonly string[];
  /** A return address that was sent and is not acknowledged. */
  readonly pendingReturn: string | null;
  /** States whose return address was processed, including those of earlier flows. */
  readonly taken: readonly string[];
  /** Times of automatic reloads of the page. */
  readonly reloads: readonly number[];
  readonly timers: readonly TimerName[];
  readonly report: Report;
  /** The error in the native failure view. */
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
  /** Rule 5: the states of logins whose return a flow processed, once its final callback was called. */
  readonly endedReturns: readonly string[];
}

/** The state before the first flow, with the kept state of earlier flows of the same process. */
export function idleState(
  setup: FlowSetup,
  keptToken: string | null = null,
  endedReturns: readonly string[] = [],
): FlowState {
  return { name: 'idle', setup, flow: 0, memory: null, keptToken, endedReturns };
}
