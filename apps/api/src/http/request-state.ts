import type { IncomingMessage } from 'node:http';
import type { Tenant } from '../../../../domain/api/environment.js';
import type { SessionRecord } from '../../../../prisma/sessions/session-record.js';
import type { ConnectionOwner } from '../../../../prisma/database/connection-owner.js';
import type { Scope } from '../../../../domain/api/scopes.js';
import type { VersionChange } from './api-versions.js';
import { NO_KEY, type KeyUse } from './key-use.js';

/** Whose access token a request carries. */
export interface Caller extends Tenant {
  clientId: string;
  appName: string;
  scopes: readonly Scope[];
}

/** What is learned about one request while it is checked; later checks and the log line read it. */
export interface RequestState extends ConnectionOwner {
  requestId: string;
  startedAt: number;
  /** The pattern of the route, never the address itself: paths and queries may hold what must not be logged. */
  route: string | null;
  rawBody: Buffer;
  caller: Caller | null;
  /** The Connect session whose token the request carries. */
  session: SessionRecord | null;
  /** The checked values of path, query and body. */
  input: unknown;
  /** What the route's planner resolved. */
  plan: unknown;
  keyUse: KeyUse;
  /** What the version of the caller does not know yet. */
  laterChanges: readonly VersionChange[];
}

const states = new WeakMap<IncomingMessage, RequestState>();

export function beginRequest(request: IncomingMessage, requestId: string): RequestState {
  const state: RequestState = {
    requestId,
    startedAt: performance.now(),
    route: null,
    rawBody: Buffer.alloc(0),
    owner: null,
    caller: null,
    session: null,
    input: {},
    plan: undefined,
    keyUse: NO_KEY,
    laterChanges: [],
  };
  states.set(request, state);
  return state;
}

/** Each environment of an app has limits and connections of its own. */
export function ownerOf({ appId, environment }: Tenant): string {
  return `${environment}/${appId}`;
}

export function stateOf(request: IncomingMessage): RequestState {
  const state = states.get(request);
  if (state === undefined) throw new Error('the request did not pass the entrance');
  return state;
}
