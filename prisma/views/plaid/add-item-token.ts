import type { Tenant } from '../../../domain/api/environment.js';
import { itemTokenPrefix } from '../../../domain/plaid/item-token-format.js';
import type { Context } from '../../base/context.js';
import { bytesColumn, sha256 } from '../../base/database/bytes.js';
import type { Tx } from '../../base/database/tx.js';

/** Creates another access token for a link. Only its hash is stored. */
export async function addItemToken(
  ctx: Context,
  tx: Tx,
  { environment, clientId }: Tenant & { clientId: string },
  linkPk: bigint,
): Promise<string> {
  const token = itemTokenPrefix('access', environment) + ctx.uuid();
  await tx.itemAccessToken.create({
    data: {
      tokenHash: bytesColumn(sha256(token)),
      linkPk,
      clientId,
      environment,
      createdAt: ctx.clock(),
    },
  });
  return token;
}
