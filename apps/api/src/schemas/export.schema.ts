import { z } from 'zod';
import { EXPORT_FORMATS } from '../../../../domain/exports/export-format.js';
import { single, truth } from './query.schema.js';

const exportFormat = z.enum(EXPORT_FORMATS).default('json').meta({ id: 'ExportFormat' });

/** Source: native-api 3.7. */
export const ExportQuery = {
  query: z
    .object({
      format: single
        .pipe(z.enum(EXPORT_FORMATS, 'Must be json, jsonl or csv.'))
        .meta({ openapi: exportFormat })
        .default('json')
        .describe('The form of the export.'),
      bom: truth
        .meta({ openapi: { type: 'boolean', default: false } })
        .default(false)
        .describe('A byte order mark before the table, which Excel needs. Only with `csv`.'),
    })
    .refine(({ format, bom }) => !bom || format === 'csv', {
      path: ['bom'],
      message: 'Only csv has a byte order mark.',
    }),
};
