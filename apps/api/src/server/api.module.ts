import { Module, type DynamicModule } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, DiscoveryModule } from '@nestjs/core';
import { ChannelListener } from '../../../../prisma/database/channel-listener.js';
import type { Context } from '../../../../prisma/context.js';
import {
  CLIENT_CHANGED,
  TOKENS_REMEMBERED_MS,
} from '../../../../prisma/applications/application.repository.js';
import { SessionLocks } from '../../../../prisma/database/session-locks.js';
import {
  DATABASE_CONTEXT,
  DatabaseModule,
} from '../../../platform/src/database/database.module.js';
import { LoggingModule } from '../../../platform/src/logging/logging.module.js';
import type { Logger } from '../../../platform/src/logging/logger.js';
import { SettingsModule } from '../../../platform/src/config/settings.module.js';
import type { ApiSettings } from '../../../platform/src/config/settings.js';
import type { HealthCheck } from '../../../platform/src/process/health-check.js';
import type { TemporalClient } from '../../../platform/src/temporal/temporal-client.js';
import { TEMPORAL_CLIENT, TemporalModule } from '../../../platform/src/temporal/temporal.module.js';
import { Authenticator } from '../auth/authenticator.js';
import { TokenCache } from '../auth/token-cache.js';
import { TokenIssuer } from '../auth/issue-token.js';
import { TokenController } from '../auth/token.controller.js';
import { ClientVerifier } from '../auth/verify-client.js';
import { PlaidOverviewController } from '../plaid/overview/overview.controller.js';
import { PLAID_CONTROLLERS, PLAID_SERVICES } from '../plaid/plaid.parts.js';
import { ConnectController } from '../connect/connect.controller.js';
import { ConnectLimits } from '../connect/connect-limits.js';
import { ExitSession } from '../connect/exit-session.js';
import { ExtendSession } from '../connect/extend-session.js';
import { FinishSession } from '../connect/finish-session.js';
import { CallbackController } from '../connect/oauth/callback.controller.js';
import { OAuthController } from '../connect/oauth/oauth.controller.js';
import { ResumeSession } from '../connect/oauth/resume-session.js';
import { ReturnFromBank } from '../connect/oauth/return-from-bank.js';
import { StartRedirect } from '../connect/oauth/start-redirect.js';
import { OpenSession } from '../connect/open-session.js';
import { PollSession } from '../connect/poll-session.js';
import { SessionAuthenticator } from '../connect/session/session-authenticator.js';
import { SessionNotifications } from '../connect/session/session-notifications.js';
import { SessionViews } from '../connect/session/session-views.js';
import {
  TemporalSessionWorkflows,
  type SessionWorkflows,
} from '../connect/session/session-workflows.js';
import { SESSION_WORKFLOWS } from '../connect/session/session-workflows.token.js';
import { StepAnswers } from '../connect/session/step-answers.js';
import { SubmitStep } from '../connect/submit-step.js';
import { AdmissionGuard } from './admission.guard.js';
import { ErrorFilter } from './error.filter.js';
import { IdempotencyInterceptor } from './idempotency.interceptor.js';
import { RequestChecks } from './request-checks.js';
import { RouteTable } from '../http/route-table.js';
import { CheckImport } from '../imports/check-import.js';
import { ImportController } from '../imports/import.controller.js';
import { ImportLinks } from '../imports/import-links.js';
import { AvatarController } from '../institutions/avatar.controller.js';
import { FindInstitutions } from '../institutions/find-institutions.js';
import { InstitutionController } from '../institutions/institution.controller.js';
import { KeySetController } from '../webhooks/key-set.controller.js';
import { CheckLinkSession } from '../link-sessions/check-link-session.js';
import { CreateLinkSession } from '../link-sessions/create-link-session.js';
import { LinkSessionController } from '../link-sessions/link-session.controller.js';
import { SessionInstitution } from '../link-sessions/session-institution.js';
import { ChangeLink } from '../links/change-link.js';
import { CheckUpdateLink } from '../links/check-update-link.js';
import { LinkAccess } from '../links/link-access.js';
import { LinkController } from '../links/link.controller.js';
import { RefreshProductsController } from '../links/refresh-products.controller.js';
import { RefreshProducts } from '../links/refresh-products.js';
import { OpenApiController } from '../openapi/openapi.controller.js';
import { HEALTH_CHECKS, HealthController } from '../operator/health.controller.js';
import { AccountsController } from '../accounts/accounts.controller.js';
import { TransactionsController } from '../transactions/transactions.controller.js';
import { repositories } from './repositories.js';
import { AskPretendSource } from '../sandbox/send-sandbox-command.js';
import { CreateSandboxLink } from '../sandbox/create-sandbox-link.js';
import { ExpireAuth } from '../sandbox/expire-auth.js';
import { FaultController } from '../sandbox/fault.controller.js';
import { FindWorld } from '../sandbox/find-world.js';
import { RunScript } from '../sandbox/run-sandbox-script.js';
import { SandboxLinkController } from '../sandbox/sandbox-link.controller.js';
import { TemporalSandboxWorkflows } from '../sandbox/sandbox-workflows.js';
import { SANDBOX_WORKFLOWS } from '../sandbox/sandbox-workflows.token.js';
import { UntilFetched } from '../sandbox/wait-for-fetches.js';
import { WorldController } from '../sandbox/world.controller.js';
import { VersionInterceptor } from './version.interceptor.js';
import { EraseUser } from '../users/erase-user.js';
import { ExportUser } from '../users/export-user.js';
import { UserLinks } from '../users/user-links.js';
import { UsersController } from '../users/users.controller.js';
import { STOPPING } from '../http/stopping.js';
import { SendTestEvent } from '../webhooks/send-test-event.js';
import { WebhookEventController } from '../webhooks/webhook-event.controller.js';
import { WebhookTestController } from '../webhooks/webhook-test.controller.js';

