import type { Context } from '../../base/context.js';
import { bytesColumn } from '../../base/database/bytes.js';
import type { Tx } from '../../base/database/tx.js';

/** A credential, and the provider's id of the permission it belongs to. */
export interface HeldPermission {
  provider: string;
  reference: string;
  credential: Uint8Array;
}

/**
 * Distinguishes the states of a stored credential: a renewal increments the version, a relink
 * replaces the row.
 */
export interface CredentialEdition {
  version: number;
  createdAt: Date;
}

export interface OpenedCredential extends HeldPermission {
  edition: CredentialEdition;
}

export interface LinkKey {
  pk: bigint;
  linkId: string;
}

/** The owner of the data key of a credential. */
export const keyOf = (linkId: string): string => `credential/${linkId}`;
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
): Promise<OpenedCredential | null> {
  const owner = keyOf(linkId);
  const [row] = await db.$queryRaw<
    {
      provider: string;
      reference: string;
      sealed: Uint8Array;
      version: number;
      created_at: Date;
      master_key_id: string;
      wrapped: Uint8Array;
    }[]
  >`
    SELECT held.provider, held.reference, held.sealed, held.version, held.created_at, data_key.master_key_id, data_key.wrapped
      FROM provider_credentials held JOIN data_keys data_key ON data_key.owner = ${owner} WHERE held.link_pk = ${pk}`;
  if (row === undefined) return null;
  const { provider, reference, sealed, master_key_id: masterKeyId, wrapped } = row;
  const edition = { version: row.version, createdAt: row.created_at };
  return {
    provider,
    reference,
    edition,
    credential: await ctx.sealer.openWith({ owner, masterKeyId, wrapped }, placeOf(linkId), sealed),
  };
}

/** Stores a permission and replaces the link's current one, if any. */ export async function storeCredential(
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
  const row = {
    provider,
    reference,
    sealed,
    endDueAt: null,
    renewedAt: null,
    updateState: null,
    loginUser: null,
    createdAt: ctx.clock(),
  };
  await tx.providerCredential.upsert({
    where: { linkPk: pk },
    create: { linkPk: pk, ...row },
    update: { ...row, version: { increment: 1 } },
  });
}

/**
 * Stores a renewed credential of the same permission, if it is still in the state that was renewed.
 * Returns the new state; null = the link has a different one by now.
 */
export async function replaceRenewed(
  ctx: Context,
  tx: Tx,
  { pk, linkId }: LinkKey,
  { provider, reference, edition }: Omit<OpenedCredential, 'credential'>,
  credential: Uint8Array,
): Promise<CredentialEdition | null> {
  const [current] = await tx.$queryRaw<{ version: number }[]>`
    SELECT version FROM provider_credentials
     WHERE link_pk = ${pk} AND provider = ${provider} AND reference = ${reference}
       AND version = ${edition.version} AND created_at = ${edition.createdAt} FOR NO KEY UPDATE`;
  if (current === undefined) return null;
  const sealed = await ctx.sealer.sealUnder(tx, keyOf(linkId), placeOf(linkId), credential);
  const version = edition.version + 1;
  await tx.providerCredential.update({
    where: { linkPk: pk },
    data: { sealed: bytesColumn(sealed), version, renewedAt: ctx.clock() },
  });
  return { version, createdAt: edition.createdAt };
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
