import type { Tenant } from './environment.js';

/** The maximum number of users or links that a key pair is limited to. */
export const MAX_RESTRICTED_TO = 100;

/** True if a caller may create links for a user, export the user's data and erase it. */
export function permitsUser({ only }: Tenant, userId: string): boolean {
  return only === undefined || ('users' in only && only.users.includes(userId));
}

export function permitsLink(
  { only }: Tenant,
  { linkId, customerUserId }: { linkId: string; customerUserId: string },
): boolean {
  if (only === undefined) return true;
  return 'users' in only ? only.users.includes(customerUserId) : only.links.includes(linkId);
}

/** A restricted key pair named a user to whom it is not limited. */
export class UserNotPermitted extends Error {
  override readonly name = 'UserNotPermitted';

  constructor() {
    super('The key pair is limited to other users, or to existing links.');
  }
}
