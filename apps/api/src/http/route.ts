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
import type { ValidationIssue } from '../../../../domain/errors/api-errors.js';
import type { Scope } from '../../../../domain/api/scopes.js';
import type { SessionRecord } from '../../../../prisma/sessions/session-record.js';
import type { VersionChange } from './api-versions.js';
import type { KeyUse } from './key-use.js';
import { stateOf, type Caller } from './request-state.js';

/** The declaration of a route. The checks of native-api 1.3 read nothing else. */
export interface RouteOptions {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  /**
   * `bearer`: an access token; `connect`: the connect_token of a session; `none`: public, or
   * checked by the handler.
   */
  auth: 'bearer' | 'connect' | 'none';
  /** The scope the access token needs; if omitted, any token is accepted. */
  scope?: Scope;
  /** Live key pairs are rejected. Source: native-api 3.9. */
  sandboxOnly?: boolean;
  /**
   * Which errors and versioning apply: `connect` has its own error codes and ignores the version
   * header.
   */
  family?: 'native' | 'connect' | 'operator';
  body?: 'json' | 'form';
  /** Success status. Source: native-api 1.1. */
  status?: 200 | 201 | 202 | 204;
  input?: InputSchemas;
  /** Checks beyond the schemas that depend on the caller's environment or on stored data. */
  check?: Type<ShapeCheck>;
  /** Like `check`; the handler receives the plan as `@CurrentPlan()`. */
  plan?: Type<RequestPlanner<unknown>>;
  /** Accepts an `Idempotency-Key`. Source: native-api 9. */
  idempotent?: boolean;
}

/** A Nest provider that finds issues in values that match their schemas. */
export interface ShapeCheck {
  issuesOf(caller: Caller, input: unknown): ValidationIssue[] | Promise<ValidationIssue[]>;
}

/** A provider of the module; checks values that fit their schemas and resolves what they refer to. */
export interface RequestPlanner<Plan> {
  /** @throws ApiError when something is wrong with the values */
  plan(caller: Caller, input: unknown): Promise<Plan>;
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
/** Marks a handler with its own admission: none of the checks of native-api 1.3 apply. */
export const OWN_ADMISSION = Symbol('own-admission');

const METHODS = {
  GET: RequestMethod.GET,
  POST: RequestMethod.POST,
  PUT: RequestMethod.PUT,
  PATCH: RequestMethod.PATCH,
  DELETE: RequestMethod.DELETE,
} as const;

/** Declares a route: address, authentication, input and success status. */
export function Route(options: RouteOptions): MethodDecorator {
  return applyDecorators(
    SetMetadata(ROUTE, options),
    RequestMapping({ method: METHODS[options.method], path: options.path }),
    HttpCode(options.status ?? 200),
  );
}

/** The parsed query and body, typed as `InputOf<typeof …>` of the schemas the route declares. */
export const Input = createParamDecorator(
  (_: unknown, context: ExecutionContext) =>
    stateOf(context.switchToHttp().getRequest<Request>()).input,
);

/** What the request refers to; only on routes with a `plan`. */
export const CurrentPlan = createParamDecorator(
  (_: unknown, context: ExecutionContext) =>
    stateOf(context.switchToHttp().getRequest<Request>()).plan,
);

/** The client identified by the access token; only on routes with `auth: 'bearer'`. */
export const CurrentCaller = createParamDecorator(
  (_: unknown, context: ExecutionContext): Caller => {
    const { caller } = stateOf(context.switchToHttp().getRequest<Request>());
    if (caller === null) throw new Error('this route does not authenticate');
    return caller;
  },
);

/** The changes newer than the caller's version, for a handler that makes them itself. */
export const LaterChanges = createParamDecorator(
  (_: unknown, context: ExecutionContext): readonly VersionChange[] =>
    stateOf(context.switchToHttp().getRequest<Request>()).laterChanges,
);

/** The session identified by the connect_token; only on routes with `auth: 'connect'`. */
export const CurrentSession = createParamDecorator(
  (_: unknown, context: ExecutionContext): SessionRecord => {
    const { session } = stateOf(context.switchToHttp().getRequest<Request>());
    if (session === null) throw new Error('this route does not authenticate');
    return session;
  },
);

/**
 * This request's use of an idempotency key; a handler with `idempotent: true` stores its outcome
 * with it.
 */
export const CurrentKeyUse = createParamDecorator(
  (_: unknown, context: ExecutionContext): KeyUse =>
    stateOf(context.switchToHttp().getRequest<Request>()).keyUse,
);
