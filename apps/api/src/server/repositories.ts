import type { FactoryProvider } from '@nestjs/common';
import type { Context } from '../../../../prisma/base/context.js';
import { AccessTokenRepository } from '../../../../prisma/tenants/applications/access-token.repository.js';
import { AccountRepository } from '../../../../prisma/links/accounts/account.repository.js';
import { ApplicationRepository } from '../../../../prisma/tenants/applications/application.repository.js';
import { AppUseRepository } from '../../../../prisma/tenants/usage/app-use.repository.js';
import { ChangeLogRepository } from '../../../../prisma/links/transactions/change-log.repository.js';
import { ClientSecretRepository } from '../../../../prisma/tenants/applications/client-secret.repository.js';
import { CursorKeys } from '../../../../prisma/base/keys/cursor-key.repository.js';
import { ExchangeRepository } from '../../../../prisma/work/linking/exchange.repository.js';
import { IdempotencyRepository } from '../../../../prisma/tenants/applications/idempotency.repository.js';
import { ImportRepository } from '../../../../prisma/links/transactions/import.repository.js';
import { InstitutionRepository } from '../../../../prisma/sources/institutions/institution.repository.js';
import { ItemWebhookRepository } from '../../../../prisma/views/plaid/item-webhook.repository.js';
import { ItemRepository } from '../../../../prisma/views/plaid/item.repository.js';
import { LiabilityRepository } from '../../../../prisma/links/liabilities/liability.repository.js';
import { ListenedEvents } from '../../../../prisma/announcements/webhook-listeners/listened-events.js';
import { ListenedReportRepository } from '../../../../prisma/announcements/webhook-listeners/listened-report.repository.js';
import { LinkSessionReader } from '../../../../prisma/links/sessions/link-session-reader.js';
import { LinkSessionRepository } from '../../../../prisma/links/sessions/link-session.repository.js';
import { LinkRepository } from '../../../../prisma/links/link/link.repository.js';
import { OAuthReturnRepository } from '../../../../prisma/links/sessions/oauth-return.repository.js';
import { OAuthStateRepository } from '../../../../prisma/links/sessions/oauth-state.repository.js';
import { PlaidInvestmentsRepository } from '../../../../prisma/views/plaid/plaid-investments.repository.js';
import { PlaidWebhookKeys } from '../../../../prisma/views/plaid/plaid-webhook-keys.js';
import { PlaidSessionRepository } from '../../../../prisma/views/plaid/plaid-session.repository.js';
import { ProductRequestRepository } from '../../../../prisma/work/refresh/product-request.repository.js';
import { ProviderConfigurationRepository } from '../../../../prisma/work/providers/provider-configuration.repository.js';
import { ProviderWebhookInbox } from '../../../../prisma/work/provider-webhooks/provider-webhook-inbox.js';
import { HoldingRepository } from '../../../../prisma/links/investments/holding.repository.js';
import { RecurringSearchRepository } from '../../../../prisma/links/recurring/recurring-search.repository.js';
import { SandboxLinkRepository } from '../../../../prisma/work/sandbox/sandbox-link.repository.js';
import { SandboxRequestRepository } from '../../../../prisma/work/sandbox/sandbox-request.repository.js';
import { SimplefinHoldingRepository } from '../../../../prisma/views/simplefin/simplefin-holding.repository.js';
import { SimplefinRowRepository } from '../../../../prisma/views/simplefin/simplefin-row.repository.js';
import { SimplefinTokenRepository } from '../../../../prisma/views/simplefin/simplefin-token.repository.js';
import { SigningKeys } from '../../../../prisma/base/keys/signing-key.repository.js';
import { TokenCallLimit } from '../../../../prisma/tenants/applications/token-call-limit.js';
import { TradeReader } from '../../../../prisma/links/investments/trade-reader.js';
import { TransactionReader } from '../../../../prisma/links/transactions/transaction-reader.js';
import { UserDataRepository } from '../../../../prisma/views/users/user-data.repository.js';
import { UserErasureRepository } from '../../../../prisma/views/users/user-erasure.repository.js';
import { ExportData } from '../../../../prisma/views/exports/export-data.js';
import { WebhookListenerRepository } from '../../../../prisma/announcements/webhook-listeners/webhook-listener.repository.js';
import { WebhookLogRepository } from '../../../../prisma/announcements/webhook-log/webhook-log.repository.js';
import { WebhookReplayRepository } from '../../../../prisma/announcements/webhook-log/webhook-replay.repository.js';
import { WebhookTestRepository } from '../../../../prisma/links/link/webhook-test.repository.js';
import { WorldRepository } from '../../../../prisma/worlds/world.repository.js';
import { SessionLocks } from '../../../../prisma/base/database/session-locks.js';
import type { ApiSettings } from '../../../platform/src/config/settings.js';
import { DATABASE_CONTEXT } from '../../../platform/src/database/database.module.js';

