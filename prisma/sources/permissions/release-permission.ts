import { REVOCATION_RETRY_MS } from '../../../domain/link/link-deletion.js';
import type { Context } from '../../base/context.js';
import { bytesColumn } from '../../base/database/bytes.js';
import type { Tx } from '../../base/database/tx.js';
import { SealedValueUnreadable } from '../../base/sealing/aes-gcm.js';
import { forgetLogin } from './accepted-login.js';
import { keptGrant, type KeptGrant } from './login-grant.js';
import { enqueueCommand } from '../../base/outbox/outbox.js';
import { eraseCredential, openCredential, type HeldPermission } from './provider-credential.js';
import { recordUnrevoked } from './unrevoked-permission.js';

interface ReleasedLink {
  pk: bigint;
  linkId: string;
}

/** The owner of the data key of a revocation. */
export const revocationKey = (revocationId: string): string => `revocation/${revocationId}`;
export const revocationPlace = (revocationId: string) => ({
  table: 'permission_revocations',
  column: 'sealed',
  row: revocationId,
});

/**
 * Releases a permission that is no longer used: it is kept, under its own data key, only until it
 * has ended at the bank, 24 hours at most. Source: link-lifecycle 9.
 */
export async function releasePermission(
  ctx: Context,
  tx: Tx,
  link: ReleasedLink,
  { provider, reference, credential }: HeldPermission,
): Promise<void> {
  const revocationId = ctx.uuid();
  const now = ctx.clock();
  const sealed = bytesColumn(
    await ctx.sealer.sealUnder(
      tx,
      revocationKey(revocationId),
      revocationPlace(revocationId),
      credential,
    ),
  );
  await tx.permissionRevocation.create({
    data: {
      revocationId,
      linkPk: link.pk,
      provider,
      reference,
      sealed,
      giveUpAt: new Date(now.getTime() + REVOCATION_RETRY_MS),
      createdAt: now,
    },
  });
  await enqueueCommand(tx, { kind: 'startLinkDeletion', linkId: link.linkId });
}

/**
 * Detaches the credential from a locked link for revocation. One that cannot be opened is recorded
 * and erased.
 */
export async function releaseCredential(ctx: Context, tx: Tx, link: ReleasedLink): Promise<void> {
  const held = await credentialToRevoke(ctx, tx, link);
  if (held !== null) await releasePermission(ctx, tx, link, held);
  await eraseCredential(ctx, tx, link);
}

/**
 * The credential of a link; one that cannot be opened is recorded as not revoked. Null = nothing to
 * revoke.
 */
export async function credentialToRevoke(
  ctx: Context,
  tx: Tx,
  { pk: linkPk, linkId }: ReleasedLink,
): Promise<HeldPermission | null> {
  const row = await tx.providerCredential.findUnique({
    where: { linkPk },
    select: { provider: true, reference: true },
  });
  if (row === null) return null;
  const held = await ifReadable(openCredential(ctx, tx, { pk: linkPk, linkId }));
  if (held === null) await recordUnrevoked(ctx, tx, { linkPk, ...row, reason: 'unreadable' });
  return held;
}

/**
 * Resolves to null when the sealed value is unreadable; rethrows other failures, such as database
 * errors.
 */
export async function ifReadable<T>(opening: Promise<T>): Promise<T | null> {
  try {
    return await opening;
  } catch (error) {
    if (error instanceof SealedValueUnreadable) return null;
    throw error;
  }
}

/**
 * Ends the attempt of a session early: the permission that its login received is forgotten here and
 * revoked at the bank. A permission that the bank renewed under its existing id still belongs to
 * the link (link-lifecycle 8: a failed relink changes nothing).
 */
export async function releaseLogin(ctx: Context, tx: Tx, sessionId: string): Promise<void> {
  const grant = await readGrant(ctx, tx, sessionId);
  await forgetLogin(tx, sessionId);
  if (grant === null) return;
  if (grant === 'unreadable') return recordUnreadable(ctx, tx, sessionId);
  const link = await tx.link.findUnique({
    where: { pk: grant.linkPk },
    include: { credential: { select: { reference: true } } },
  });
  if (link !== null && link.credential?.reference !== grant.reference)
    await releasePermission(ctx, tx, link, grant);
}

async function recordUnreadable(ctx: Context, tx: Tx, sessionId: string): Promise<void> {
  const { link, provider } = await tx.linkSession.findUniqueOrThrow({
    where: { sessionId },
    select: { provider: true, link: { select: { pk: true, provider: true } } },
  });
  if (link !== null)
    await recordUnrevoked(ctx, tx, {
      linkPk: link.pk,
      provider: provider ?? link.provider,
      reference: null,
      reason: 'unreadable',
    });
}

async function readGrant(
  ctx: Context,
  tx: Tx,
  sessionId: string,
): Promise<KeptGrant | 'unreadable' | null> {
  try {
    return await keptGrant(ctx, tx, sessionId);
  } catch (error) {
    if (error instanceof SealedValueUnreadable) return 'unreadable';
    throw error;
  }
}
