import type { Type } from '@nestjs/common';
import { PlaidAccountsController } from './accounts/accounts.controller.js';
import { ItemAccess } from './items/item-access.js';
import { ItemGate } from './items/item-gate.js';
import { ItemPresenter } from './items/item-presenter.js';
import { ItemController } from './items/item.controller.js';
import { PlaidLimits } from './limits/plaid-limits.js';
import { PlaidTransactionsController } from './transactions/transactions.controller.js';
import { plaidPathsOf } from './transport/plaid-route.js';

/** The calls of the Plaid-compatible layer, and what only they need. */
export const PLAID_CONTROLLERS: Type[] = [ItemController, PlaidAccountsController, PlaidTransactionsController];
export const PLAID_SERVICES: Type[] = [ItemAccess, ItemGate, ItemPresenter, PlaidLimits];
/** The addresses offered. */
export const PLAID_PATHS: ReadonlySet<string> = new Set(PLAID_CONTROLLERS.flatMap(plaidPathsOf));
