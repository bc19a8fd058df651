import { findMagicUser, type PermissionLife } from '../customers/magic-users.js';
import type { Bank } from '../bank.js';
import type { Login } from './login-store.js';

const DAY_MS = 86_400_000;

export interface Acceptance {
  userName: string;
  /** The accounts the customer chose; null = all. */
  accountKeys: readonly string[] | null;
}

/** Turns an accepted login into a permission. Idempotent. */
export async function acceptLogin(
  { connections, now }: Bank,
  login: Login,
  { userName, accountKeys }: Acceptance,
): Promise<string> {
  const user = findMagicUser(userName);
  if (user === null) throw new Error('A login was accepted of an unknown user.');
  const connectionId = await connections.create({
    institutionId: login.institutionId,
    worldId: login.worldId,
    userName,
    customerReference: login.customerReference,
    accountKeys,
    areas: login.areas,
    customData: user.data === 'custom' ? login.customData : null,
    ...limitsOf(user.life, login.worldTime ?? now()),
    idempotencyKey: `login/${login.loginId}`,
    continues: login.previousConnectionId,
  });
  if (connectionId === null) throw new Error('One login was accepted for two customers.');
  return connectionId;
}

/** Source: link-lifecycle 13.3. */
function limitsOf(
  life: PermissionLife,
  worldNow: Date,
): { endsAt: Date | null; listingsLeft: number | null } {
  switch (life) {
    case 'until_revoked':
      return { endsAt: null, listingsLeft: null };
    case 'one_listing_of_accounts':
      // the login itself reads the accounts once; every later listing is a fetch
      return { endsAt: null, listingsLeft: 1 };
    default:
      return { endsAt: new Date(worldNow.getTime() + life.days * DAY_MS), listingsLeft: null };
  }
}
