import { z } from 'zod';
import { PRODUCTS, type Product, type ProductSettings } from '../../../../domain/link/products.js';
import { OWN_MESSAGES } from './issue-messages.js';
import { text } from './text.schema.js';

type GivenSettings = Partial<ProductSettings>;
type SettingsByProduct = Partial<Record<Product, GivenSettings>>;

const settings = z.object({
  required: z
    .boolean()
    .optional()
    .describe('The user cannot decline it, and only institutions with it are offered.'),
  prefetch: z.boolean().optional().describe('It is fetched as soon as the link is made.'),
  require_permission: z
    .boolean()
    .optional()
    .describe('The user cannot decline it, but institutions without it are offered.'),
  reason: text(1, 120).nullable().optional().describe('Shown to the user who is asked for it.'),
});
const productSettings = settings.meta({
  id: 'ProductSettingsInput',
  description: 'The settings of a product.',
});
const transactionsSettings = settings
  .extend({
    extend_history: z
      .boolean()
      .optional()
      .describe('The whole history is fetched, not only the last 90 days.'),
  })
  .meta({ id: 'TransactionsSettingsInput', description: 'The settings of transactions.' });
/** link-lifecycle 2.2: `accounts` has no settings; any that are sent are ignored. */
const noSettings = z.unknown().transform((): GivenSettings => ({}));

export const productName = z
  .enum(PRODUCTS, `Must be one of ${PRODUCTS.join(', ')}.`)
  .meta({ id: 'Product', description: 'A kind of data that a user shares.' });

/** Product → settings; unknown products are reported by name (link-lifecycle 2.2). */
export const settingsByProduct = z
  .looseObject({
    accounts: noSettings.optional().describe('Ignored: accounts are always shared.'),
    account_numbers: productSettings.optional().describe('The numbers of accounts.'),
    identity: productSettings.optional().describe('The owners of accounts.'),
    transactions: transactionsSettings.optional().describe('The transactions of accounts.'),
    investments: productSettings.optional().describe('Holdings and investment transactions.'),
    liabilities: productSettings.optional().describe('Debts, with their rates and payments.'),
  })
  .meta({ id: 'SettingsByProduct', description: 'The settings of products, by their names.' })
  .transform((given, context): SettingsByProduct => {
    for (const name of Object.keys(given)) {
      if (!productName.safeParse(name).success)
        context.issues.push({
          code: 'custom',
          path: [name],
          input: name,
          message: 'Unknown product.',
        });
    }
    return Object.fromEntries(
      PRODUCTS.flatMap((product) =>
        given[product] === undefined ? [] : [[product, given[product]]],
      ),
    );
  });

const productNames = z.array(productName);

/**
 * `settings.products`: names, or names with settings. The form is detected first, so that issues
 * point at the right place.
 */
export const requestedProducts = z
  .unknown()
  .transform((given, context): Product[] | SettingsByProduct => {
    const result = Array.isArray(given)
      ? productNames.safeParse(given, OWN_MESSAGES)
      : settingsByProduct.safeParse(given, OWN_MESSAGES);
    if (result.success) return result.data;
    for (const { path, message } of result.error.issues)
      context.issues.push({ code: 'custom', path, input: given, message });
    return z.NEVER;
  })
  .meta({
    id: 'RequestedProducts',
    description: 'Names, or names with settings.',
    openapi: z.union([productNames, settingsByProduct]),
  });
