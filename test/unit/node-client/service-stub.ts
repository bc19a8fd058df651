import {
  Tributary,
  type MoneyForm,
  type TributaryOptions,
} from '../../../clients/node/src/index.js';

export interface StubbedRequest extends RequestInit {
  method: string;
  /** Path and query. */
  path: string;
  sent: Headers;
}

export type Respond = (request: StubbedRequest) => Response | Promise<Response>;

/** Tokens are counted: `token-1`, `token-2`, … */
export interface StubbedClient<Money extends MoneyForm = 'number'> {
  tributary: Tributary<Money>;
  /** The requests other than for tokens. */
  requests: StubbedRequest[];
  /** The number of tokens that were requested. */
  tokens(): number;
}

/** A client whose requests are answered here. `expiresIn`: of each token, in seconds. */
export function stubbedClient<Money extends MoneyForm = 'number'>(
  respond: Respond,
  { expiresIn = 3_600, ...options }: TributaryOptions<Money> & { expiresIn?: number } = {},
): StubbedClient<Money> {
  const requests: StubbedRequest[] = [];
  let tokens = 0;
  const tributary = new Tributary<Money>({
    baseUrl: 'https://api.example',
    clientId: 'sandbox_1',
    clientSecret: 'canary-of-the-secret',
    ...options,
    fetch: async (address, init) => {
      init.signal?.throwIfAborted();
      const { pathname, search } = new URL(address);
      if (pathname === '/auth/token') {
        tokens += 1;
        return Response.json({ access_token: `token-${tokens}`, expires_in: expiresIn });
      }
      const { method = 'GET' } = init;
      const request = {
        ...init,
        method,
        path: pathname + search,
        sent: new Headers(init.headers),
      };
      requests.push(request);
      return respond(request);
    },
  });
  return { tributary, requests, tokens: () => tokens };
}
