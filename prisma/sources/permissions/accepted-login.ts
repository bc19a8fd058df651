import { Decimal } from 'decimal.js';
import type { FetchedAccount } from '../../../domain/refresh/fetched-data.js';
import type { IncompleteAccount } from '../../../domain/refresh/incomplete-answer.js';
import type { Context } from '../../base/context.js';
import type { Tx } from '../../base/database/tx.js';
import { openSecret, putSecret } from '../../base/sealing/session-secret.js';
import {
  keepGrant,
  keptGrant,
  LOGIN_GRANT,
  type KeptGrant,
  type LoginGrant,
} from './login-grant.js';

/** A login that the bank accepted: its grant, and the accounts that it opens. */
export interface AcceptedLogin extends LoginGrant {
  accounts: readonly FetchedAccount[];
  /** Accounts whose data in the bank's list is incomplete. */
  incomplete?: readonly IncompleteAccount[];
  /** The time at which it expires by itself; null or missing = no known end. */
  permissionEndsAt?: Date | null;
}

export interface KeptLogin extends AcceptedLogin, KeptGrant {
  acceptedAt: Date;
}

/** The kind of the secret that holds the login without its grant. */
const ACCEPTED_LOGIN = 'accepted_login';

/**
 * Keeps the login sealed in the session until linking ends: none of it becomes part of a link
 * before the user has answered the last prompt.
 */
export async function keepLogin(
  ctx: Context,
  tx: Tx,
  sessionId: string,
  login: AcceptedLogin & KeptGrant,
  acceptedAt: Date,
): Promise<void> {
  await keepGrant(ctx, tx, sessionId, login);
  const { accounts, incomplete, permissionEndsAt } = login;
  // Decimals and dates serialize to text.
  const text = JSON.stringify({ accounts, incomplete, permissionEndsAt, acceptedAt });
  await putSecret(ctx, tx, sessionId, ACCEPTED_LOGIN, '', Buffer.from(text, 'utf8'));
}

/** The login of the current attempt; null = none was accepted, or the attempt has ended. */
export async function keptLogin(
  ctx: Context,
  db: Tx | Context['database']['prisma'],
  sessionId: string,
): Promise<KeptLogin | null> {
  const sealed = await openSecret(ctx, db, sessionId, ACCEPTED_LOGIN, '');
  const grant = sealed === null ? null : await keptGrant(ctx, db, sessionId);
  if (sealed === null || grant === null) return null;
  // Only keepLogin writes this secret.
  const kept = JSON.parse(sealed.toString('utf8')) as KeptText;
  return {
    ...grant,
    incomplete: kept.incomplete ?? [],
    acceptedAt: new Date(kept.acceptedAt),
    permissionEndsAt: toDate(kept.permissionEndsAt),
    accounts: kept.accounts.map((account) => ({
      ...account,
      available: toDecimal(account.available),
      current: toDecimal(account.current),
      limit: toDecimal(account.limit),
      balanceDate: toDate(account.balanceDate),
    })),
  };
}

/** Erases the login with its grant: the next attempt receives its own. */
export async function forgetLogin(tx: Tx, sessionId: string): Promise<void> {
  await tx.sessionSecret.deleteMany({
    where: { sessionId, kind: { in: [ACCEPTED_LOGIN, LOGIN_GRANT] } },
  });
}

/** Erases the listing of a login. The next attempt lists again, with the grant that stays. */
export async function forgetListing(tx: Tx, sessionId: string): Promise<void> {
  await tx.sessionSecret.deleteMany({ where: { sessionId, kind: ACCEPTED_LOGIN } });
}

type TextOf<T, K extends keyof T> = Omit<T, K> & Record<K, string | null>;
type AccountText = TextOf<FetchedAccount, 'available' | 'current' | 'limit' | 'balanceDate'>;
interface KeptText extends Pick<AcceptedLogin, 'incomplete'> {
  acceptedAt: string;
  permissionEndsAt?: string | null;
  accounts: AccountText[];
}

function toDecimal(text: string | null): Decimal | null {
  return text === null ? null : new Decimal(text);
}

function toDate(text: string | null = null): Date | null {
  return text === null ? null : new Date(text);
}
