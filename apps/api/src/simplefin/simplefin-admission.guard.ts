import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { refuseDeclaredSize } from '../http/input/read-body.js';
import { stateOf } from '../http/request-state.js';

export const SIMPLEFIN_PATH = Symbol('simplefin-path');

/** No call of the protocol has a body; clients that send a small one are not refused. */
const MAX_BODY_BYTES = 8_192;

/** Names the route in logs by its pattern, since a claim address is a secret. */
@Injectable()
export class SimplefinAdmission implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    stateOf(request).route = this.reflector.get<string>(SIMPLEFIN_PATH, context.getHandler());
    refuseDeclaredSize(request, MAX_BODY_BYTES);
    return true;
  }
}
