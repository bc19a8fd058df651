import { z } from 'zod';
import { COUNTRIES } from '../../../../../domain/institutions/countries.js';

export const country = z
  .enum(COUNTRIES)
  .meta({ id: 'Country', description: 'A country, by its code of ISO 3166-1.' });
const color = z.string().regex(/^#[0-9a-fA-F]{6}$/);

/** Source: native-api 4.7. */
export const institution = z
  .object({
    institution_id: z.string().describe('A readable id, such as `sandbox-oauth-bank`.'),
    institution_id_aliases: z
      .array(z.string())
      .describe('Earlier ids, which calls accept as well.'),
    name: z.string().describe('As its customers know it.'),
    country,
    domain: z.string().nullable().describe('The domain of its website.'),
    color: color.nullable().describe('The color of its brand on light backgrounds.'),
    color_dark: color.nullable().describe('The color of its brand on dark backgrounds.'),
    is_featured: z.boolean().describe('Shown first to users who have not searched.'),
  })
  .meta({ id: 'Institution', description: 'A bank or another source of accounts.' });
