import type { Context } from '../../base/context.js';
import { bytesColumn } from '../../base/database/bytes.js';
import type { Tx } from '../../base/database/tx.js';

/** The data key of a configuration's secrets; erasing it makes every copy of them unreadable. */
export const configurationKey = (name: string) => `provider/${name}`;

/** Seals the operator's keys; null when there are none. */
export async function sealSecrets(
  ctx: Context,
  tx: Tx,
  name: string,
  secrets: Readonly<Record<string, string>>,
): Promise<Uint8Array<ArrayBuffer> | null> {
  if (Object.keys(secrets).length === 0) return null;
  const plain = Buffer.from(JSON.stringify(secrets), 'utf8');
  return bytesColumn(await ctx.sealer.sealUnder(tx, configurationKey(name), place(name), plain));
}

/** @throws SealedValueUnreadable when MASTER_KEYS lacks the key, or the configuration was removed */
export async function openSecrets(
  ctx: Context,
  db: Tx | Context['database']['prisma'],
  { name, sealedSecrets }: { name: string; sealedSecrets: Uint8Array | null },
): Promise<Record<string, string>> {
  if (sealedSecrets === null) return {};
  const plain = await ctx.sealer.openUnder(db, configurationKey(name), place(name), sealedSecrets);
  return JSON.parse(plain.toString('utf8')) as Record<string, string>;
}

function place(name: string) {
  return { table: 'provider_configurations', column: 'sealed_secrets', row: name };
}
