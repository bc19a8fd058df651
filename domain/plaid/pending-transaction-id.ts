const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const LENGTH = 22;

/**
 * The id of a transaction while it is pending. It is not stored but always derived from the native
 * id in the same way. `sha256`: of ASCII text. Source: plaid-compat 5.2.
 */
export function pendingIdOf(transactionId: string, sha256: (text: string) => Uint8Array): string {
  let number = sha256(`compat-pending:v1:${transactionId}`)
    .subarray(0, 16)
    .reduce((value, byte) => value * 256n + BigInt(byte), 0n);
  let text = '';
  while (number > 0n) {
    text = ALPHABET.charAt(Number(number % 57n)) + text;
    number /= 57n;
  }
  return `txn_${text.padStart(LENGTH, ALPHABET.charAt(0))}`;
}
