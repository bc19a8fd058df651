import type { FactoryProvider } from '@nestjs/common';
import type { Context } from '../../../../prisma/context.js';
import { AccessTokenRepository } from '../../../../prisma/applications/access-token.repository.js';
import { AccountRepository } from '../../../../prisma/accounts/account.repository.js';
import { ApplicationRepository } from '../../../../prisma/applications/application.repository.js';
import { AppUseRepository } from '../../../../prisma/usage/app-use.repository.js';
import { ChangeLogRepository } from '../../../../prisma/transactions/change-log.repository.js';
import { ClientSecretRepository } from '../../../../prisma/applications/client-secret.repository.js';
import { CursorKeys } from '../../../../prisma/keys/cursor-key.repository.js';
import { ExchangeRepository } from '../../../../prisma/linking/exchange.repository.js';
import { IdempotencyRepository } from '../../../../prisma/applications/idempotency.repository.js';
import { ImportRepository } from '../../../../prisma/transactions/import.repository.js';
import { InstitutionRepository } from '../../../../prisma/institutions/institution.repository.js';
import { ItemWebhookRepository } from '../../../../prisma/plaid/item-webhook.repository.js';
import { ItemRepository } from '../../../../prisma/plaid/item.repository.js';
import { ListenedEvents } from '../../../../prisma/webhook-listeners/listened-events.js';
import { ListenedReportRepository } from '../../../../prisma/webhook-listeners/listened-report.repository.js';
import { LinkSessionReader } from '../../../../prisma/sessions/link-session-reader.js';
import { LinkSessionRepository } from '../../../../prisma/sessions/link-session.repository.js';
import { LinkRepository } from '../../../../prisma/links/link.repository.js';
import { OAuthReturnRepository } from '../../../../prisma/sessions/oauth-return.repository.js';
import { OAuthStateRepository } from '../../../../prisma/sessions/oauth-state.repository.js';
import { PlaidWebhookKeys } from '../../../../prisma/plaid/plaid-webhook-keys.js';
import { PlaidSessionRepository } from '../../../../prisma/plaid/plaid-session.repository.js';
import { ProductRequestRepository } from '../../../../prisma/refresh/product-request.repository.js';
import { ProviderConfigurationRepository } from '../../../../prisma/providers/provider-configuration.repository.js';
import { ProviderWebhookInbox } from '../../../../prisma/provider-webhooks/provider-webhook-inbox.js';
import { SandboxLinkRepository } from '../../../../prisma/sandbox/sandbox-link.repository.js';
import { SandboxRequestRepository } from '../../../../prisma/sandbox/sandbox-request.repository.js';
import { SimplefinRowRepository } from '../../../../prisma/simplefin/simplefin-row.repository.js';
import { SimplefinTokenRepository } from '../../../../prisma/simplefin/simplefin-token.repository.js';
import { SigningKeys } from '../../../../prisma/keys/signing-key.repository.js';
import { TokenCallLimit } from '../../../../prisma/applications/token-call-limit.js';
import { TransactionReader } from '../../../../prisma/transactions/transaction-reader.js';
import { UserDataRepository } from '../../../../prisma/users/user-data.repository.js';
import { UserErasureRepository } from '../../../../prisma/users/user-erasure.repository.js';
import { ExportData } from '../../../../prisma/exports/export-data.js';
import { WebhookListenerRepository } from '../../../../prisma/webhook-listeners/webhook-listener.repository.js';
import { WebhookLogRepository } from '../../../../prisma/webhook-log/webhook-log.repository.js';
import { WebhookReplayRepository } from '../../../../prisma/webhook-log/webhook-replay.repository.js';
import { WebhookTestRepository } from '../../../../prisma/webhook-log/webhook-test.repository.js';
import { WorldRepository } from '../../../../prisma/worlds/world.repository.js';
import { SessionLocks } from '../../../../prisma/database/session-locks.js';
import type { ApiSettings } from '../../../platform/src/config/settings.js';
import { DATABASE_CONTEXT } from '../../../platform/src/database/database.module.js';

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
    repository(AccessTokenRepository, (context) => new AccessTokenRepository(context)),
    repository(AccountRepository, (context) => new AccountRepository(context)),
    repository(ApplicationRepository, (context) => new ApplicationRepository(context)),
    repository(AppUseRepository, (context) => new AppUseRepository(context)),
    repository(ChangeLogRepository, (context) => new ChangeLogRepository(context)),
    repository(ClientSecretRepository, (context) => new ClientSecretRepository(context)),
    repository(CursorKeys, (context) => new CursorKeys(context)),
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
    repository(ImportRepository, (context) => new ImportRepository(context)),
    repository(InstitutionRepository, (context) => new InstitutionRepository(context)),
    repository(ItemRepository, (context) => new ItemRepository(context)),
    repository(ItemWebhookRepository, (context) => new ItemWebhookRepository(context)),
    repository(LinkRepository, (context) => new LinkRepository(context)),
    repository(LinkSessionReader, (context) => new LinkSessionReader(context)),
    repository(LinkSessionRepository, (context) => new LinkSessionRepository(context, lifetimes)),
    repository(ListenedEvents, (context) => new ListenedEvents(context)),
    repository(ListenedReportRepository, (context) => new ListenedReportRepository(context)),
    repository(OAuthReturnRepository, (context) => new OAuthReturnRepository(context)),
    repository(
      OAuthStateRepository,
      (context) => new OAuthStateRepository(context, { ttlMs: oauthTtl }),
    ),
    repository(PlaidSessionRepository, (context) => new PlaidSessionRepository(context)),
    repository(PlaidWebhookKeys, (context) => new PlaidWebhookKeys(context)),
    repository(
      ProductRequestRepository,
      (context) =>
        new ProductRequestRepository(context, { fast: refreshLimit, slow: refreshLimitSlow }),
    ),
    repository(
      ProviderConfigurationRepository,
      (context) => new ProviderConfigurationRepository(context),
    ),
    repository(ProviderWebhookInbox, (context) => new ProviderWebhookInbox(context)),
    repository(SandboxLinkRepository, (context) => new SandboxLinkRepository(context)),
    repository(SandboxRequestRepository, (context) => new SandboxRequestRepository(context)),
    repository(SessionLocks, ({ database: { pool } }) => new SessionLocks(pool)),
    repository(SigningKeys, (context) => new SigningKeys(context)),
    repository(SimplefinRowRepository, (context) => new SimplefinRowRepository(context)),
    repository(SimplefinTokenRepository, (context) => new SimplefinTokenRepository(context)),
    repository(TokenCallLimit, (context) => new TokenCallLimit(context)),
    repository(TransactionReader, (context) => new TransactionReader(context)),
    repository(UserDataRepository, (context) => new UserDataRepository(context)),
    repository(UserErasureRepository, (context) => new UserErasureRepository(context)),
    repository(ExportData, (context) => new ExportData(context, settings)),
    repository(WebhookListenerRepository, (context) => new WebhookListenerRepository(context)),
    repository(WebhookLogRepository, (context) => new WebhookLogRepository(context)),
    repository(WebhookReplayRepository, (context) => new WebhookReplayRepository(context)),
    repository(WebhookTestRepository, (context) => new WebhookTestRepository(context)),
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
