import { createHash } from 'node:crypto';
import type { LoginContext } from '../../provider.js';

/**
 * What the sandbox bank knows a customer by. It has to tell customers apart, not to know the app's id of a user, which
 * may be an e-mail address: erasing the user would not reach into the bank.
 */
export function customerReferenceOf({
  customerUserId,
}: Pick<LoginContext, 'customerUserId'>): string {
  return createHash('sha256').update(`sandbox-customer/${customerUserId}`).digest('base64url');
}
