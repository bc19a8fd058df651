import type { ConnectFeatures } from '../../../domain/session/connect-features.js';
import { DuplicateInstitution } from '../../../domain/session/duplicate-institution.js';
import type { Tx } from '../../base/database/tx.js';
import type { Link, LinkSession } from '../../generated/client.js';

/**
 * Another link of the customer user at the institution: connected ones first, then the newest. An
 * abandoned login does not count as a link, and a relink has no duplicates. Source: link-lifecycle
 * 2.5.
 */
export async function findDuplicate(
  tx: Tx,
  session: LinkSession,
  institutionId: string,
): Promise<Link | null> {
  if (session.mode === 'relink') return null;
  return tx.link.findFirst({
    where: {
      customerUserPk: session.customerUserPk,
      worldId: session.worldId,
      institutionId,
      ...(session.linkPk === null ? {} : { pk: { not: session.linkPk } }),
      OR: [
        { state: { in: ['awaiting_token_exchange', 'connected'] } },
        // An imported link starts in auth_expired, which any other link reaches only after it was
        // connected.
        { state: 'error', OR: [{ connectedAt: { not: null } }, { errorCode: 'auth_expired' }] },
      ],
    },
    orderBy: [{ connectedAt: { sort: 'desc', nulls: 'last' } }, { pk: 'desc' }],
  });
}

/**
 * duplicate_institution_rejected: refuses a second link. The user is locked until the end of the
 * transaction, so that one of two sessions that finish at the same moment is refused. @throws
 * DuplicateInstitution
 */
export async function refuseDuplicate(
  tx: Tx,
  session: LinkSession,
  institutionId: string,
): Promise<void> {
  if (session.mode === 'relink' || !featuresOf(session).duplicate_institution_rejected) return;
  await tx.$queryRaw`SELECT pk FROM customer_users WHERE pk = ${session.customerUserPk} FOR NO KEY UPDATE`;
  if ((await findDuplicate(tx, session, institutionId)) !== null)
    throw new DuplicateInstitution(institutionId);
}

export function featuresOf({ features }: LinkSession): Partial<ConnectFeatures> {
  return features as Partial<ConnectFeatures>;
}
