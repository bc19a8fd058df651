import { z } from 'zod';
import { PRODUCTS, type Product, type ProductSettings } from '../../../../domain/link/products.js';
import { text } from './text.schema.js';

type GivenSettings = Partial<ProductSettings>;
type SettingsByProduct = Partial<Record<Product, GivenSettings>>;

const settings = z.object({
  required: z.boolean().optional(),
  prefetch: z.boolean().optional(),
  require_permission: z.boolean().optional(),
  reason: text(1, 120).nullable().optional(),
});
const productSettings = settings.meta({ id: 'ProductSettingsInput' });
const transactionsSettings = settings
  .extend({ extend_history: z.boolean().optional() })
  .meta({ id: 'TransactionsSettingsInput' });
/** link-lifecycle 2.2: `accounts` has no settings; any that are sent are ignored. */
const noSettings = z.unknown().transform((): GivenSettings => ({}));

export const productName = z
  .enum(PRODUCTS, 'Must be one of accounts, account_numbers, identity, transactions.')
  .meta({ id: 'Product' });

/** Product → settings; unknown products are reported by name (link-lifecycle 2.2). */
export const settingsByProduct = z
  .looseObject({
    accounts: noSettings.optional(),
    account_numbers: productSettings.optional(),
    identity: productSettings.optional(),
    transactions: transactionsSettings.optional(),
  })
  .meta({ id: 'SettingsByProduct' })
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
      ? productNames.safeParse(given)
      : settingsByProduct.safeParse(given);
    if (result.success) return result.data;
    for (const { path, message } of result.error.issues)
      context.issues.push({ code: 'custom', path, input: given, message });
    return z.NEVER;
  })
  .meta({
    id: 'RequestedProducts',
    description: 'Names, or names with settings.',
    openapi: z.union([
      productNames,
      z.partialRecord(productName, z.looseObject({})).meta({ id: 'RequestedProductsWithSettings' }),
    ]),
  });
