import { createHash } from 'node:crypto';
import { hashClientSecret, verifyClientSecret } from '../../../../prisma/secrets/client-secret.js';

const REMEMBERED_MS = 60_000;
const MOST = 1_000;

/**
 * Verifies secrets, each pair of secret and stored hash slowly only once a minute. A secret that was rotated has
 * another stored hash, so nothing outlives a rotation.
 */
export class SecretVerifier {
  private readonly verified = new Map<string, number>();
  private readonly underway = new Map<string, Promise<boolean>>();
  private readonly dummy = hashClientSecret('nobody');

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** `stored` null = there is no such client; that takes as long as a wrong secret. */
  async verify(secret: string, stored: string | null): Promise<boolean> {
    if (stored === null) {
      await verifyClientSecret(secret, await this.dummy);
      return false;
    }
    const key = createHash('sha256').update(`${stored}\n${secret}`).digest('base64url');
    const until = this.verified.get(key);
    if (until !== undefined && until > this.now()) return true;
    const running = this.underway.get(key) ?? this.compare(key, secret, stored);
    this.underway.set(key, running);
    return running;
  }

  private async compare(key: string, secret: string, stored: string): Promise<boolean> {
    try {
      const right = await verifyClientSecret(secret, stored);
      if (right) this.remember(key);
      return right;
    } finally {
      this.underway.delete(key);
    }
  }

  private remember(key: string): void {
    this.verified.delete(key);
    this.verified.set(key, this.now() + REMEMBERED_MS);
    const [oldest] = this.verified.keys();
    if (this.verified.size > MOST && oldest !== undefined) this.verified.delete(oldest);
  }
}
