import type { LinkError } from './link-state.js';

/** Source: native-api 4.10, link-lifecycle 7.2. */
export const PRODUCT_STATES = ['pending', 'in_progress', 'completed', 'failed'] as const;
export type ProductState = (typeof PRODUCT_STATES)[number];

export const PRODUCT_ERRORS = [
  'rate_limit',
  'auth_expired',
  'not_supported',
  'timeout',
  'unknown',
  'no_accounts',
  'institution_error',
  'no_permission',
] as const;
export type ProductError = (typeof PRODUCT_ERRORS)[number];

export type ProductEventType =
  | 'requested'
  | 'fetch_begins'
  | 'fetch_retried'
  | 'stored'
  | 'final_failure'
  | 'link_left_connected'
  | 'link_deleted';

/** `announce`: whether the change sends `link.product_refresh`. */
export type ProductVerdict =
  | { kind: 'change'; state: ProductState; announce: boolean }
  | { kind: 'none' }
  | { kind: 'refused' };

const none: ProductVerdict = { kind: 'none' };
const refused: ProductVerdict = { kind: 'refused' };
const silently = (state: ProductState): ProductVerdict => ({
  kind: 'change',
  state,
  announce: false,
});
const announced = (state: ProductState): ProductVerdict => ({
  kind: 'change',
  state,
  announce: true,
});

/** link-lifecycle 7.2: event × (no state, pending, in_progress, completed, failed). */
const TABLE: Record<
  ProductEventType,
  readonly [ProductVerdict, ProductVerdict, ProductVerdict, ProductVerdict, ProductVerdict]
> = {
  requested: [silently('pending'), none, none, silently('pending'), silently('pending')],
  fetch_begins: [refused, silently('in_progress'), none, refused, refused],
  fetch_retried: [refused, refused, silently('in_progress'), refused, refused],
  stored: [refused, refused, announced('completed'), refused, refused],
  final_failure: [refused, refused, announced('failed'), refused, refused],
  link_left_connected: [none, announced('failed'), announced('failed'), none, none],
  link_deleted: [none, silently('failed'), silently('failed'), none, none],
};
const COLUMNS: readonly (ProductState | null)[] = [
  null,
  'pending',
  'in_progress',
  'completed',
  'failed',
];

export function judgeProductEvent(
  state: ProductState | null,
  event: ProductEventType,
): ProductVerdict {
  return TABLE[event][COLUMNS.indexOf(state)] ?? refused;
}

/** The error of a product that was in progress when its link left `connected` for an error. */
export function productErrorOfLinkError(error: LinkError): ProductError {
  return error === 'auth_expired'
    ? 'auth_expired'
    : error === 'institution_error'
      ? 'institution_error'
      : 'unknown';
}
