import type { EndUser } from '../../../domain/session/end-user.js';
import type { Context } from '../../base/context.js';
import { bytesColumn } from '../../base/database/bytes.js';
import type { Tx } from '../../base/database/tx.js';
import { keyOf, type LinkKey } from '../../sources/permissions/provider-credential.js';
import { END_USER, openSecret } from '../../base/sealing/session-secret.js';
import type { RefreshCause } from './request-refresh.js';

/**
 * Fetches that start later than this after the login count as having no waiting user (decision
 * 0039).
 */
export const PRESENT_FOR_MS = 5 * 60_000;

/** The causes of fetches that a finished login requests. */
const LOGIN_CAUSES: readonly string[] = ['prefetch', 'relink'] satisfies RefreshCause[];

const placeOf = (linkId: string) => ({
  table: 'provider_credentials',
  column: 'login_user',
  row: linkId,
});

/**
 * Keeps the user who finished the login, with the permission that it granted, for the fetches that
 * it requests: the session forgets its user now.
 */
export async function keepLoginUser(
  ctx: Context,
  tx: Tx,
  { pk: linkPk, linkId }: LinkKey,
  sessionId: string,
): Promise<void> {
  const endUser = await openSecret(ctx, tx, sessionId, END_USER, '');
  if (endUser === null) return;
  const sealed = await ctx.sealer.sealUnder(tx, keyOf(linkId), placeOf(linkId), endUser);
  await tx.providerCredential.update({
    where: { linkPk },
    data: { loginUser: bytesColumn(sealed) },
  });
}

/**
 * The user who waits for a fetch with these causes; null = it is not one of the first after a
 * login, or the login was too long ago.
 */
export async function waitingUser(
  ctx: Context,
  { pk: linkPk, linkId }: LinkKey,
  causes: readonly string[],
): Promise<EndUser | null> {
  if (!causes.some((cause) => LOGIN_CAUSES.includes(cause))) return null;
  const { prisma } = ctx.database;
  const row = await prisma.providerCredential.findUnique({
    where: { linkPk },
    select: { loginUser: true, createdAt: true },
  });
  if (!row?.loginUser) return null;
  if (ctx.clock().getTime() - row.createdAt.getTime() > PRESENT_FOR_MS) return null;
  const opened = await ctx.sealer.openUnder(prisma, keyOf(linkId), placeOf(linkId), row.loginUser);
  // LinkSessionRepository.noteEndUser wrote it.
  return opened === null ? null : (JSON.parse(opened.toString('utf8')) as EndUser);
}

/** Forgets the user of the last login once the fetches that it requested have ended. */
export async function forgetLoginUser(tx: Tx, linkPk: bigint): Promise<void> {
  await tx.$executeRaw`
    UPDATE provider_credentials SET login_user = NULL
     WHERE link_pk = ${linkPk} AND login_user IS NOT NULL
       AND NOT EXISTS (SELECT FROM refresh_requests WHERE link_pk = ${linkPk} AND cause = ANY (${[...LOGIN_CAUSES]}::text[]))`;
}
