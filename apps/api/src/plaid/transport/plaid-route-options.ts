import type { z } from 'zod';
import type { ReadBound } from '../../http/read-bound.js';
import type { Scope } from '../../../../../domain/api/scopes.js';

/** Source: plaid-compat 6 and 7. */
export interface PlaidRouteOptions {
  path: `/${string}`;
  /** The scope that the key pair needs; null = any pair may make the call. */
  scope: Scope | null;
  /** The bound of a call that reads; null = it changes something. */
  reads: ReadBound | null;
  /** Unknown fields and null values are removed before. */
  request: z.ZodType;
  /** The body has an access_token; `CurrentItem` is its Item. */
  item?: true;
}

export const PLAID_ROUTE = Symbol('plaid-route');
