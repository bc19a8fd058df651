import type { FdxInstitution } from '../institutions.js';
import { FdxError } from './fdx-error.js';
import type { HeldAccount } from './held-account.js';
import type { FdxValue } from './json-number.js';

/** The descriptor, without balances. */
export const showDescriptor = (account: HeldAccount): Record<string, FdxValue> => ({
  accountCategory: account.category,
  accountId: account.id,
  accountType: account.accountType,
  accountNumberDisplay: account.mask,
  productName: account.name,
  nickname: account.name,
  status: 'OPEN',
  currency: { currencyCode: account.currency },
});

/** An entry of `/accounts`; an account that is down stays in the list, with its error. */
export const showListed = (
  account: HeldAccount,
  errorCodes: FdxInstitution['errorCodes'],
): FdxValue => ({
  ...showDescriptor(account),
  error: account.inLedger?.isDown === true ? new FdxError(501).bodyWith(errorCodes) : undefined,
});
