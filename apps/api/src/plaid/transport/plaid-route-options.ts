import type { z } from 'zod';

/** Source: plaid-compat 6 and 7. */
export interface PlaidRouteOptions {
  path: `/${string}`;
  /** Unknown fields and null values are removed before. */
  request: z.ZodType;
  /** The body has an access_token; `CurrentItem` is its Item. */
  item?: true;
}

export const PLAID_ROUTE = Symbol('plaid-route');
