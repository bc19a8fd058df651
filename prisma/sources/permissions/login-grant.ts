import type { Context } from '../../base/context.js';
import type { Tx } from '../../base/database/tx.js';
import { openSecret, putSecret } from '../../base/sealing/session-secret.js';

/**
 * A permission that a login of a session received, even if its accounts are not listed yet. The
 * token or code for which it was received may work only once.
 */
export interface LoginGrant {
  credential: Uint8Array;
  /** The provider's own id of this permission. */
  reference: string;
  consent: 'given_at_bank' | 'ask';
  /** The linked institution, if it is not the requested one. */
  institution?: LinkedInstitution | null;
  /** `LinkedOutcome.isRenewable`. */
  isRenewable?: boolean;
}

export interface LinkedInstitution {
  /** The provider's id. */
  remoteId: string;
  name: string;
  url: string | null;
}

/** A grant, and the login that it belongs to. */
export interface KeptGrant extends LoginGrant {
  provider: string;
  linkPk: bigint;
}

/** The kind of the secret that holds it. */
export const LOGIN_GRANT = 'login_grant';

/** Keeps the grant sealed in its session until it is stored in the link, or released. */
export async function keepGrant(
  ctx: Context,
  tx: Tx,
  sessionId: string,
  { credential, reference, consent, institution, isRenewable, provider, linkPk }: KeptGrant,
): Promise<void> {
  const text = JSON.stringify({
    credential: Buffer.from(credential).toString('base64'),
    reference,
    consent,
    institution,
    isRenewable,
    provider,
    linkPk: linkPk.toString(),
  });
  await putSecret(ctx, tx, sessionId, LOGIN_GRANT, '', Buffer.from(text, 'utf8'));
}

/** The grant of the session; null = it has none. */
export async function keptGrant(
  ctx: Context,
  db: Tx | Context['database']['prisma'],
  sessionId: string,
): Promise<KeptGrant | null> {
  const sealed = await openSecret(ctx, db, sessionId, LOGIN_GRANT, '');
  if (sealed === null) return null;
  // Only keepGrant writes this secret.
  const { credential, linkPk, ...facts } = JSON.parse(sealed.toString('utf8')) as GrantText;
  return { ...facts, credential: Buffer.from(credential, 'base64'), linkPk: BigInt(linkPk) };
}

type GrantText = Omit<KeptGrant, 'credential' | 'linkPk'> & { credential: string; linkPk: string };
