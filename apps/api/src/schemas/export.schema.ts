import { z } from 'zod';
import { EXPORT_FORMATS } from '../../../../domain/exports/export-format.js';
import { single } from './query.schema.js';

const exportFormat = z.enum(EXPORT_FORMATS).default('json').meta({ id: 'ExportFormat' });

/** Source: native-api 3.7. */
export const ExportQuery = {
  query: z.object({
    format: single
      .pipe(z.enum(EXPORT_FORMATS, 'Must be json, jsonl or csv.'))
      .meta({ openapi: exportFormat })
      .default('json'),
  }),
};
