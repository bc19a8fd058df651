import type { Context } from '../context.js';
import { bytesColumn } from '../database/bytes.js';
import type { Tx } from '../database/tx.js';

/** A credential, and the provider's id of the permission it belongs to. */
export interface HeldPermission {
  provider: string;
  reference: string;
  credential: Uint8Array;
}

interface LinkKey {
  pk: bigint;
  linkId: string;
}

const keyOf = (linkId: string): string => `credential/${linkId}`;
const placeOf = (linkId: string) => ({
  table: 'provider_credentials',
  column: 'sealed',
  row: linkId,
});

/** The opened credential of a link; null = it has none, or its key was erased. */
export async function openCredential(
  ctx: Context,
  db: Tx | Context['database']['prisma'],
  { pk, linkId }: LinkKey,
): Promise<HeldPermission | null> {
  const owner = keyOf(linkId);
  const [row] = await db.$queryRaw<
    {
      provider: string;
      reference: string;
      sealed: Uint8Array;
      master_key_id: string;
      wrapped: Uint8Array;
    }[]
  >`
    SELECT held.provider, held.reference, held.sealed, data_key.master_key_id, data_key.wrapped
      FROM provider_credentials held JOIN data_keys data_key ON data_key.owner = ${owner} WHERE held.link_pk = ${pk}`;
  if (row === undefined) return null;
  const { provider, reference, sealed, master_key_id: masterKeyId, wrapped } = row;
  return {
    provider,
    reference,
    credential: ctx.sealer.openWith({ owner, masterKeyId, wrapped }, placeOf(linkId), sealed),
  };
}

export async function storeCredential(
  ctx: Context,
  tx: Tx,
  { pk, linkId }: LinkKey,
  { provider, reference, credential }: HeldPermission,
): Promise<void> {
  const sealed = bytesColumn(
    await ctx.sealer.sealUnder(tx, keyOf(linkId), placeOf(linkId), credential),
  );
  // created_at shows a running fetch whether the permission that failed it is still the current
  // one.
  const row = { provider, reference, sealed, endDueAt: null, createdAt: ctx.clock() };
  await tx.providerCredential.upsert({
    where: { linkPk: pk },
    create: { linkPk: pk, ...row },
    update: row,
  });
}

/** Erases the credential with its data key. */
export async function eraseCredential(
  ctx: Context,
  tx: Tx,
  { pk, linkId }: LinkKey,
): Promise<void> {
  await tx.providerCredential.deleteMany({ where: { linkPk: pk } });
  await ctx.sealer.eraseKey(tx, keyOf(linkId));
}
