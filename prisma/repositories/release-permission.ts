import { REVOKE_FOR_MS } from '../../domain/link-deletion.js';
import { bytesColumn, type Context } from '../context.js';
import type { Tx } from '../database.js';
import { forgetLogin, keptLogin } from './accepted-login.js';
import { enqueueCommand } from './outbox.js';
import { eraseCredential, openCredential, type HeldPermission } from './provider-credential.js';

interface ReleasedLink {
  pk: bigint;
  linkId: string;
}

/** The data key of a revocation. */
export const revocationKey = (revocationId: string): string => `revocation/${revocationId}`;
export const revocationPlace = (revocationId: string) => ({ table: 'permission_revocations', column: 'sealed', row: revocationId });

/**
 * Nobody uses this permission any more: it is kept only until it has ended at the bank too, 24 hours at most, under a
 * data key of its own. Source: link-lifecycle 9.
 */
export async function releasePermission(ctx: Context, tx: Tx, link: ReleasedLink, { provider, reference, credential }: HeldPermission): Promise<void> {
  const revocationId = ctx.uuid();
  const now = ctx.clock();
  const sealed = bytesColumn(await ctx.sealer.sealUnder(tx, revocationKey(revocationId), revocationPlace(revocationId), credential));
  await tx.permissionRevocation.create({
    data: { revocationId, linkPk: link.pk, provider, reference, sealed, giveUpAt: new Date(now.getTime() + REVOKE_FOR_MS), createdAt: now },
  });
  await enqueueCommand(tx, { kind: 'startLinkDeletion', linkId: link.linkId });
}

/** Takes the credential of a locked link away from it, to be revoked. */
export async function releaseCredential(ctx: Context, tx: Tx, link: ReleasedLink): Promise<void> {
  const held = await openCredential(ctx, tx, link);
  if (held !== null) await releasePermission(ctx, tx, link, held);
  await eraseCredential(ctx, tx, link);
}

/**
 * The attempt of a session is over before its end: what the bank gave in it is forgotten here and revoked there. A
 * permission that the bank renewed under its old name is still the link's (link-lifecycle 8: a failed relink changes
 * nothing).
 */
export async function releaseLogin(ctx: Context, tx: Tx, sessionId: string): Promise<void> {
  const login = await keptLogin(ctx, tx, sessionId);
  if (login === null) return;
  await forgetLogin(tx, sessionId);
  const session = await tx.linkSession.findUniqueOrThrow({ where: { sessionId }, include: { link: { include: { credential: true } } } });
  const { link } = session;
  if (link === null || link.credential?.reference === login.reference) return;
  await releasePermission(ctx, tx, link, { provider: session.provider ?? link.provider, reference: login.reference, credential: login.credential });
}
