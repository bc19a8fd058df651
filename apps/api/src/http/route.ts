import {
  applyDecorators,
  createParamDecorator,
  HttpCode,
  RequestMapping,
  RequestMethod,
  SetMetadata,
  type ExecutionContext,
  type Type,
} from '@nestjs/common';
import type { Request } from 'express';
import type { z } from 'zod';
import type { Scope } from '../../../../domain/api/scopes.js';
import type { VersionChange } from './api-versions.js';
import type { InputLimits } from './input/input-limits.js';
import type { ReadBound } from './read-bound.js';
import type { RouteDocs } from './route-docs.js';
import { stateOf, type Caller, type RequestState } from './request-state.js';

const METHODS = {
  GET: RequestMethod.GET,
  POST: RequestMethod.POST,
  PUT: RequestMethod.PUT,
  PATCH: RequestMethod.PATCH,
  DELETE: RequestMethod.DELETE,
} as const;
type Method = keyof typeof METHODS;

/**
 * The callers of a call. One with an access token, which is the default, names the scope that the token needs, so that
 * a call without one does not compile.
 */
type AccessDeclaration =
  | {
      auth?: 'bearer';
      /** Null = any token is accepted; of several scopes, each suffices. */
      scope: Scope | readonly Scope[] | null;
      /** Live key pairs are rejected. Source: native-api 3.9. */
      sandboxOnly?: boolean;
    }
  | {
      /**
       * `connect`: the connect_token of a session; `handler`: a credential that the handler checks by `authenticate`
       * of the request's `anonymous`; `none`: public.
       */
      auth: 'connect' | 'handler' | 'none';
      scope?: never;
      sandboxOnly?: never;
    };

/** The declarations of a route besides its call and who may make it. */
interface CallDeclaration {
  /** Its entry in the API reference: in `<controller>.docs.ts` beside the controller. */
  docs: RouteDocs;
  /**
   * The kind of errors and versioning: `connect`, the default of its auth, has its own error codes
   * and ignores the version header.
   */
  family?: 'native' | 'connect' | 'operator';
  /**
   * `json` by default, if the input has a body. `raw`: any media type; the handler finds the bytes in
   * the state of the request.
   */
  body?: 'json' | 'form' | 'raw';
  /** Success status. Source: native-api 1.1. */
  status?: 200 | 201 | 202 | 204;
  input?: InputSchemas;
  /** The bound of a call that reads. */
  reads?: ReadBound;
  /** Size limits of its input that differ from the defaults. Source: native-api 1.4. */
  limits?: Partial<InputLimits>;
  /**
   * Checks beyond the schemas that depend on the caller's environment or on stored data. The handler receives their
   * result as `@CheckResult()`.
   */
  check?: Type<RequestCheck<unknown>>;
  /** Accepts an `Idempotency-Key`. Source: native-api 9. */
  idempotent?: boolean;
}

type RouteDeclaration = CallDeclaration & AccessDeclaration;

/** Every call with GET declares what bounds it, so that a read without a bound does not compile. */
type ReadDeclaration = RouteDeclaration & { reads: ReadBound };

/** The part of a route that the checks of native-api 1.3 read. */
export interface RouteOptions extends CallDeclaration {
  method: Method;
  path: string;
  auth: NonNullable<AccessDeclaration['auth']>;
  /** Each suffices, the one that permits least first; null = any token is accepted. */
  scopes: readonly Scope[] | null;
  sandboxOnly: boolean;
  family: NonNullable<CallDeclaration['family']>;
}

/** A Nest provider that checks values that match their schemas, and may resolve their references. */
export interface RequestCheck<Result = void> {
  /** @throws ApiError with all issues of the values */
  check(caller: Caller, input: unknown): Result | Promise<Result>;
}

export interface InputSchemas {
  query?: z.ZodType;
  body?: z.ZodType;
}

export type InputOf<S extends InputSchemas> = {
  query: S['query'] extends z.ZodType ? z.output<S['query']> : undefined;
  body: S['body'] extends z.ZodType ? z.output<S['body']> : undefined;
};

export const ROUTE = Symbol('route');

/** Declares a route, as in `@Route('GET /links/:id', { docs: linkDocs.show, scope: 'links:read' })`. */
export function Route<Call extends `${Method} /${string}`>(
  call: Call,
  declaration: Call extends `GET ${string}` ? ReadDeclaration : RouteDeclaration,
): MethodDecorator {
  const [method, path] = call.split(' ') as [Method, string];
  const { auth = 'bearer', input, status = 200, scope = null, ...others } = declaration;
  const options: RouteOptions = {
    method,
    path,
    auth,
    status,
    scopes: scope === null ? null : [scope].flat(),
    sandboxOnly: false,
    family: auth === 'connect' ? 'connect' : 'native',
    ...(input === undefined ? {} : { input }),
    ...(input?.body === undefined ? {} : { body: 'json' }),
    ...others,
  };
  return applyDecorators(
    SetMetadata(ROUTE, options),
    RequestMapping({ method: METHODS[method], path }),
    HttpCode(status),
  );
}

/** A parameter of a handler, taken from the state of its request. */
const fromState = <T>(read: (state: RequestState) => T) =>
  createParamDecorator((_: unknown, context: ExecutionContext): T =>
    read(stateOf(context.switchToHttp().getRequest<Request>())),
  );

function authenticated<T>(found: T | null): T {
  if (found === null) throw new Error('this route does not authenticate');
  return found;
}

/** The parsed query and body, typed as `InputOf<typeof …>` of the schemas the route declares. */
export const Input = fromState(({ input }) => input);

/** Number of bytes in the body. */
export const BodyBytes = fromState(({ rawBody }) => rawBody.length);

/** The result of the route's `check`. */
export const CheckResult = fromState(({ checkResult }) => checkResult);

/** The client identified by the access token; only on routes with `auth: 'bearer'`. */
export const CurrentCaller = fromState(({ caller }) => authenticated(caller));

/** The changes newer than the caller's version, for a handler that applies them itself. */
export const LaterChanges = fromState(({ laterChanges }): readonly VersionChange[] => laterChanges);

/** The session identified by the connect_token; only on routes with `auth: 'connect'`. */
export const CurrentSession = fromState(({ session }) => authenticated(session));

/**
 * This request's use of an idempotency key; a handler with `idempotent: true` stores its outcome
 * with it.
 */
export const CurrentKeyUse = fromState(({ keyUse }) => keyUse);
