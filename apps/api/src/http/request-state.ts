import type { IncomingMessage } from 'node:http';
import type { Response } from 'express';
import type { Tenant } from '../../../../domain/api/environment.js';
import type { SessionRecord } from '../../../../prisma/links/sessions/session-record.js';
import type { WorkOrigin } from '../../../../prisma/base/database/work-origin.js';
import type { Scope } from '../../../../domain/api/scopes.js';
import type { VersionChange } from './api-versions.js';
import { NO_KEY, type KeyUse } from './key-use.js';

/** The client identified by a request's access token. */
export interface Caller extends Tenant {
  clientId: string;
  appName: string;
  scopes: readonly Scope[];
  /** Of a call with a token: the end of its key pair, null = none. */
  clientEndsAt?: Date | null;
}

/** One request, in the limit of anonymous requests of its address. */
export interface AnonymousCall {
  /** Seconds until its address has a call left; 0 = one was granted. */
  readonly waitSeconds: number;
  /**
   * Checks a credential of the request; a right one takes the request out of the limit.
   * @param credential null = there is none
   * @param check throws, or resolves to null, when it is wrong
   * @throws ApiError, before the check, when the address has no call left and the credential has not proved right before
   */
  authenticate<T>(credential: string | null, check: () => Promise<T>): Promise<T>;
}

const UNLIMITED: AnonymousCall = { waitSeconds: 0, authenticate: (_, check) => check() };

/** Results of the checks of a request, for later checks and the log line. */
export interface RequestState extends WorkOrigin {
  requestId: string;
  /** 32 hexadecimal digits: from the caller's `traceparent`, or created for this request. */
  traceId: string;
  startedAt: number;
  /**
   * The pattern of the route, never the address itself: paths and queries may contain what must not
   * be logged.
   */
  route: string | null;
  rawBody: Buffer;
  anonymous: AnonymousCall;
  /** Holds the memory of the response, once its size is known. @throws ApiError */
  holdResponse: (response: Response, bytes: number) => void;
  caller: Caller | null;
  /** The Connect session identified by the request's token. */
  session: SessionRecord | null;
  /** The parsed path, query and body. */
  input: unknown;
  /** The result of the route's `check`. */
  checkResult: unknown;
  keyUse: KeyUse;
  /** Changes newer than the caller's version. */
  laterChanges: readonly VersionChange[];
}

const states = new WeakMap<IncomingMessage, RequestState>();

export function beginRequest(
  request: IncomingMessage,
  { requestId, traceId }: Pick<RequestState, 'requestId' | 'traceId'>,
): RequestState {
  const state: RequestState = {
    requestId,
    traceId,
    startedAt: performance.now(),
    route: null,
    rawBody: Buffer.alloc(0),
    anonymous: UNLIMITED,
    holdResponse: () => undefined,
    owner: null,
    caller: null,
    session: null,
    input: {},
    checkResult: undefined,
    keyUse: NO_KEY,
    laterChanges: [],
  };
  states.set(request, state);
  return state;
}

/** Each environment of an app has its own limits and connections, and so has the console at it. */
export function ownerOf({ appId, environment, isConsole = false }: Tenant): string {
  return `${isConsole ? 'console ' : ''}${environment}/${appId}`;
}

/** The owner of a request that has been authenticated. */
export function ownedBy(request: IncomingMessage): string {
  const { owner } = stateOf(request);
  if (owner === null) throw new Error('this request has no owner yet');
  return owner;
}

export function stateOf(request: IncomingMessage): RequestState {
  const state = states.get(request);
  if (state === undefined) throw new Error('the request bypassed the entrance');
  return state;
}
