import { BankError } from './bank-error.js';
import type { BankRequest } from './bank-request.js';

/**
 * The time in the world of the caller, which keeps its clock; null = the caller uses real time.
 * Data and the lifetime of permissions follow it.
 */
export function readWorldTime(request: BankRequest): Date | null {
  const text = request.header('world-time');
  if (text === null) return null;
  const moment = new Date(text);
  if (
    !/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/.test(text) ||
    Number.isNaN(moment.getTime())
  ) {
    throw new BankError(
      'invalid_request',
      'The header World-Time must be an ISO 8601 moment in UTC.',
    );
  }
  return moment;
}
