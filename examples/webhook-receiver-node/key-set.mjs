const KEPT_MS = 3_600_000;
const ASK_AGAIN_MS = 300_000;

/** The public keys of the service: kept for an hour; fetched again for an unknown `kid`, at most once in five minutes. */
export class KeySet {
  #keys = [];
  #fetchedAt = -Infinity;
  #askedAgainAt = -Infinity;

  /** `fetchKeys` returns the JSON of `/.well-known/jwks.json`; `now` is a clock in milliseconds. */
  constructor(fetchKeys, now) {
    this.fetchKeys = fetchKeys;
    this.now = now;
  }

  /** The key with that id, or undefined. */
  async find(kid) {
    if (this.now() - this.#fetchedAt >= KEPT_MS) await this.#fetch();
    const known = this.#named(kid);
    if (known !== undefined || this.now() - this.#askedAgainAt < ASK_AGAIN_MS) return known;
    this.#askedAgainAt = this.now();
    await this.#fetch();
    return this.#named(kid);
  }

  #named(kid) {
    return this.#keys.find((key) => key.kid === kid && key.use === 'sig');
  }

  async #fetch() {
    this.#keys = (await this.fetchKeys()).keys;
    this.#fetchedAt = this.now();
  }
}
