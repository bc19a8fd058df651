import { declaredOn } from '../http/routes-of.js';
import { PLAID_CONTROLLERS } from './plaid-controllers.js';
import { PLAID_ROUTE, type PlaidRouteOptions } from './transport/plaid-route-options.js';

/** The calls of the Plaid API that are offered here. */
export const PLAID_ROUTES = PLAID_CONTROLLERS.flatMap((controller) =>
  declaredOn<PlaidRouteOptions>(controller, PLAID_ROUTE),
);

export const PLAID_PATHS: ReadonlySet<string> = new Set(PLAID_ROUTES.map(({ path }) => path));
