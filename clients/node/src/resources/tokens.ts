import type { TokensIntrospectResult } from '../generated/types.js';
import type { ApiPromise } from '../requests/api-promise.js';
import type { CallOptions } from '../requests/api-request.js';
import type { Requester } from '../requests/requester.js';

/** The access token, which the client requests and renews itself. */
export class Tokens {
  readonly #requester: Requester;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  /** App, environment and scopes of the key pair. */
  introspect(options?: CallOptions): ApiPromise<TokensIntrospectResult> {
    return this.#requester.json({ method: 'GET', path: '/auth/introspect' }, options);
  }
}
