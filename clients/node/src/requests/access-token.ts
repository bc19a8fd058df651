/** The response of the token call. */
export interface IssuedToken {
  access_token: string;
  /** Seconds. */
  expires_in: number;
}

/** The limits of a caller who waits for a token. */
export interface TokenWait {
  /** Settles as the promise does, or fails after the time limit of the caller and these milliseconds. */
  within(promise: Promise<string>, delay: number): Promise<string>;
  /** Milliseconds until the next attempt, or undefined for none. `retry` counts from 0. */
  retryAfter(error: unknown, retry: number): number | undefined;
}

/** The token is renewed when less than this share of its life is left… */
const RENEWED_AT_SHARE = 0.1;
/** …or this time, if it is less. */
const RENEWED_BEFORE_MS = 60_000;

/** The access token of a key pair: one request in flight for all callers, renewed before it expires. */
export class AccessToken {
  #current: { value: string; renewAt: number } | undefined;
  #pending: Promise<string> | undefined;
  #pendingFrom = 0;
  readonly #request: (retry: number) => Promise<IssuedToken>;

  /** @param request makes one attempt */
  constructor(request: (retry: number) => Promise<IssuedToken>) {
    this.#request = request;
  }

  /**
   * All callers share each attempt, and each one decides by its own limits how long and how often it
   * waits. `isNew`: the token was requested meanwhile, so that another one would be no better.
   */
  async get({ within, retryAfter }: TokenWait): Promise<{ value: string; isNew: boolean }> {
    let delay = 0;
    for (let retry = 0; ; retry += 1) {
      if (this.#current !== undefined && Date.now() < this.#current.renewAt)
        return { value: this.#current.value, isNew: retry > 0 };
      const pending = (this.#pending ??= this.#startAfter(delay, retry));
      try {
        const value = await within(pending, Math.max(0, this.#pendingFrom - Date.now()));
        return { value, isNew: true };
      } catch (error) {
        const next = retryAfter(error, retry);
        if (next === undefined) throw error;
        delay = next;
      }
    }
  }

  /** The service refused this token. One that replaced it meanwhile stays. */
  drop(value: string): void {
    if (this.#current?.value === value) this.#current = undefined;
  }

  #startAfter(delay: number, retry: number): Promise<string> {
    this.#pendingFrom = Date.now() + delay;
    const renewed =
      delay === 0
        ? this.#renew(retry)
        : new Promise((resolve) => setTimeout(resolve, delay)).then(() => this.#renew(retry));
    return renewed.finally(() => {
      this.#pending = undefined;
    });
  }

  async #renew(retry: number): Promise<string> {
    const { access_token: value, expires_in: seconds } = await this.#request(retry);
    const early = Math.min(seconds * 1_000 * RENEWED_AT_SHARE, RENEWED_BEFORE_MS);
    this.#current = { value, renewAt: Date.now() + seconds * 1_000 - early };
    return value;
  }
}
