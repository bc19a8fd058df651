import { hashClientSecret } from '../../../../prisma/applications/client-secret.js';

const MAX_CLIENTS = 10_000;

/**
 * A hash of the secret that each client was last verified with. Callers who know it are not
 * guessing.
 */
export class KnownSecrets {
  private readonly byClient = new Map<string, string>();

  has(clientId: string, secret: string): boolean {
    return this.byClient.get(clientId) === hashClientSecret(secret);
  }

  remember(clientId: string, secret: string): void {
    // Re-inserting keeps the clients in order of use, so the first one is evicted.
    this.byClient.delete(clientId);
    this.byClient.set(clientId, hashClientSecret(secret));
    const [leastUsed] = this.byClient.keys();
    if (this.byClient.size > MAX_CLIENTS && leastUsed !== undefined)
      this.byClient.delete(leastUsed);
  }

  forget(clientId: string): void {
    this.byClient.delete(clientId);
  }
}
