import { Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR } from '@nestjs/core';
import { AuthModule } from '../auth/auth.module.js';
import { ConnectModule } from '../connect/connect.module.js';
import { RoutesModule } from '../http/routes.module.js';
import { AdmissionGuard } from './admission.guard.js';
import { ErrorFilter } from './error.filter.js';
import { IdempotencyInterceptor } from './idempotency.interceptor.js';
import { NativeChecks } from './native-checks.js';
import { Preparation } from './preparation.js';
import { ReadTurnInterceptor } from './read-turn.interceptor.js';
import { PROTOCOLS } from './protocols.js';
import { VersionInterceptor } from './version.interceptor.js';

/** Applies to every route: the checks before its handler, the interceptors around it and the error responses. */
@Module({
  imports: [AuthModule, ConnectModule, RoutesModule],
  providers: [
    Preparation,
    PROTOCOLS,
    NativeChecks,
    { provide: APP_GUARD, useClass: AdmissionGuard },
    { provide: APP_INTERCEPTOR, useClass: VersionInterceptor },
    { provide: APP_INTERCEPTOR, useClass: IdempotencyInterceptor },
    { provide: APP_INTERCEPTOR, useClass: ReadTurnInterceptor },
    { provide: APP_FILTER, useClass: ErrorFilter },
  ],
})
export class PipelineModule {}
