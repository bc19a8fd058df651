import type { Context } from '../../base/context.js';
import { bytesColumn } from '../../base/database/bytes.js';
import type { Tx } from '../../base/database/tx.js';
import { keyOf, type LinkKey } from './provider-credential.js';

// The state of a source's update may name a job or hold a token: it is sealed with the credential,
// and erased with it.

const placeOf = (linkId: string) => ({
  table: 'provider_credentials',
  column: 'update_state',
  row: linkId,
});

/** The opened state; null = no update is pending. */
export async function openUpdateState(
  ctx: Context,
  { pk: linkPk, linkId }: LinkKey,
): Promise<Uint8Array | null> {
  const { prisma } = ctx.database;
  const row = await prisma.providerCredential.findUnique({
    where: { linkPk },
    select: { updateState: true },
  });
  if (!row?.updateState) return null;
  return ctx.sealer.openUnder(prisma, keyOf(linkId), placeOf(linkId), row.updateState);
}

/** Stores the state with the permission it belongs to, or clears it. */
export async function storeUpdateState(
  ctx: Context,
  tx: Tx,
  { pk: linkPk, linkId }: LinkKey,
  reference: string,
  state: Uint8Array | null,
): Promise<void> {
  const [held] = await tx.$queryRaw<{ has_state: boolean }[]>`
    SELECT update_state IS NOT NULL AS has_state FROM provider_credentials
     WHERE link_pk = ${linkPk} AND reference = ${reference} FOR NO KEY UPDATE`;
  if (held === undefined || (state === null && !held.has_state)) return;
  const sealed =
    state === null ? null : await ctx.sealer.sealUnder(tx, keyOf(linkId), placeOf(linkId), state);
  await tx.providerCredential.update({
    where: { linkPk },
    data: { updateState: sealed === null ? null : bytesColumn(sealed) },
  });
}
