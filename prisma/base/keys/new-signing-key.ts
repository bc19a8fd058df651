import { createHash, generateKeyPairSync } from 'node:crypto';
import type { KeySet } from '../../../domain/webhooks/webhook-format.js';
import type { Context } from '../context.js';
import { bytesColumn } from '../database/bytes.js';
import type { Tx } from '../database/tx.js';
import type { MasterSealContext } from '../sealing/sealer.js';

/** A key in its published form. Source: webhooks 5. */
export interface PublishedKey {
  kty: 'EC';
  crv: 'P-256';
  x: string;
  y: string;
  use: 'sig';
  alg: 'ES256';
  /** RFC 7638 thumbprint. */
  kid: string;
}

export interface NewSigningKey {
  keySet: KeySet;
  /** The time at which the key starts to sign; it is published immediately. */
  activeFrom: Date;
  createdAt: Date;
  /** The rotation that created the key; null = the first key of its set. */
  rotation: string | null;
}

const LOCK = 0x7369_676e;

/** Serializes changes to the signing keys. */
export async function lockSigningKeys(tx: Tx): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(${LOCK}::bigint)`;
}

/** Creates and stores a key pair, its private part sealed with the master key. @returns the kid */
export async function addSigningKey(
  ctx: Context,
  tx: Tx,
  { keySet, activeFrom, createdAt, rotation }: NewSigningKey,
): Promise<string> {
  const { published, privateJwk } = makeKeyPair();
  const { kid } = published;
  await tx.signingKey.create({
    data: {
      kid,
      keySet,
      activeFrom,
      createdAt,
      rotation,
      publicJwk: { ...published },
      sealedPrivate: bytesColumn(
        await ctx.sealer.sealWithMaster(
          sealedAt(kid),
          Buffer.from(JSON.stringify(privateJwk), 'utf8'),
        ),
      ),
    },
  });
  return kid;
}

export function sealedAt(kid: string): MasterSealContext {
  return { table: 'signing_keys', column: 'sealed_private', row: kid };
}

function makeKeyPair(): { published: PublishedKey; privateJwk: object } {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const privateJwk = privateKey.export({ format: 'jwk' });
  const { x = '', y = '' } = privateJwk;
  return {
    published: { kty: 'EC', crv: 'P-256', x, y, use: 'sig', alg: 'ES256', kid: thumbprint(x, y) },
    privateJwk,
  };
}

/** RFC 7638: the required members in lexicographic order, without white space. */
export function thumbprint(x: string, y: string): string {
  return createHash('sha256')
    .update(JSON.stringify({ crv: 'P-256', kty: 'EC', x, y }))
    .digest('base64url');
}
