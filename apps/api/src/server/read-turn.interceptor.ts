import {
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { defaultIfEmpty, from, lastValueFrom, type Observable } from 'rxjs';
import { ownedBy } from '../http/request-state.js';
import { ROUTE, type RouteOptions } from '../http/route.js';
import { StreamTurns } from '../http/stream-turns.js';

/**
 * Lets an app make one call at a time whose response is built object by object: many at once would leave the process
 * no time for others.
 */
@Injectable()
export class ReadTurnInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly turns: StreamTurns,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const route = this.reflector.get<RouteOptions | undefined>(ROUTE, context.getHandler());
    if (route?.reads?.inTurn !== true) return next.handle();
    const owner = ownedBy(context.switchToHttp().getRequest<Request>());
    return from(
      this.turns.during('read', owner, () =>
        lastValueFrom(next.handle().pipe(defaultIfEmpty<unknown, undefined>(undefined))),
      ),
    );
  }
}
