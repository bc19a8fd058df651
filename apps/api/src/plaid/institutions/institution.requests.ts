import { z } from 'zod';
import { MAX_POSITION } from '../../schemas/position.schema.js';
import { text } from '../../schemas/text.schema.js';
import { countryCodes, productNames } from '../link-tokens/link-token.requests.js';

const MOST = 500;
const shown = {
  include_optional_metadata: z.boolean().default(false),
  include_status: z.boolean().default(false),
  include_auth_metadata: z.boolean().default(false),
  include_payment_initiation_metadata: z.boolean().optional(),
};

/** Source: plaid-compat 6.6. */
export const GetInstitutionRequest = z.object({
  institution_id: z.string(),
  country_codes: countryCodes,
  options: z.object(shown).prefault({}),
});
export type GetInstitutionBody = z.output<typeof GetInstitutionRequest>;

/** Source: plaid-compat 7. */
export const ListInstitutionsRequest = z.object({
  count: z.number().int().min(1).max(MOST),
  offset: z.number().int().min(0).max(MAX_POSITION),
  country_codes: countryCodes,
  options: z
    .object({
      ...shown,
      products: productNames.optional(),
      routing_numbers: z.array(z.string()).optional(),
      oauth: z.boolean().optional(),
    })
    .prefault({}),
});
export type ListInstitutionsBody = z.output<typeof ListInstitutionsRequest>;

/** Source: plaid-compat 7. */
export const SearchInstitutionsRequest = z.object({
  query: text(1, 200),
  country_codes: countryCodes,
  products: productNames.optional(),
  options: z.object({ ...shown, oauth: z.boolean().optional() }).prefault({}),
});
export type SearchInstitutionsBody = z.output<typeof SearchInstitutionsRequest>;
