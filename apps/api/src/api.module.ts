import { Module, type DynamicModule } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, DiscoveryModule } from '@nestjs/core';
import type { Context } from '../../../prisma/context.js';
import { LoggingModule } from '../../platform/src/logging/logging.module.js';
import type { Logger } from '../../platform/src/logging/logger.js';
import { SettingsModule } from '../../platform/src/config/settings.module.js';
import type { ApiSettings } from '../../platform/src/config/settings.js';
import type { HealthCheck } from '../../platform/src/health/health-check.js';
import { Authenticator } from './auth/authenticator.js';
import { TokenIssuer } from './auth/issue-token.js';
import { TokenController } from './auth/token.controller.js';
import { ConnectController } from './connect/connect.controller.js';
import { ConnectLimits } from './connect/connect-limits.js';
import { ExitSession } from './connect/exit-session.js';
import { FinishSession } from './connect/finish-session.js';
import { OpenSession } from './connect/open-session.js';
import { PollSession } from './connect/poll-session.js';
import { SessionAuthenticator } from './connect/session-authenticator.js';
import { SessionNotifications } from './connect/session-notifications.js';
import { SessionViews } from './connect/session-views.js';
import type { SessionWorkflows } from './connect/session-workflows.js';
import { SESSION_WORKFLOWS } from './connect/session-workflows.token.js';
import { SubmitStep } from './connect/submit-step.js';
import { AdmissionGuard } from './http/admission.guard.js';
import { ErrorFilter } from './http/error.filter.js';
import { RequestChecks } from './http/request-checks.js';
import { RouteTable } from './http/route-table.js';
import { AvatarController } from './institutions/avatar.controller.js';
import { KeySetController } from './keys/key-set.controller.js';
import { CreateLinkSession } from './link-sessions/create-link-session.js';
import { LinkSessionController } from './link-sessions/link-session.controller.js';
import { LinkAccess } from './links/link-access.js';
import { LinkController } from './links/link.controller.js';
import { HEALTH_CHECKS, HealthController } from './operator/health.controller.js';
import { AccountsController } from './reads/accounts.controller.js';
import { TransactionsController } from './reads/transactions.controller.js';
import { repositoriesOf } from './repositories.js';
import { STOPPING } from './stopping.js';

/** What the API is given by whoever starts it. */
export interface ApiParts {
  settings: ApiSettings;
  logger: Logger;
  context: Context;
  workflows: SessionWorkflows;
  notifications: SessionNotifications;
  checks: readonly HealthCheck[];
  stopping: AbortSignal;
}

const CONTROLLERS = [
  TokenController, KeySetController, LinkSessionController, LinkController, AccountsController, TransactionsController, AvatarController, ConnectController, HealthController,
];
const SERVICES = [
  Authenticator, TokenIssuer, CreateLinkSession, LinkAccess,
  SessionAuthenticator, SessionViews, ConnectLimits, OpenSession, PollSession, SubmitStep, FinishSession, ExitSession,
  RouteTable, RequestChecks,
];

@Module({})
export class ApiModule {
  static with({ settings, logger, context, workflows, notifications, checks, stopping }: ApiParts): DynamicModule {
    return {
      module: ApiModule,
      imports: [SettingsModule.forRoot(settings), LoggingModule.forRoot(logger), DiscoveryModule],
      controllers: CONTROLLERS,
      providers: [
        ...repositoriesOf(context, settings),
        ...SERVICES,
        { provide: SESSION_WORKFLOWS, useValue: workflows },
        { provide: SessionNotifications, useValue: notifications },
        { provide: HEALTH_CHECKS, useValue: checks },
        { provide: STOPPING, useValue: stopping },
        { provide: APP_GUARD, useClass: AdmissionGuard },
        { provide: APP_FILTER, useClass: ErrorFilter },
      ],
    };
  }
}
