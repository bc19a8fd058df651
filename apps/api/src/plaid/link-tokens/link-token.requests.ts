import { z } from 'zod';
import { text } from '../../schemas/text.schema.js';

export const MAX_DAYS = 730;
const MAX_NAMES = 100;
const MAX_NAME_LENGTH = 1_000;
/** The limit of an index of PostgreSQL. */
const MAX_USER_ID_LENGTH = 600;
const MAX_ADDRESS_LENGTH = 2_048;
/** plaid-compat 6.1. */
const MAX_URL_LIFETIME_SECONDS = 1_814_400;

export const COUNTRY_CODES = [
  'US',
  'GB',
  'ES',
  'NL',
  'FR',
  'IE',
  'CA',
  'DE',
  'IT',
  'PL',
  'DK',
  'NO',
  'SE',
  'EE',
  'LT',
  'LV',
  'PT',
  'BE',
  'AT',
  'FI',
] as const;
export const countryCodes = z.array(z.enum(COUNTRY_CODES)).min(1);
export const productNames = z.array(z.string().max(MAX_NAME_LENGTH)).max(MAX_NAMES);
export const daysRequested = z.number().int().min(1).max(MAX_DAYS);
const id = text(1, MAX_NAME_LENGTH);

const subtypes = z.object({ account_subtypes: z.array(z.string()).min(1) }).optional();
const user = z.object({
  client_user_id: text(1, MAX_USER_ID_LENGTH),
  email_address: z.string().optional(),
  phone_number: z.string().optional(),
});

const fields = z
  .object({
    client_name: id,
    language: id,
    country_codes: countryCodes,
    user,
    products: productNames,
    required_if_supported_products: productNames.optional(),
    optional_products: productNames.optional(),
    additional_consented_products: productNames.optional(),
    transactions: z.object({ days_requested: daysRequested.optional() }).optional(),
    webhook: text(1, MAX_ADDRESS_LENGTH).optional(),
    access_token: z.string().optional(),
    redirect_uri: text(1, MAX_ADDRESS_LENGTH).optional(),
    institution_id: id.optional(),
    update: z.object({ account_selection_enabled: z.boolean().optional() }).optional(),
    account_filters: z
      .object({
        depository: subtypes,
        credit: subtypes,
        loan: subtypes,
        investment: subtypes,
        other: subtypes,
      })
      .optional(),
    hosted_link: z
      .object({
        completion_redirect_uri: text(1, MAX_ADDRESS_LENGTH).optional(),
        url_lifetime_seconds: z.number().int().min(1).max(MAX_URL_LIFETIME_SECONDS).optional(),
        is_mobile_app: z.boolean().optional(),
      })
      .optional(),
  })
  .superRefine(({ products, access_token: accessToken }, context) => {
    if (products.length === 0 && accessToken === undefined)
      context.addIssue({
        code: 'custom',
        path: ['products'],
        message: 'must name at least one product',
      });
  });

/** Source: plaid-compat 6.1. */
export const CreateLinkTokenRequest = z.preprocess(withReplacements, fields);
export type CreateLinkTokenBody = z.output<typeof CreateLinkTokenRequest>;

/** Fills in fields that others replace: an Item has its products, and `user_id` identifies the user. */
function withReplacements(body: unknown): unknown {
  if (typeof body !== 'object' || body === null) return body;
  const given = body as Record<string, unknown>;
  return {
    ...given,
    ...(given['access_token'] === undefined ? {} : { products: given['products'] ?? [] }),
    ...(given['user_id'] === undefined
      ? {}
      : { user: { client_user_id: given['user_id'], ...(given['user'] as object | undefined) } }),
  };
}

export const GetLinkTokenRequest = z.object({ link_token: z.string() });
export type GetLinkTokenBody = z.output<typeof GetLinkTokenRequest>;
