import type { Type } from '@nestjs/common';
import { LinkTokenController } from './link-tokens/link-token.controller.js';
import { ItemController } from './items/item.controller.js';
import { PlaidAccountsController } from './accounts/plaid-accounts.controller.js';
import { PlaidInvestmentsController } from './investments/plaid-investments.controller.js';
import { PlaidLiabilitiesController } from './liabilities/plaid-liabilities.controller.js';
import { PlaidTransactionsController } from './transactions/plaid-transactions.controller.js';
import { PlaidRecurringController } from './transactions/plaid-recurring.controller.js';
import { PlaidRefreshController } from './transactions/plaid-refresh.controller.js';
import { PlaidInstitutionController } from './institutions/plaid-institution.controller.js';
import { PlaidSandboxController } from './sandbox/plaid-sandbox.controller.js';
import { PlaidWebhookController } from './webhooks/plaid-webhook.controller.js';

/** The calls of the Plaid-compatible layer. */
export const PLAID_CONTROLLERS: Type[] = [
  LinkTokenController,
  ItemController,
  PlaidAccountsController,
  PlaidTransactionsController,
  PlaidRecurringController,
  PlaidRefreshController,
  PlaidInvestmentsController,
  PlaidLiabilitiesController,
  PlaidInstitutionController,
  PlaidSandboxController,
  PlaidWebhookController,
];
