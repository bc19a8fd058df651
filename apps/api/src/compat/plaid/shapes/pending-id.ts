import { createHash } from 'node:crypto';

const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const LENGTH = 22;

/**
 * The id of a transaction while it is pending. It is never stored: every answer and webhook derives it from our id of the
 * transaction, and what it is derived by never changes. Source: plaid-compat 5.2.
 */
export function pendingId(transactionId: string): string {
  const digest = createHash('sha256').update(`compat-pending:v1:${transactionId}`, 'ascii').digest().subarray(0, 16);
  let number = BigInt(`0x${digest.toString('hex')}`);
  let text = '';
  while (number > 0n) {
    text = ALPHABET.charAt(Number(number % 57n)) + text;
    number /= 57n;
  }
  return `txn_${text.padStart(LENGTH, ALPHABET.charAt(0))}`;
}
