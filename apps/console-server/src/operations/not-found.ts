import { API_ERRORS } from '../../../../domain/errors/api-errors.js';
import { OperationRefused } from './operation.js';

type NotFound = Extract<keyof typeof API_ERRORS, `${string}.not_found`>;

/** The answer to what is unknown, and to what belongs to another app or environment: the API's own words. */
export const unknown = (code: NotFound): OperationRefused =>
  new OperationRefused(404, code, API_ERRORS[code].message);
