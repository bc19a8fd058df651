import type { Type } from '@nestjs/common';
import { FindItem } from './access/find-item.js';
import { PlaidAccountsController } from './accounts/plaid-accounts.controller.js';
import { PlaidInstitutionController } from './institutions/plaid-institution.controller.js';
import { ItemAccess } from './access/item-access.js';
import { ItemGate } from './access/item-gate.js';
import { ItemPresenter } from './items/item-presenter.js';
import { ItemController } from './items/item.controller.js';
import { RefreshItem } from './items/refresh-item.js';
import { PlaidLimits } from './access/plaid-limits.js';
import { CreateLinkToken } from './link-tokens/create-link-token.js';
import { LinkTokenController } from './link-tokens/link-token.controller.js';
import { ShowLinkToken } from './link-tokens/show-link-token.js';
import { CreatePublicToken } from './sandbox/create-public-token.js';
import { CreateTransactions } from './sandbox/create-transactions.js';
import { PlaidSandboxController } from './sandbox/plaid-sandbox.controller.js';
import { PlaidRefreshController } from './transactions/plaid-refresh.controller.js';
import { PlaidTransactionsController } from './transactions/plaid-transactions.controller.js';
import { FireWebhook } from './webhooks/fire-webhook.js';
import { PlaidWebhookController } from './webhooks/plaid-webhook.controller.js';

/** The calls of the Plaid-compatible layer. */
export const PLAID_CONTROLLERS: Type[] = [
  LinkTokenController,
  ItemController,
  PlaidAccountsController,
  PlaidTransactionsController,
  PlaidRefreshController,
  PlaidInstitutionController,
  PlaidSandboxController,
  PlaidWebhookController,
];
/** What only these calls need. */
export const PLAID_SERVICES: Type[] = [
  FindItem,
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
];
