import { SetMetadata, type Type } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { CheckOf } from './order-of-checks.js';
import type { ProtocolName } from './protocol.js';
import type { RequestState } from './request-state.js';

/** A request that asks for admission to its route. */
export interface Admission<Route> {
  request: Request;
  response: Response;
  route: Route;
  state: RequestState;
}

/** The checks of a protocol; `CHECKS` has their order. */
export interface RequestChecks<P extends ProtocolName, Route> {
  readonly checks: Readonly<
    Record<CheckOf<P>, (admission: Admission<Route>) => void | Promise<void>>
  >;
}

/** A handler whose protocol has checks of its own, instead of those of native-api 1.3. */
export interface OwnAdmission<P extends ProtocolName, Route extends { path: string }> {
  protocol: P;
  checks: Type<RequestChecks<P, Route>>;
  route: Route;
}

export const OWN_ADMISSION = Symbol('own-admission');

export const AdmittedBy = <P extends ProtocolName, Route extends { path: string }>(
  admission: OwnAdmission<P, Route>,
) => SetMetadata(OWN_ADMISSION, admission);
