import { createHash, createPrivateKey, generateKeyPairSync, type JsonWebKey, type KeyObject } from 'node:crypto';
import { bytesColumn, type Context } from '../context.js';
import type { SealContext } from '../sealing/sealer.js';

/** One key as it is published. Source: webhooks 5. */
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

export interface SigningKeyPair {
  kid: string;
  privateKey: KeyObject;
}

interface KnownKey {
  published: PublishedKey;
  sealedPrivate: Uint8Array;
  activeFrom: Date;
  retiredAt: Date | null;
}

/** How long this process may overlook a change made by another. */
const FRESH_MS = 1_000;
const FIRST_KEY_LOCK = 0x7369_676e;

/** The keys that sign webhooks. Source: webhooks 5. */
export class SigningKeys {
  private known: Promise<readonly KnownKey[]> | undefined;
  private readAt = 0;
  private readonly opened = new Map<string, KeyObject>();

  constructor(private readonly ctx: Context) {}

  /** Makes the first key of the installation. Several processes may start at once: one makes it. */
  async ensure(): Promise<void> {
    await this.ctx.database.transaction(async (tx) => {
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(${FIRST_KEY_LOCK}::bigint)`;
      const now = this.ctx.clock();
      const usable = await tx.signingKey.count({ where: { activeFrom: { lte: now }, OR: [{ retiredAt: null }, { retiredAt: { gt: now } }] } });
      if (usable > 0) return;
      const { published, privateJwk } = makeKeyPair();
      await tx.signingKey.create({
        data: {
          kid: published.kid,
          publicJwk: { ...published },
          sealedPrivate: bytesColumn(this.ctx.sealer.sealWithMaster(sealedAt(published.kid), Buffer.from(JSON.stringify(privateJwk), 'utf8'))),
          activeFrom: now,
          createdAt: now,
        },
      });
    });
    this.known = undefined;
  }

  /** The current key first, then those that follow or preceded it. Never private members. */
  async publishedSet(): Promise<{ keys: PublishedKey[] }> {
    return { keys: this.inOrder(await this.read()).map(({ published }) => published) };
  }

  /** The key that signs now. */
  async current(): Promise<SigningKeyPair> {
    const [current] = this.inOrder(await this.read());
    if (current === undefined || current.activeFrom > this.ctx.clock()) throw new Error('there is no signing key: ensure() has to come first');
    const { kid } = current.published;
    const privateKey = this.opened.get(kid) ?? this.open(kid, current.sealedPrivate);
    this.opened.set(kid, privateKey);
    return { kid, privateKey };
  }

  private inOrder(keys: readonly KnownKey[]): KnownKey[] {
    const now = this.ctx.clock();
    const published = keys.filter(({ retiredAt }) => retiredAt === null || retiredAt > now);
    const current = published.find(({ activeFrom }) => activeFrom <= now);
    return current === undefined ? published : [current, ...published.filter((key) => key !== current)];
  }

  private async read(): Promise<readonly KnownKey[]> {
    const now = this.ctx.clock().getTime();
    if (this.known !== undefined && Math.abs(now - this.readAt) < FRESH_MS) return this.known;
    const reading = this.load();
    this.known = reading;
    this.readAt = now;
    reading.catch(() => {
      if (this.known === reading) this.known = undefined;
    });
    return reading;
  }

  /** Newest first. */
  private async load(): Promise<readonly KnownKey[]> {
    const rows = await this.ctx.database.prisma.signingKey.findMany({ orderBy: [{ activeFrom: 'desc' }, { kid: 'asc' }] });
    // Only ensure() and the rotation write this column.
    return rows.map(({ publicJwk, sealedPrivate, activeFrom, retiredAt }) => ({ published: publicJwk as unknown as PublishedKey, sealedPrivate, activeFrom, retiredAt }));
  }

  private open(kid: string, sealed: Uint8Array): KeyObject {
    const jwk = JSON.parse(this.ctx.sealer.openWithMaster(sealedAt(kid), sealed).toString('utf8')) as JsonWebKey;
    return createPrivateKey({ key: jwk, format: 'jwk' });
  }
}

function sealedAt(kid: string): SealContext {
  return { table: 'signing_keys', column: 'sealed_private', row: kid };
}

function makeKeyPair(): { published: PublishedKey; privateJwk: object } {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const privateJwk = privateKey.export({ format: 'jwk' });
  const { x = '', y = '' } = privateJwk;
  return { published: { kty: 'EC', crv: 'P-256', x, y, use: 'sig', alg: 'ES256', kid: thumbprint(x, y) }, privateJwk };
}

/** RFC 7638: the required members in lexicographic order, without white space. */
export function thumbprint(x: string, y: string): string {
  return createHash('sha256').update(JSON.stringify({ crv: 'P-256', kty: 'EC', x, y })).digest('base64url');
}
