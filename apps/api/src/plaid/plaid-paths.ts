import { PLAID_CONTROLLERS } from './plaid-controllers.js';
import { plaidRoutesOf } from './transport/plaid-route.js';

/** The paths of the Plaid API that are offered here. */
export const PLAID_PATHS: ReadonlySet<string> = new Set(
  PLAID_CONTROLLERS.flatMap(plaidRoutesOf).map(({ path }) => path),
);
