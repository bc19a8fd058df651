import {
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import type { Request } from 'express';
import { map, type Observable } from 'rxjs';
import { stateOf } from '../../http/request-state.js';

/** Adds the request_id to every response. Source: plaid-compat 1.1. */
@Injectable()
export class PlaidAnswer implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { requestId } = stateOf(context.switchToHttp().getRequest<Request>());
    return next
      .handle()
      .pipe(map((answer: object | undefined) => ({ ...answer, request_id: requestId })));
  }
}
