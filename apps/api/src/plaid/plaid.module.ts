import { Module, type DynamicModule } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { InstitutionsModule } from '../institutions/institutions.module.js';
import { LinkSessionsModule } from '../link-sessions/link-sessions.module.js';
import { LinksModule } from '../links/links.module.js';
import { RecurringModule } from '../recurring/recurring.module.js';
import { SandboxModule } from '../sandbox/sandbox.module.js';
import { CallWindows } from './access/call-windows.js';
import { ItemAccess } from './access/item-access.js';
import { ItemGate } from './access/item-gate.js';
import { ItemPresenter } from './items/item-presenter.js';
import { PLAID_CONTROLLERS } from './plaid-controllers.js';
import { RefreshItem } from './items/refresh-item.js';
import { PlaidLimits } from './access/plaid-limits.js';
import { CreateLinkToken } from './link-tokens/create-link-token.js';
import { ShowLinkToken } from './link-tokens/show-link-token.js';
import { CreatePublicToken } from './sandbox/create-public-token.js';
import { CreateTransactions } from './sandbox/create-transactions.js';
import { PlaidOverviewController } from './overview/overview.controller.js';
import { PlaidChecks } from './transport/plaid-checks.js';
import { FireWebhook } from './webhooks/fire-webhook.js';

@Module({
  imports: [
    AuthModule,
    LinksModule,
    InstitutionsModule,
    LinkSessionsModule,
    RecurringModule,
    SandboxModule,
  ],
  controllers: [...PLAID_CONTROLLERS, PlaidOverviewController],
  providers: [
    PlaidChecks,
    ItemAccess,
    ItemGate,
    ItemPresenter,
    RefreshItem,
    PlaidLimits,
    CreateLinkToken,
    ShowLinkToken,
    CreatePublicToken,
    CreateTransactions,
    FireWebhook,
  ],
})
export class PlaidModule {
  /** @param clock the time by which calls per minute are counted, in milliseconds; held in tests */
  static forRoot(clock?: () => number): DynamicModule {
    return {
      module: PlaidModule,
      providers: [{ provide: CallWindows, useFactory: () => new CallWindows(clock) }],
    };
  }
}
