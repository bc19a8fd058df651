import { hashClientSecret } from '../../../../prisma/tenants/applications/client-secret.js';

const MAX_SECRETS = 10_000;

/**
 * Hashes of the secrets that clients were verified with. Callers who know one are not guessing. A
 * client may have several, while one replaces another.
 */
export class KnownSecrets {
  private readonly pairs = new Set<string>();

  has(clientId: string, secret: string): boolean {
    return this.pairs.has(pairOf(clientId, secret));
  }

  remember(clientId: string, secret: string): void {
    const pair = pairOf(clientId, secret);
    // Re-inserting keeps the pairs in order of use, so the first one is evicted.
    this.pairs.delete(pair);
    this.pairs.add(pair);
    const [leastUsed] = this.pairs;
    if (this.pairs.size > MAX_SECRETS && leastUsed !== undefined) this.pairs.delete(leastUsed);
  }

  forget(clientId: string, secret: string): void {
    this.pairs.delete(pairOf(clientId, secret));
  }
}

function pairOf(clientId: string, secret: string): string {
  return `${clientId} ${hashClientSecret(secret)}`;
}
