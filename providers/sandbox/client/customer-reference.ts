import { createHash } from 'node:crypto';
import type { LoginContext } from '../../provider.js';

/**
 * The customer id sent to the sandbox bank. The bank only has to distinguish customers; it must not
 * receive the app's user id, which may be an email address that erasing the user could not remove
 * there.
 */
export function customerReferenceOf({
  customerUserId,
}: Pick<LoginContext, 'customerUserId'>): string {
  return createHash('sha256').update(`sandbox-customer/${customerUserId}`).digest('base64url');
}
