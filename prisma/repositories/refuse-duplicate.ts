import type { ConnectFeatures } from '../../domain/connect-features.js';
import { DuplicateInstitution } from '../../domain/duplicate-institution.js';
import type { Tx } from '../database.js';
import type { LinkSession } from '../generated/client.js';

/**
 * link-lifecycle 2.5, duplicate_institution_rejected: no second link of a customer user at one institution. A login that
 * was given up is no link there. The user is locked until the end of the transaction, so that of two sessions which
 * finish at the same moment one is refused. @throws DuplicateInstitution
 */
export async function refuseDuplicate(tx: Tx, session: LinkSession, institutionId: string): Promise<void> {
  const features = session.features as Partial<ConnectFeatures>;
  if (session.mode === 'relink' || features.duplicate_institution_rejected !== true) return;
  await tx.$queryRaw`SELECT pk FROM customer_users WHERE pk = ${session.customerUserPk} FOR NO KEY UPDATE`;
  const another = await tx.link.findFirst({
    where: {
      customerUserPk: session.customerUserPk, worldId: session.worldId, institutionId,
      ...(session.linkPk === null ? {} : { pk: { not: session.linkPk } }),
      OR: [
        { state: { in: ['awaiting_token_exchange', 'connected'] } },
        // An imported link begins in auth_expired, which no other reaches without having been connected.
        { state: 'error', OR: [{ connectedAt: { not: null } }, { errorCode: 'auth_expired' }] },
      ],
    },
    select: { pk: true },
  });
  if (another !== null) throw new DuplicateInstitution(institutionId);
}
