import { z } from 'zod';
import { LINK_ERRORS, LINK_STATES } from '../../../../../domain/link/link-state.js';
import { INCOMPLETE_REASONS } from '../../../../../domain/link/incomplete-account.js';
import { PRODUCTS } from '../../../../../domain/link/products.js';
import { PRODUCT_ERRORS } from '../../../../../domain/link/product-state.js';
import { accountId, linkId, timestamp } from './values.model.js';

export const linkState = z.enum(LINK_STATES).meta({
  id: 'LinkState',
  description: 'The state of a link. Its data can be refreshed while it is `connected`.',
});
export const linkError = z
  .enum(LINK_ERRORS)
  .meta({ id: 'LinkError', description: '`auth_expired`: the account owner must sign in again.' });
export const product = z
  .enum(PRODUCTS)
  .meta({ id: 'Product', description: 'A kind of data that a user shares.' });
export const productError = z
  .enum(PRODUCT_ERRORS)
  .meta({ id: 'LinkProductError', description: 'Why a refresh of a product failed.' });

/** Source: native-api 4.2. */
const settings = z.object({
  required: z.boolean().describe('The link is not made without it.'),
  prefetch: z.boolean().describe('Fetched as soon as the link is made.'),
  require_permission: z.boolean().describe('The user is asked for it by name.'),
  reason: z.string().nullable().describe('The reason that the user is shown.'),
});
const productSettings = settings.meta({
  id: 'ProductSettings',
  description: 'The settings with which a product was granted.',
});
const incompleteAccount = z
  .object({
    account_id: accountId.nullable().describe('Null = an unknown one.'),
    account_name: z.string().nullable().describe('Its name, where it is known.'),
    reason: z
      .enum(INCOMPLETE_REASONS)
      .meta({ id: 'IncompleteReason' })
      .describe(
        '`unreadable`: part of it could not be read. `not_reported`: the source says nothing of it now.',
      ),
    since: timestamp.describe('The first of these refreshes in a row.'),
  })
  .meta({
    id: 'IncompleteAccount',
    description: 'An account of which the last refresh lacks data.',
  });
const status = z.object({
  refreshed_at: timestamp.nullable().describe('The last successful refresh.'),
  last_attempted_at: timestamp.nullable().describe('The last refresh that was tried.'),
  error_code: productError
    .nullable()
    .describe('Cause of the last failed attempt; null after a success.'),
  error_message: z
    .string()
    .nullable()
    .describe('The message of the last failed attempt, for developers.'),
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
    .object({
      message: z.string().describe('The reason in words, for developers.'),
      remedy: z.string().describe('What the app can do about it.'),
    })
    .meta({ id: 'ProductProblem', description: 'Why a product is stale, and what helps.' })
    .nullable()
    .describe('Why it is stale; null if and only if it is not.'),
  incomplete: z
    .array(incompleteAccount)
    .describe(
      'Accounts of which the last successful refresh lacks data; what was stored of them stays. Empty = complete.',
    ),
});
const accountsStatus = status.meta({
  id: 'AccountsStatus',
  description: 'The state of the accounts and balances of a link.',
});
const productStatus = status
  .extend({ settings: productSettings.describe('The settings with which it was granted.') })
  .meta({ id: 'ProductStatus', description: 'The state of a product of a link.' });
const transactionsStatus = status
  .extend({
    has_history: z.boolean().describe('The full history is stored.'),
    settings: settings
      .extend({
        extend_history: z
          .boolean()
          .describe(
            'The history that the institution offers is fetched, not only its recent part.',
          ),
      })
      .meta({
        id: 'TransactionsSettings',
        description: 'The settings with which transactions were granted.',
      }),
  })
  .meta({ id: 'TransactionsStatus', description: 'The state of the transactions of a link.' });

/** Source: native-api 4.1. */
export const link = z
  .object({
    link_id: linkId.describe(
      'The id of the link, by which its data is read. Opaque and case-sensitive.',
    ),
    customer_user_id: z.string().describe('The `customer_user.id` of its session or import.'),
    created_at: timestamp.describe('The start of the login or the import that made it.'),
    updated_at: timestamp.describe(
      'The last change of its state, error, institution, provider, tags, webhook or end of permission. Refreshes of its data do not count.',
    ),
    institution_id: z.string().describe('The institution at which it is.'),
    institution_name: z.string().describe('The name of that institution.'),
    provider: z.string().describe('The source through which its data is read; any text.'),
    state: linkState.describe('The state of the link.'),
    last_synced_at: timestamp.nullable().describe('The last successful refresh of any product.'),
    tags: z.array(z.string()).describe('The labels that its session or import gave it.'),
    link_tags: z.array(z.string()).describe('The same as `tags`.'),
    products: z
      .object({
        accounts: accountsStatus.optional().describe('Accounts and their balances.'),
        account_numbers: productStatus.optional().describe('The numbers of accounts.'),
        identity: productStatus.optional().describe('The owners of accounts.'),
        transactions: transactionsStatus.optional().describe('The transactions of accounts.'),
        investments: productStatus.optional().describe('Holdings and investment transactions.'),
        liabilities: productStatus.optional().describe('Debts, with their rates and payments.'),
      })
      .meta({ id: 'LinkProducts' })
      .describe('Granted products only.'),
    error_code: linkError.nullable().describe('Set if and only if the state is `error`.'),
    error_message: z.string().nullable().describe('The error in words, for developers.'),
    webhook: z.string().nullable().describe('The address that receives its webhooks; null = none.'),
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
  .meta({
    id: 'Link',
    description: 'The lasting connection to the accounts of one user at one institution.',
  });
