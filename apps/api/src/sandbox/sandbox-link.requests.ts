import { z } from 'zod';
import {
  FIRST_PRODUCTS,
  combineRequestedProducts,
  type Product,
  type RequestedProducts,
} from '../../../../domain/link/products.js';
import { text } from '../schemas/text.schema.js';
import { aliasedBy, otherNameOf, tags, webhook } from '../schemas/link-settings.schema.js';
import { customerUser } from '../schemas/customer-user.schema.js';
import { requestedProducts, settingsByProduct } from '../schemas/products.schema.js';
import { customSandboxData } from './custom-sandbox-data.schema.js';

const CUSTOM_USER = 'user_custom';

const fields = z.object({
  institution_id: text(1, 200).default('sandbox-credentials-bank').describe('The sandbox bank.'),
  username: text(1, 100)
    .default('user_good')
    .describe('The user name, which decides how the login goes.'),
  password: text(1, 100).default('pass_good').describe('The password.'),
  customer_user: customerUser.default({ id: 'sandbox-user' }).describe('The user who links.'),
  settings: z
    .object({
      products: requestedProducts
        .optional()
        .describe('The products to grant; missing = all, if `products_settings` is missing too.'),
    })
    .meta({ id: 'SandboxLinkSettings', description: 'The products of a link.' })
    .optional()
    .describe('The products to grant.'),
  products_settings: settingsByProduct.optional().describe('Settings of products, by their names.'),
  product_settings: settingsByProduct.optional().describe(otherNameOf('products_settings')),
  webhook: webhook.optional().describe('The address for the webhooks of the link.'),
  tags: tags.optional().describe('Labels for the link.'),
  link_tags: tags.optional().describe(otherNameOf('tags')),
  custom_sandbox_data: customSandboxData
    .optional()
    .describe(`Only with the user name ${CUSTOM_USER}.`),
  world_id: text(1, 200).default('default').describe('The world of the link.'),
  result: z
    .enum(['link', 'exchangeable_token'])
    .meta({
      id: 'SandboxLinkResult',
      description: 'The link itself, or a token that is exchanged for it.',
    })
    .default('link')
    .describe('What the call returns.'),
  wait_for_products: z.boolean().default(true).describe('Responds once the products are fetched.'),
});

const request = z.preprocess(
  aliasedBy({ tags: 'link_tags', products_settings: 'product_settings' }),
  fields
    .transform(({ link_tags: linkTags, product_settings: productSettings, ...given }) => ({
      ...given,
      tags: given.tags ?? linkTags,
      products_settings: given.products_settings ?? productSettings,
    }))
    .refine(
      ({ custom_sandbox_data: data, username }) => data === undefined || username === CUSTOM_USER,
      { path: ['custom_sandbox_data'], message: `Only ${CUSTOM_USER} accepts custom data.` },
    ),
);

/** Source: link-lifecycle 14, POST /sandbox/link. */
export const CreateSandboxLinkRequest = { body: request };
export type CreateSandboxLinkBody = z.output<typeof request>;

/** Products named without settings are prefetched; if none is named, the first four are. */
export function productsOf({
  settings,
  products_settings: productsSettings,
}: Pick<CreateSandboxLinkBody, 'settings' | 'products_settings'>): RequestedProducts {
  const products =
    settings?.products ?? (productsSettings === undefined ? FIRST_PRODUCTS : undefined);
  const combined = combineRequestedProducts({
    ...(products === undefined ? {} : { products }),
    ...(productsSettings === undefined ? {} : { productsSettings }),
  });
  const isSet = (product: Product) =>
    productsSettings?.[product]?.prefetch !== undefined ||
    (products !== undefined &&
      !Array.isArray(products) &&
      (products as Partial<Record<Product, { prefetch?: boolean }>>)[product]?.prefetch !==
        undefined);
  return Object.fromEntries(
    Object.entries(combined).map(([product, given]) => [
      product,
      isSet(product as Product) ? given : { ...given, prefetch: product !== 'accounts' },
    ]),
  );
}
