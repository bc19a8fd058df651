import { z } from 'zod';
import { HOSTED_LIFETIME } from '../../../../domain/session/hosted-session.js';
import { country } from '../openapi/models/institution.model.js';
import { text } from '../schemas/text.schema.js';
import { aliasedBy, otherNameOf, tags, webhook } from '../schemas/link-settings.schema.js';
import { connectFeatures } from './connect-features.schema.js';
import { customSandboxData } from '../sandbox/custom-sandbox-data.schema.js';
import { customerUser } from '../schemas/customer-user.schema.js';
import { requestedProducts, settingsByProduct } from '../schemas/products.schema.js';
import { theme } from './theme.schema.js';

/** link-lifecycle 2.1. */
const MAX_REDIRECT_URI_LENGTH = 65_536;

const settings = z
  .object({
    products: requestedProducts
      .optional()
      .describe('The products to ask for; missing = only `accounts`.'),
    countries: z
      .array(country)
      .optional()
      .describe('The countries of the institutions, the most likely first.'),
    providers: z
      .array(text(1, 64))
      .optional()
      .describe('Names of providers that this service has.'),
    theme: theme.optional().describe('The look of Connect.'),
  })
  .meta({ id: 'LinkSessionSettings', description: 'The scope of a session.' });

/** link-lifecycle 2.4. */
const returnPage = text(1, MAX_REDIRECT_URI_LENGTH).meta({
  openapi: {
    type: 'string',
    format: 'uri',
    minLength: 1,
    maxLength: MAX_REDIRECT_URI_LENGTH,
    description:
      'An absolute address without query and fragment: https, an app scheme, or http at a loopback host.',
  },
});

const hosted = z
  .object({
    return_url: returnPage
      .optional()
      .describe(
        'The page to which the user returns at the end; missing = the page says that it may be closed.',
      ),
    expires_in_seconds: z
      .int()
      .min(HOSTED_LIFETIME.min)
      .max(HOSTED_LIFETIME.max)
      .optional()
      .describe('Until the user first opens the page.'),
  })
  .meta({ id: 'LinkSessionHostingInput', description: 'A hosted page for the session.' });

const fields = z.object({
  customer_user: customerUser.describe('The user who links.'),
  redirect_uri: returnPage
    .optional()
    .describe(
      'The page to which institutions return the user, which hands its address to the SDK.',
    ),
  hosted: hosted.optional().describe('Asks for `hosted_url`, a page that needs no SDK.'),
  settings: settings.optional().describe('Products, institutions and look.'),
  products_settings: settingsByProduct.optional().describe('Settings of products, by their names.'),
  product_settings: settingsByProduct.optional().describe(otherNameOf('products_settings')),
  webhook: webhook.optional().describe('The address for the webhooks of the link.'),
  institution_id: text(1, 200)
    .optional()
    .describe('Of an institution that exists and has every required product.'),
  existing_link_id: text(1, 200)
    .optional()
    .describe('The link to repair or extend, of the same `customer_user`.'),
  tags: tags.optional().describe('Labels for the link.'),
  link_tags: tags.optional().describe(otherNameOf('tags')),
  connect_features: connectFeatures
    .prefault({})
    .describe('Behavior of Connect; all off by default.'),
  custom_sandbox_data: customSandboxData
    .optional()
    .describe('Data for the sandbox bank; only with a Sandbox pair.'),
  world_id: text(1, 200).optional().describe('The world of the link; only with a Sandbox pair.'),
});

const request = z.preprocess(
  aliasedBy({ tags: 'link_tags', products_settings: 'product_settings' }),
  fields.transform(({ link_tags: linkTags, product_settings: productSettings, ...given }) => ({
    ...given,
    tags: given.tags ?? linkTags,
    products_settings: given.products_settings ?? productSettings,
  })),
);

/** Source: link-lifecycle 2.1. `PlanLinkSession` checks the fields that depend on the environment. */
export const CreateLinkSessionRequest = { body: request };
export type CreateLinkSessionBody = z.output<typeof request>;

type SessionSettings = NonNullable<CreateLinkSessionBody['settings']>;

/** The request of both APIs; the compatibility layer accepts more countries. */
export type SessionRequest = Omit<CreateLinkSessionBody, 'settings'> & {
  settings?:
    | (Omit<SessionSettings, 'countries'> & { countries?: readonly string[] | undefined })
    | undefined;
};
