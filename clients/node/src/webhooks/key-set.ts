import { UnexpectedResponseError } from '../errors.js';
import type { WebhookPublicKey } from '../generated/types.js';

const KEPT_MS = 3_600_000;
const ASK_AGAIN_MS = 300_000;

/** A later service may have keys of further kinds. */
function isKnown(key: Partial<WebhookPublicKey> | null): key is WebhookPublicKey {
  return key?.kty === 'EC' && key.crv === 'P-256' && key.use === 'sig';
}

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
    return this.#keys.find((key) => key.kid === kid);
  }

  /** Callers at the same time share one request. */
  #fetch(): Promise<void> {
    this.#pending ??= this.#replace().finally(() => {
      this.#pending = undefined;
    });
    return this.#pending;
  }

  async #replace(): Promise<void> {
    const keys: unknown = await this.#request();
    if (!Array.isArray(keys))
      throw new UnexpectedResponseError('The response is not a set of keys.', 200, undefined);
    this.#keys = keys.filter(isKnown);
    this.#fetchedAt = Date.now();
  }
}
