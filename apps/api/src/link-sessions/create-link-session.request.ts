import { z } from 'zod';
import { distinctTags, isTag, MAX_TAGS } from '../../../../domain/tags.js';
import { storable, text } from '../http/text-schemas.js';
import { customerUser } from './customer-user.schema.js';
import { requestedProducts, settingsByProduct } from './product-schemas.js';
import { theme } from './theme.schema.js';

/** native-api 1, "Body size". */
const LONGEST_ADDRESS = 2_048;
const COUNTRIES = ['US', 'GB', 'CA'] as const;

const tags = z
  .array(z.string().refine((tag) => isTag(tag) && storable(tag), 'Must have 1 to 99 characters and begin with a letter or digit.'))
  .transform(distinctTags)
  .refine((values) => values.length <= MAX_TAGS, `Must hold at most ${MAX_TAGS} tags.`);

const settings = z.object({
  products: requestedProducts.optional(),
  countries: z.array(z.enum(COUNTRIES)).optional(),
  providers: z.array(text(1, 64)).optional(),
  theme: theme.optional(),
});

/** An alias is not looked at when the name itself is given. */
function withoutNeedlessAliases(given: unknown): unknown {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given;
  const fields: Record<string, unknown> = { ...given };
  if (fields['tags'] !== undefined) delete fields['link_tags'];
  if (fields['products_settings'] !== undefined) delete fields['product_settings'];
  return fields;
}

const fields = z.object({
  customer_user: customerUser,
  redirect_uri: text(1, LONGEST_ADDRESS).optional(),
  settings: settings.optional(),
  products_settings: settingsByProduct.optional(),
  product_settings: settingsByProduct.optional(),
  webhook: text(1, LONGEST_ADDRESS).nullable().optional(),
  institution_id: text(1, 200).optional(),
  existing_link_id: text(1, 200).optional(),
  tags: tags.optional(),
  link_tags: tags.optional(),
  connect_features: z.record(z.string(), z.unknown()).optional(),
  custom_sandbox_data: z.record(z.string(), z.unknown()).optional(),
  world_id: text(1, 200).optional(),
});

const request = z.preprocess(
  withoutNeedlessAliases,
  fields.transform(({ link_tags: linkTags, product_settings: productSettings, ...given }) => ({
    ...given,
    tags: given.tags ?? linkTags,
    products_settings: given.products_settings ?? productSettings,
  })),
);

/** Source: link-lifecycle 2.1. What depends on the app and the environment is checked by `CreateLinkSession`. */
export const CreateLinkSessionRequest = { body: request };
export type CreateLinkSessionBody = z.output<typeof request>;
