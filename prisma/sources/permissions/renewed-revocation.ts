import type { Context } from '../../base/context.js';
import { bytesColumn } from '../../base/database/bytes.js';
import type { Tx } from '../../base/database/tx.js';
import { revocationKey, revocationPlace } from './release-permission.js';

/**
 * Keeps a renewed credential for permissions that are about to be revoked, since their stored one
 * no longer works. Does nothing if there is no such permission.
 */
export async function renewForRevocation(
  ctx: Context,
  tx: Tx,
  which: { revocationId: string } | { linkPk: bigint; provider: string; reference: string },
  credential: Uint8Array,
): Promise<void> {
  const rows = await tx.permissionRevocation.findMany({
    where: which,
    select: { revocationId: true },
  });
  for (const { revocationId } of rows) {
    const sealed = await ctx.sealer.sealUnder(
      tx,
      revocationKey(revocationId),
      revocationPlace(revocationId),
      credential,
    );
    await tx.permissionRevocation.updateMany({
      where: { revocationId },
      data: { sealed: bytesColumn(sealed) },
    });
  }
}
