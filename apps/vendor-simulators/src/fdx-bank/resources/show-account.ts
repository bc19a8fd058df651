import type { HeldAccount } from './held-account.js';
import type { FdxValue } from './json-number.js';

/** The descriptor, as `/accounts` lists it. */
export function showDescriptor(account: HeldAccount): Record<string, FdxValue> {
  return {
    accountCategory: account.category,
    accountId: account.id,
    accountType: account.accountType,
    accountNumberDisplay: account.mask,
    productName: account.name,
    nickname: account.name,
    status: 'OPEN',
    currency: { currencyCode: account.currency },
    error:
      account.inLedger?.isDown === true
        ? { code: 501, message: 'Subsystem unavailable' }
        : undefined,
  };
}

/** @param details of the account @param now by the clock of the ledger */
export const showDetails = (
  account: HeldAccount,
  details: Readonly<Record<string, FdxValue>>,
  now: Date,
): FdxValue => ({ ...showDescriptor(account), balanceAsOf: now.toISOString(), ...details });
