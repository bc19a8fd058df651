import { hashClientSecret } from '../../../../prisma/applications/client-secret.js';

const MAX_CLIENTS = 10_000;

interface Known {
  digest: string;
  /** The stored hash that matches the secret. */
  stored: string;
}

/**
 * A digest of the secret each client was last verified with. Callers who know it are not guessing,
 * and the slow hash of an earlier release (50 ms) need not be computed for every call.
 */
export class KnownSecrets {
  private readonly byClient = new Map<string, Known>();

  /** With `stored`, true only while the client has this hash, which a rotation replaces. */
  has(clientId: string, secret: string, stored?: string): boolean {
    const known = this.byClient.get(clientId);
    if (known === undefined || (stored !== undefined && stored !== known.stored)) return false;
    return known.digest === hashClientSecret(secret);
  }

  remember(clientId: string, secret: string, stored: string): void {
    // Re-inserting keeps the clients in order of use, so the first one is evicted.
    this.byClient.delete(clientId);
    this.byClient.set(clientId, { digest: hashClientSecret(secret), stored });
    const [leastUsed] = this.byClient.keys();
    if (this.byClient.size > MAX_CLIENTS && leastUsed !== undefined)
      this.byClient.delete(leastUsed);
  }

  forget(clientId: string): void {
    this.byClient.delete(clientId);
  }
}
