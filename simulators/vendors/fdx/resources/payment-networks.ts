import { FdxError } from './fdx-error.js';
import type { HeldAccount } from './held-account.js';
import type { FdxValue } from './json-number.js';

/**
 * The data for a payment to or from the account.
 * @throws FdxError 1107 for an account outside the US payment networks
 */
export function paymentNetworksOf({ category, inLedger }: HeldAccount): FdxValue[] {
  const bankId = inLedger?.routingNumber ?? null;
  if (inLedger === null || bankId === null || category !== 'DEPOSIT_ACCOUNT')
    throw new FdxError(1107);
  return ['US_ACH', 'US_RTP'].map((type) => ({
    bankId,
    identifier: inLedger.accountNumber,
    identifierType: 'ACCOUNT_NUMBER',
    type,
    transferIn: true,
    transferOut: true,
  }));
}
