import { createHash } from 'node:crypto';
import { pendingIdOf } from '../../../../../domain/plaid/pending-transaction-id.js';

export function pendingId(transactionId: string): string {
  return pendingIdOf(transactionId, (text) => createHash('sha256').update(text, 'ascii').digest());
}
