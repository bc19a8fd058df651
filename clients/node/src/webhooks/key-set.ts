import type { WebhookPublicKey } from '../generated/types.js';

const KEPT_MS = 3_600_000;
const ASK_AGAIN_MS = 300_000;

/**
 * The public keys of the service: kept for an hour; fetched again for an unknown `kid`, at most once
 * in five minutes. Source: docs/webhooks.md, "Verifying", step 4.
 */
export class KeySet {
  readonly #request: () => Promise<readonly WebhookPublicKey[]>;
  #keys: readonly WebhookPublicKey[] = [];
  #fetchedAt = -Infinity;
  #askedAgainAt = -Infinity;
  #pending: Promise<void> | undefined;

  constructor(request: () => Promise<readonly WebhookPublicKey[]>) {
    this.#request = request;
  }

  /** The key with that id, or undefined. */
  async find(kid: string): Promise<WebhookPublicKey | undefined> {
    if (Date.now() - this.#fetchedAt >= KEPT_MS) await this.#fetch();
    const known = this.#named(kid);
    if (known !== undefined) return known;
    if (this.#pending === undefined) {
      if (Date.now() - this.#askedAgainAt < ASK_AGAIN_MS) return undefined;
      this.#askedAgainAt = Date.now();
    }
    await this.#fetch();
    return this.#named(kid);
  }

  #named(kid: string): WebhookPublicKey | undefined {
    return this.#keys.find((key) => key.kid === kid && key.use === 'sig');
  }

  /** Callers at the same time share one request. */
  #fetch(): Promise<void> {
    this.#pending ??= this.#replace().finally(() => {
      this.#pending = undefined;
    });
    return this.#pending;
  }

  async #replace(): Promise<void> {
    this.#keys = await this.#request();
    this.#fetchedAt = Date.now();
  }
}
