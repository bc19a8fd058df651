import { z } from 'zod';
import { COUNTRIES } from '../../../../../domain/institutions/countries.js';

export const country = z.enum(COUNTRIES).meta({ id: 'Country' });
const color = z.string().regex(/^#[0-9a-fA-F]{6}$/);

/** Source: native-api 4.7. */
export const institution = z
  .object({
    institution_id: z.string(),
    institution_id_aliases: z.array(z.string()),
    name: z.string(),
    country,
    domain: z.string().nullable(),
    color: color.nullable(),
    color_dark: color.nullable(),
    is_featured: z.boolean(),
  })
  .meta({ id: 'Institution' });
