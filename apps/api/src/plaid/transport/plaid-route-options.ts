import type { z } from 'zod';

/** What a call says of itself. Source: plaid-compat 6 and 7. */
export interface PlaidRouteOptions {
  path: `/${string}`;
  /** Unknown fields are ignored, and `null` never arrives: both are seen to before. */
  request: z.ZodType;
  /** The body names an Item by its access_token, which `CurrentItem` hands over. */
  item?: true;
}

export const PLAID_ROUTE = Symbol('plaid-route');