export interface ApiParts {
  settings: ApiSettings;
  logger: Logger;
  /** Fires when the process begins to stop. */
  stopping: AbortSignal;
  /** Stands in for the workflows of sessions, in tests. */
  workflows?: SessionWorkflows;
}

/** Requests take a connection for a moment; one listens and one holds locks all the time. */
const DATABASE_CONNECTIONS = 20;
/** A step answers within the soft reply; what is still open then is answered with the step as it is. */
const REPLY_MARGIN_MS = 5_000;

export const CONTROLLERS = [
  TokenController,
  KeySetController,
  LinkSessionController,
  ImportController,
  LinkController,
  RefreshProductsController,
  AccountsController,
  TransactionsController,
  AvatarController,
  InstitutionController,
  UsersController,
  ConnectController,
  OAuthController,
  CallbackController,
  WebhookEventController,
  WebhookTestController,
  SandboxLinkController,
  FaultController,
  WorldController,
  HealthController,
  OpenApiController,
  PlaidOverviewController,
];
const SERVICES = [
  Authenticator,
  ClientVerifier,
  TokenIssuer,
  SessionInstitution,
  CheckLinkSession,
  CreateLinkSession,
  LinkAccess,
  CheckUpdateLink,
  ChangeLink,
  RefreshProducts,
  CheckImport,
  ImportLinks,
  SessionAuthenticator,
  SessionNotifications,
  SessionViews,
  ConnectLimits,
  OpenSession,
  PollSession,
  StepAnswers,
  SubmitStep,
  ExtendSession,
  FinishSession,
  ExitSession,
  StartRedirect,
  ReturnFromBank,
  ResumeSession,
  AskPretendSource,
  FindWorld,
  UntilFetched,
  CreateSandboxLink,
  RunScript,
  ExpireAuth,
  SendTestEvent,
  UserLinks,
  EraseUser,
  ExportUser,
  RouteTable,
  RequestChecks,
  FindInstitutions,
  ...PLAID_SERVICES,
];

@Module({})
export class ApiModule {
  static with({ settings, logger, stopping, workflows }: ApiParts): DynamicModule {
    const { databaseUrl, masterKeys, temporalAddress, temporalNamespace } = settings;
    return {
      module: ApiModule,
      imports: [
        SettingsModule.forRoot(settings),
        LoggingModule.forRoot(logger),
        DatabaseModule.forRoot({
          url: databaseUrl,
          name: 'tributary-api',
          maxConnections: DATABASE_CONNECTIONS,
          connectionsPerOwner: settings.databaseConnectionsPerApp,
          masterKeys,
          logger,
        }),
        TemporalModule.forRoot({
          address: temporalAddress,
          namespace: temporalNamespace,
          masterKeys,
        }),
        DiscoveryModule,
      ],
      controllers: [...CONTROLLERS, ...PLAID_CONTROLLERS],
      providers: [
        ...repositories(settings),
        ...SERVICES,
        { provide: STOPPING, useValue: stopping },
        {
          provide: TokenCache,
          useFactory: () => new TokenCache({ lifetimeMs: TOKENS_REMEMBERED_MS, maxEntries: 5_000 }),
        },
        {
          provide: ChannelListener,
          inject: [DATABASE_CONTEXT, SessionNotifications, TokenCache],
          useFactory: channelListener(logger),
        },
        {
          provide: SessionLocks,
          inject: [DATABASE_CONTEXT],
          useFactory: ({ database: { pool } }: Context) => new SessionLocks(pool),
        },
        {
          provide: HEALTH_CHECKS,
          inject: [DATABASE_CONTEXT, TEMPORAL_CLIENT],
          useFactory: healthChecks,
        },
        {
          provide: SESSION_WORKFLOWS,
          inject: [TEMPORAL_CLIENT],
          useFactory: (temporal: TemporalClient) =>
            workflows ??
            new TemporalSessionWorkflows({
              temporal,
              softReplyMs: settings.connectSoftReply,
              deadlineMs: settings.connectSoftReply + REPLY_MARGIN_MS,
              stopping,
            }),
        },
        {
          provide: SANDBOX_WORKFLOWS,
          inject: [TEMPORAL_CLIENT],
          useFactory: (temporal: TemporalClient) =>
            new TemporalSandboxWorkflows({ temporal, stopping }),
        },
        { provide: APP_GUARD, useClass: AdmissionGuard },
        { provide: APP_INTERCEPTOR, useClass: VersionInterceptor },
        { provide: APP_INTERCEPTOR, useClass: IdempotencyInterceptor },
        { provide: APP_FILTER, useClass: ErrorFilter },
      ],
    };
  }
}

/** What other processes announce to this one, over one connection. */
function channelListener(logger: Logger) {
  return ({ database: { pool } }: Context, sessions: SessionNotifications, tokens: TokenCache) =>
    new ChannelListener({
      pool,
      on: {
        link_session: (sessionId) => sessions.changed(sessionId),
        client_changed: () => tokens.clear(),
      },
      confirms: CLIENT_CHANGED,
      onListening: () => tokens.resume(),
      onLost: () => tokens.pause(),
      onError: (err) => logger.warn({ err }, 'database.listening_failed'),
    });
}

/** Without Temporal tokens, sessions, exchange and reads go on: the API is not unready, only degraded. */
function healthChecks({ database }: Context, temporal: TemporalClient): HealthCheck[] {
  return [
    { part: 'database', critical: true, check: () => database.ping() },
    {
      part: 'temporal',
      critical: false,
      check: async () => {
        if (!(await temporal.isAvailable())) throw new Error('not reachable');
      },
    },
  ];
}
