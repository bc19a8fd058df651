import { Decimal } from 'decimal.js';
import type { FetchedAccount } from '../../domain/refresh/fetched-data.js';
import type { IncompleteAccount } from '../../domain/refresh/incomplete-answer.js';
import type { Context } from '../context.js';
import type { Tx } from '../database/tx.js';
import { openSecret, putSecret } from '../sealing/session-secret.js';

/** The result of a login that the bank accepted. */
export interface AcceptedLogin {
  credential: Uint8Array;
  /** The provider's own id of this permission. */
  reference: string;
  consent: 'given_at_bank' | 'ask';
  accounts: readonly FetchedAccount[];
  /** The institution that was linked, if it is not the one asked for. */
  institution?: LinkedInstitution | null;
  /** Accounts of which the bank's list is incomplete. */
  incomplete?: readonly IncompleteAccount[];
  /** When it expires by itself; null or missing = no known end. */
  permissionEndsAt?: Date | null;
}

export interface KeptLogin extends AcceptedLogin {
  acceptedAt: Date;
}

export interface LinkedInstitution {
  /** The provider's id. */
  remoteId: string;
  name: string;
  url: string | null;
}

/** The kind of the secret that holds it. */
export const ACCEPTED_LOGIN = 'accepted_login';

/**
 * Keeps the login sealed in the session until linking ends: none of it becomes part of a link
 * before the user has answered the last prompt.
 */
export async function keepLogin(
  ctx: Context,
  tx: Tx,
  sessionId: string,
  { credential, accounts, institution: _stored, ...facts }: AcceptedLogin,
  acceptedAt: Date,
): Promise<void> {
  // The institution is that of the link by now. Decimals and dates serialize to text.
  const text = JSON.stringify({
    ...facts,
    accounts,
    credential: Buffer.from(credential).toString('base64'),
    acceptedAt,
  });
  await putSecret(ctx, tx, sessionId, ACCEPTED_LOGIN, '', Buffer.from(text, 'utf8'));
}

/** The login of the current attempt; null = none was accepted, or the attempt is over. */
export async function keptLogin(
  ctx: Context,
  db: Tx | Context['database']['prisma'],
  sessionId: string,
): Promise<KeptLogin | null> {
  const sealed = await openSecret(ctx, db, sessionId, ACCEPTED_LOGIN, '');
  if (sealed === null) return null;
  // Only keepLogin writes this secret.
  const kept = JSON.parse(sealed.toString('utf8')) as KeptText;
  return {
    reference: kept.reference,
    consent: kept.consent,
    incomplete: kept.incomplete ?? [],
    credential: Buffer.from(kept.credential, 'base64'),
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

/** Called when an attempt ends: the next attempt has its own login. */
export async function forgetLogin(tx: Tx, sessionId: string): Promise<void> {
  await tx.sessionSecret.deleteMany({ where: { sessionId, kind: ACCEPTED_LOGIN } });
}

type TextOf<T, K extends keyof T> = Omit<T, K> & Record<K, string | null>;
type AccountText = TextOf<FetchedAccount, 'available' | 'current' | 'limit' | 'balanceDate'>;
interface KeptText extends Pick<AcceptedLogin, 'reference' | 'consent' | 'incomplete'> {
  credential: string;
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