/** Repositories that need only their context. */
const PLAIN: readonly (new (context: Context) => unknown)[] = [
  AccessTokenRepository,
  AccountRepository,
  AppUseRepository,
  ApplicationRepository,
  ChangeLogRepository,
  ClientSecretRepository,
  CursorKeys,
  ImportRepository,
  InstitutionRepository,
  ItemRepository,
  ItemWebhookRepository,
  LiabilityRepository,
  LinkRepository,
  LinkSessionReader,
  ListenedEvents,
  ListenedReportRepository,
  OAuthReturnRepository,
  PlaidInvestmentsRepository,
  PlaidSessionRepository,
  PlaidWebhookKeys,
  ProviderConfigurationRepository,
  ProviderWebhookInbox,
  HoldingRepository,
  RecurringSearchRepository,
  SandboxLinkRepository,
  SandboxRequestRepository,
  SigningKeys,
  SimplefinHoldingRepository,
  SimplefinRowRepository,
  SimplefinTokenRepository,
  TokenCallLimit,
  TradeReader,
  TransactionReader,
  UserDataRepository,
  UserErasureRepository,
  WebhookListenerRepository,
  WebhookLogRepository,
  WebhookReplayRepository,
  WebhookTestRepository,
];

/** The constructors of the API's repositories. */
export function repositories(settings: ApiSettings): FactoryProvider[] {
  const {
    linkSessionTtl,
    connectIdle,
    connectTotal,
    exchangeWindow,
    oauthTtl,
    refreshLimit,
    refreshLimitSlow,
    sandboxWorldsPerApp,
    sandboxDaysAtWork,
  } = settings;
  const lifetimes = { unopenedMs: linkSessionTtl, idleMs: connectIdle, totalMs: connectTotal };
  return [
    ...PLAIN.map((type) => repository(type, (context) => new type(context))),
    repository(
      ExchangeRepository,
      (context) => new ExchangeRepository(context, { exchangeWindowMs: exchangeWindow }),
    ),
    {
      provide: IdempotencyRepository,
      inject: [DATABASE_CONTEXT, SessionLocks],
      useFactory: (context: Context, locks: SessionLocks) =>
        new IdempotencyRepository(context, locks),
    },
    repository(LinkSessionRepository, (context) => new LinkSessionRepository(context, lifetimes)),
    repository(
      OAuthStateRepository,
      (context) => new OAuthStateRepository(context, { ttlMs: oauthTtl }),
    ),
    repository(
      ProductRequestRepository,
      (context) =>
        new ProductRequestRepository(context, { fast: refreshLimit, slow: refreshLimitSlow }),
    ),
    repository(SessionLocks, ({ database: { pool } }) => new SessionLocks(pool)),
    repository(ExportData, (context) => new ExportData(context, settings)),
    repository(
      WorldRepository,
      (context) =>
        new WorldRepository(context, {
          worlds: sandboxWorldsPerApp,
          daysAtWork: sandboxDaysAtWork,
        }),
    ),
  ];
}

function repository<T>(
  type: new (...args: never[]) => T,
  make: (context: Context) => T,
): FactoryProvider {
  return { provide: type, inject: [DATABASE_CONTEXT], useFactory: make };
}
