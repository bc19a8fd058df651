import type { Type } from '@nestjs/common';
import { ItemAccess } from './items/item-access.js';
import { ItemGate } from './items/item-gate.js';
import { ItemController } from './items/item.controller.js';
import { PlaidLimits } from './limits/plaid-limits.js';
import { plaidPathsOf } from './transport/plaid-route.js';

/** The calls of the Plaid-compatible layer, and what only they need. */
export const PLAID_CONTROLLERS: Type[] = [ItemController];
export const PLAID_SERVICES: Type[] = [ItemAccess, ItemGate, PlaidLimits];
/** The addresses offered. */
export const PLAID_PATHS: ReadonlySet<string> = new Set(PLAID_CONTROLLERS.flatMap(plaidPathsOf));
