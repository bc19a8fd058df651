import { z } from 'zod';
import { EXPORT_FORMATS, EXPORT_TABLES } from '../../../../domain/exports/export-format.js';
import { single, truth } from './query.schema.js';

const exportTable = z
  .enum(EXPORT_TABLES)
  .default('transactions')
  .meta({ id: 'ExportTable', description: 'A table of an export as CSV.' });
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
      data: single
        .pipe(
          z.enum(
            EXPORT_TABLES,
            'Must be transactions, holdings, investment_transactions or liabilities.',
          ),
        )
        .meta({ openapi: exportTable })
        .optional()
        .describe(
          'The table. Only with `csv`; holdings and investment transactions also need `investments:read`, debts `liabilities:read`. Missing = `transactions`.',
        ),
    })
    .refine(({ format, bom }) => !bom || format === 'csv', {
      path: ['bom'],
      message: 'Only csv has a byte order mark.',
    })
    .refine(({ format, data }) => data === undefined || format === 'csv', {
      path: ['data'],
      message: 'Only csv has tables.',
    }),
};
