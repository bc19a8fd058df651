import type { Tenant } from '../../../domain/api/environment.js';
import { permitsUser, UserNotPermitted } from '../../../domain/api/restriction.js';
import type { Context } from '../../base/context.js';
import type { Tx } from '../../base/database/tx.js';

export interface NewCustomerUser {
  id: string;
  email: unknown;
  phone: unknown;
}

/**
 * Finds or creates the user in one statement, because two sessions for the same new user may be
 * created concurrently. Returns the key of the user.
 */
export async function storeCustomerUser(
  ctx: Context,
  tx: Tx,
  tenant: Tenant,
  user: NewCustomerUser,
): Promise<bigint> {
  if (!permitsUser(tenant, user.id)) throw new UserNotPermitted();
  const { appId, environment } = tenant;
  const [email, phone] = [jsonText(user.email), jsonText(user.phone)];
  const [row] = await tx.$queryRaw<{ pk: bigint }[]>`
    INSERT INTO customer_users AS u (app_id, environment, user_id, email, phone, created_at, last_used_at)
    VALUES (${appId}, ${environment}, ${user.id}, ${email}::jsonb, ${phone}::jsonb, ${ctx.clock()}, ${ctx.clock()})
    ON CONFLICT (app_id, environment, user_id) DO UPDATE
       SET email = coalesce(excluded.email, u.email), phone = coalesce(excluded.phone, u.phone), last_used_at = excluded.last_used_at
    RETURNING pk`;
  if (row === undefined) throw new Error('the customer user was not stored');
  return row.pk;
}

function jsonText(value: unknown): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value);
}
