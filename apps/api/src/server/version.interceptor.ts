import {
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import type { Request } from 'express';
import { map, type Observable } from 'rxjs';
import { stateOf } from '../http/request-state.js';
import { undoAll } from '../http/api-versions.js';

/**
 * Renders responses in the caller's version. Outermost, so that responses stored for an idempotency
 * key are in the newest version.
 */
@Injectable()
export class VersionInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { laterChanges } = stateOf(context.switchToHttp().getRequest<Request>());
    return laterChanges.length === 0
      ? next.handle()
      : next.handle().pipe(map((answer: unknown) => undoAll(laterChanges, answer)));
  }
}
