/** The response of the token call. */
export interface IssuedToken {
  access_token: string;
  /** Seconds. */
  expires_in: number;
}

/** The token is renewed when less than this share of its life is left… */
const RENEWED_AT_SHARE = 0.1;
/** …or this time, if it is less. */
const RENEWED_BEFORE_MS = 60_000;

/** The access token of a key pair: one request in flight for all callers, renewed before it expires. */
export class AccessToken {
  #current: { value: string; renewAt: number } | undefined;
  #pending: Promise<string> | undefined;
  readonly #request: () => Promise<IssuedToken>;

  constructor(request: () => Promise<IssuedToken>) {
    this.#request = request;
  }

  /** `isNew`: it was requested while this caller waited, so that another one would be no better. */
  async get(): Promise<{ value: string; isNew: boolean }> {
    if (this.#current !== undefined && Date.now() < this.#current.renewAt)
      return { value: this.#current.value, isNew: false };
    this.#pending ??= this.#renew().finally(() => {
      this.#pending = undefined;
    });
    return { value: await this.#pending, isNew: true };
  }

  /** The service refused this token. One that replaced it meanwhile stays. */
  drop(value: string): void {
    if (this.#current?.value === value) this.#current = undefined;
  }

  async #renew(): Promise<string> {
    const { access_token: value, expires_in: seconds } = await this.#request();
    const early = Math.min(seconds * 1_000 * RENEWED_AT_SHARE, RENEWED_BEFORE_MS);
    this.#current = { value, renewAt: Date.now() + seconds * 1_000 - early };
    return value;
  }
}
