import { BankError } from './bank-error.js';
import type { BankRequest } from './bank-request.js';

/**
 * What time it is in the world of whoever calls, who keeps its clock; null = the caller lives in real time. Data and the
 * life of permissions follow it.
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
