import { createPrivateKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import type { KeySet } from '../../../domain/webhooks/webhook-format.js';
import type { Context } from '../context.js';
import { addSigningKey, lockSigningKeys, sealedAt, type PublishedKey } from './new-signing-key.js';

export interface SigningKeyPair {
  kid: string;
  privateKey: KeyObject;
}

interface KnownKey {
  published: PublishedKey;
  sealedPrivate: Uint8Array | null;
  activeFrom: Date;
  retiredAt: Date | null;
}

/** The time for which a process may sign before checking whether the key has changed. */
const FRESH_MS = 1_000;

/** The signing keys of one set. Source: webhooks 5. */
export class SigningKeys {
  private known: Promise<readonly KnownKey[]> | undefined;
  private readAt = 0;
  private readonly opened = new Map<string, KeyObject>();

  constructor(
    private readonly ctx: Context,
    private readonly keySet: KeySet = 'native',
  ) {}

  /**
   * Creates the first key of the set. When several processes start concurrently, one of them
   * creates it.
   */
  async ensure(): Promise<void> {
    await this.ctx.database.transaction(async (tx) => {
      await lockSigningKeys(tx);
      const now = this.ctx.clock();
      const usable = await tx.signingKey.count({
        where: { keySet: this.keySet, OR: [{ retiredAt: null }, { retiredAt: { gt: now } }] },
      });
      if (usable === 0)
        await addSigningKey(this.ctx, tx, {
          keySet: this.keySet,
          activeFrom: now,
          createdAt: now,
          rotation: null,
        });
    });
    this.known = undefined;
  }

  /**
   * The current key first, then its successors and predecessors, without private members. Always
   * read from the database: a receiver refetches an unknown key at most once in five minutes, so it
   * must never get a stale set (webhooks 6).
   */
  async publishedSet(): Promise<{ keys: PublishedKey[] }> {
    return { keys: this.inOrder(await this.load()).map(({ published }) => published) };
  }

  /** The key that signs now. */
  async current(): Promise<SigningKeyPair> {
    const [current] = this.inOrder(await this.read());
    if (current === undefined || current.sealedPrivate === null)
      throw new Error('there is no signing key: ensure() has to come first');
    const { kid } = current.published;
    const privateKey = this.opened.get(kid) ?? (await this.open(kid, current.sealedPrivate));
    this.opened.set(kid, privateKey);
    return { kid, privateKey };
  }

  private inOrder(keys: readonly KnownKey[]): KnownKey[] {
    const now = this.ctx.clock();
    // A key without its private part is retired, regardless of this process's clock.
    const published = keys.filter(
      ({ retiredAt, sealedPrivate }) =>
        sealedPrivate !== null && (retiredAt === null || retiredAt > now),
    );
    // If the clock of the process that revoked a key is ahead, its successor already signs.
    const current = published.find(({ activeFrom }) => activeFrom <= now) ?? published.at(-1);
    return current === undefined
      ? published
      : [current, ...published.filter((key) => key !== current)];
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
    const rows = await this.ctx.database.prisma.signingKey.findMany({
      where: { keySet: this.keySet },
      orderBy: [{ activeFrom: 'desc' }, { kid: 'asc' }],
    });
    // Only addSigningKey writes this column.
    return rows.map(({ publicJwk, sealedPrivate, activeFrom, retiredAt }) => ({
      published: publicJwk as unknown as PublishedKey,
      sealedPrivate,
      activeFrom,
      retiredAt,
    }));
  }

  private async open(kid: string, sealed: Uint8Array): Promise<KeyObject> {
    const opened = await this.ctx.sealer.openWithMaster(sealedAt(kid), sealed);
    const jwk = JSON.parse(opened.toString('utf8')) as JsonWebKey;
    return createPrivateKey({ key: jwk, format: 'jwk' });
  }
}
