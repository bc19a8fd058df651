import 'reflect-metadata';
import { Module, type DynamicModule, type Type } from '@nestjs/common';
import { MODULE_METADATA } from '@nestjs/common/constants.js';
import type { DatabaseTimeouts } from '../../../../prisma/base/database/database.js';
import { SettingsModule } from '../../../platform/src/config/settings.module.js';
import type { ApiSettings } from '../../../platform/src/config/settings.js';
import { boundsOf } from '../../../platform/src/config/app-bounds.js';
import { DatabaseModule } from '../../../platform/src/database/database.module.js';
import type { Logger } from '../../../platform/src/logging/logger.js';
import { LoggingModule } from '../../../platform/src/logging/logging.module.js';
import { temporalPlace } from '../../../platform/src/temporal/temporal-place.js';
import { TemporalModule } from '../../../platform/src/temporal/temporal.module.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { ConnectModule } from '../connect/connect.module.js';
import { SessionWorkflowsModule } from '../connect/session/session-workflows.module.js';
import type { SessionWorkflows } from '../connect/session/session-workflows.js';
import { ImportsModule } from '../imports/imports.module.js';
import { InstitutionsModule } from '../institutions/institutions.module.js';
import { LinkSessionsModule } from '../link-sessions/link-sessions.module.js';
import { LinksModule } from '../links/links.module.js';
import { OpenApiModule } from '../openapi/openapi.module.js';
import { OperatorModule } from '../operator/operator.module.js';
import { PlaidOverviewController } from '../plaid/overview/overview.controller.js';
import { PLAID_CONTROLLERS } from '../plaid/plaid-controllers.js';
import { PlaidModule } from '../plaid/plaid.module.js';
import { ProviderKeysModule } from '../provider-keys/provider-keys.module.js';
import { ProviderWebhooksModule } from '../provider-webhooks/provider-webhooks.module.js';
import { SandboxModule } from '../sandbox/sandbox.module.js';
import { SimplefinController } from '../simplefin/simplefin.controller.js';
import { SimplefinModule } from '../simplefin/simplefin.module.js';
import { SimplefinTokensModule } from '../simplefin-tokens/simplefin-tokens.module.js';
import { InvestmentsModule } from '../investments/investments.module.js';
import { LiabilitiesModule } from '../liabilities/liabilities.module.js';
import { RecurringModule } from '../recurring/recurring.module.js';
import { TransactionsModule } from '../transactions/transactions.module.js';
import { UsersModule } from '../users/users.module.js';
import { CallLimitsModule } from '../http/call-limits.js';
import { BodyBudgetsModule } from '../http/input/body-budgets.js';
import { StreamTurnsModule } from '../http/stream-turns.js';
import { FailuresModule } from '../http/failures.js';
import { WebhookListenersModule } from '../webhook-listeners/webhook-listeners.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { NotificationsModule } from './notifications.module.js';
import { PipelineModule } from './pipeline.module.js';
import { RepositoriesModule } from './repositories.module.js';
import { StoppingModule } from './stopping.module.js';

export interface ApiParts {
  settings: ApiSettings;
  logger: Logger;
  /** Aborts when the process begins to stop. */
  stopping: AbortSignal;
  /** Aborts when the process announces that it is about to stop. */
  stopAnnounced: AbortSignal;
  /** Used in place of Temporal for session workflows, in tests. */
  workflows?: SessionWorkflows;
  /** By default the migrations of this version. */
  resources?: readonly Type[];
  databaseTimeouts?: Partial<DatabaseTimeouts>;
  /** The time by which calls per minute are counted, held in tests. */
  callClock?: () => number;
}

/** One module for each resource, in the order of the API reference; a new one adds its line here. */
export const RESOURCES: readonly Type[] = [
  AuthModule,
  LinkSessionsModule,
  ImportsModule,
  LinksModule,
  AccountsModule,
  TransactionsModule,
  InvestmentsModule,
  LiabilitiesModule,
  RecurringModule,
  InstitutionsModule,
  UsersModule,
  SimplefinTokensModule,
  ConnectModule,
  WebhooksModule,
  WebhookListenersModule,
  SandboxModule,
  ProviderKeysModule,
  ProviderWebhooksModule,
  OperatorModule,
  OpenApiModule,
];

/** The controllers whose routes the OpenAPI document describes. */
export const CONTROLLERS: readonly Type[] = [
  ...RESOURCES.flatMap(
    (module) => Reflect.getMetadata(MODULE_METADATA.CONTROLLERS, module) as Type[],
  ),
  PlaidOverviewController,
];

/** Those of all APIs. */
export const ALL_CONTROLLERS: readonly Type[] = [
  ...CONTROLLERS,
  ...PLAID_CONTROLLERS,
  SimplefinController,
];

@Module({})
export class ApiModule {
  static with({
    settings,
    logger,
    stopping,
    stopAnnounced,
    workflows,
    resources = RESOURCES,
    databaseTimeouts,
    callClock,
  }: ApiParts): DynamicModule {
    const { databaseUrl, masterKeys } = settings;
    return {
      module: ApiModule,
      imports: [
        SettingsModule.forRoot(settings),
        LoggingModule.forRoot(logger),
        DatabaseModule.forRoot({
          url: databaseUrl,
          name: 'tributary-api',
          maxConnections: settings.apiDatabaseConnections,
          connectionsPerOwner: settings.databaseConnectionsPerApp,
          masterKeys,
          bounds: boundsOf(settings),
          permissionNoticesMs: settings.permissionNotices,
          timeouts: databaseTimeouts,
          logger,
        }),
        TemporalModule.forRoot({ ...temporalPlace(settings), masterKeys }),
        StoppingModule.forRoot(stopping, stopAnnounced),
        RepositoriesModule.forRoot(settings),
        SessionWorkflowsModule.forRoot(workflows),
        FailuresModule,
        BodyBudgetsModule,
        StreamTurnsModule,
        CallLimitsModule,
        PipelineModule,
        NotificationsModule,
        ...resources,
        PlaidModule.forRoot(callClock),
        SimplefinModule,
      ],
    };
  }
}
