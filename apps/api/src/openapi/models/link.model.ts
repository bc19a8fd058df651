import { z } from 'zod';
import { LINK_ERRORS, LINK_STATES } from '../../../../../domain/link/link-state.js';
import { INCOMPLETE_REASONS } from '../../../../../domain/link/incomplete-account.js';
import { PRODUCTS } from '../../../../../domain/link/products.js';
import { PRODUCT_ERRORS } from '../../../../../domain/link/product-state.js';
import { accountId, linkId, timestamp } from './values.model.js';

export const linkState = z.enum(LINK_STATES).meta({ id: 'LinkState' });
export const linkError = z
  .enum(LINK_ERRORS)
  .meta({ id: 'LinkError', description: '`auth_expired`: the account owner must sign in again.' });
export const product = z.enum(PRODUCTS).meta({ id: 'Product' });
export const productError = z.enum(PRODUCT_ERRORS).meta({ id: 'LinkProductError' });

/** Source: native-api 4.2. */
const settings = z.object({
  required: z.boolean(),
  prefetch: z.boolean(),
  require_permission: z.boolean(),
  reason: z.string().nullable(),
});
const productSettings = settings.meta({ id: 'ProductSettings' });
const incompleteAccount = z
  .object({
    account_id: accountId.nullable().describe('Null = an unknown one.'),
    account_name: z.string().nullable(),
    reason: z
      .enum(INCOMPLETE_REASONS)
      .meta({ id: 'IncompleteReason' })
      .describe(
        '`unreadable`: part of it could not be read. `not_reported`: the source says nothing of it now.',
      ),
    since: timestamp.describe('The first of these refreshes in a row.'),
  })
  .meta({ id: 'IncompleteAccount' });
const status = z.object({
  refreshed_at: timestamp.nullable().describe('The last successful refresh.'),
  last_attempted_at: timestamp.nullable(),
  error_code: productError
    .nullable()
    .describe('Cause of the last failed attempt; null after a success.'),
  error_message: z.string().nullable(),
  unavailable: z
    .string()
    .nullable()
    .describe('Why a refresh is impossible; stored data stays readable.'),
  next_refresh_at: timestamp
    .nullable()
    .describe(
      'The next scheduled refresh; it may start some minutes later. Null = none is planned.',
    ),
  stale: z.boolean().describe('Older than twice the interval of its refreshes, or failing.'),
  problem: z
    .object({ message: z.string(), remedy: z.string().describe('What the app can do about it.') })
    .meta({ id: 'ProductProblem' })
    .nullable()
    .describe('Why it is stale; null if and only if it is not.'),
  incomplete: z
    .array(incompleteAccount)
    .describe(
      'Accounts of which the last successful refresh lacks data; what was stored of them stays. Empty = complete.',
    ),
});
const accountsStatus = status.meta({ id: 'AccountsStatus' });
const productStatus = status.extend({ settings: productSettings }).meta({ id: 'ProductStatus' });
const transactionsStatus = status
  .extend({
    has_history: z.boolean().describe('The full history is stored.'),
    settings: settings.extend({ extend_history: z.boolean() }).meta({ id: 'TransactionsSettings' }),
  })
  .meta({ id: 'TransactionsStatus' });

/** Source: native-api 4.1. */
export const link = z
  .object({
    link_id: linkId,
    customer_user_id: z.string().describe('The `customer_user.id` of its session or import.'),
    created_at: timestamp,
    updated_at: timestamp.describe(
      'The last change of its state, error, institution, provider, tags, webhook or end of permission. Refreshes of its data do not count.',
    ),
    institution_id: z.string(),
    institution_name: z.string(),
    provider: z.string(),
    state: linkState,
    last_synced_at: timestamp.nullable().describe('The last successful refresh of any product.'),
    tags: z.array(z.string()),
    link_tags: z.array(z.string()).describe('The same as `tags`.'),
    products: z
      .object({
        accounts: accountsStatus.optional(),
        account_numbers: productStatus.optional(),
        identity: productStatus.optional(),
        transactions: transactionsStatus.optional(),
      })
      .meta({ id: 'LinkProducts' })
      .describe('Granted products only.'),
    error_code: linkError.nullable().describe('Set if and only if the state is `error`.'),
    error_message: z.string().nullable(),
    webhook: z.string().nullable(),
    webhook_disabled_at: timestamp.nullable().describe('Set when the endpoint returned 410.'),
    permission_ends_at: timestamp
      .nullable()
      .describe(
        'When the institution will end its permission; null = not known. A relink renews it.',
      ),
    institution_avatar: z.string().describe('URL of a picture.'),
    available_products: z
      .array(product)
      .describe('Can be added by a session with `existing_link_id`.'),
  })
  .meta({ id: 'Link' });
