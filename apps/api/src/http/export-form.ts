import { ApiError } from '../../../../domain/errors/api-errors.js';
import { permits } from '../../../../domain/api/scopes.js';
import type { ExportForm, ExportTable } from '../../../../domain/exports/export-format.js';
import { SCOPE_OF_TABLE } from '../../../../domain/exports/exported-details.js';
import type { Caller } from './request-state.js';

/**
 * The form of a requested export. Source: native-api 3.7.
 * @throws ApiError `api_error.auth.unauthorized` if the token may not read the table
 */
export function exportFormFor(
  { scopes }: Caller,
  { data = 'transactions', ...form }: Omit<ExportForm, 'data'> & { data?: ExportTable | undefined },
): ExportForm {
  const scope = SCOPE_OF_TABLE[data];
  if (scope !== null && !permits(scopes, scope))
    throw new ApiError('api_error.auth.unauthorized', {
      message: `The token lacks the scope ${scope}.`,
      challenge: { error: 'insufficient_scope', scope },
    });
  return { ...form, data };
}
