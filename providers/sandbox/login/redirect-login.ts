import * as oauth from 'openid-client';
import type { Product } from '../../../domain/link/products.js';
import { REDIRECT_VALID_FOR_MS } from '../../offer-redirect.js';
import type {
  LoginContext,
  LoginOutcome,
  ProviderSecret,
  RedirectAddress,
  RedirectRequest,
} from '../../contract/provider.js';
import type { BankClient } from '../client/bank-client.js';
import type { OAuthClient } from '../client/oauth-client.js';
import { TOKEN, toPermission } from './permission.js';
import { startLogin } from './start-login.js';
import { malformed, RemoteObject } from '../../http/remote-object.js';
import { encodeState, SealedState } from '../client/sealed-state.js';

export interface RedirectLoginParts {
  callBank: BankClient;
  client: OAuthClient;
  /**
   * Registered clients by redirect URI. A client is registered again if it is unknown here or too
   * old.
   */
  registered: Map<string, RegisteredClient>;
}

export interface RegisteredClient {
  clientId: string;
  registeredAt: number;
}

/** The bank deletes a client after a week. */
const CLIENT_USED_FOR_MS = 24 * 60 * 60_000;

const SCOPE_OF: Readonly<Record<Product, string>> = {
  accounts: 'accounts',
  account_numbers: 'account_numbers',
  identity: 'owners',
  transactions: 'transactions',
  investments: 'investments',
  liabilities: 'liabilities',
};

export async function startRedirect(
  { callBank, client, registered }: RedirectLoginParts,
  context: LoginContext,
  { state, redirectUri }: RedirectRequest,
): Promise<RedirectAddress> {
  const login = await startLogin(callBank, context, 'logins');
  const loginId = login.text('login_id', { max: 100, pattern: TOKEN });
  return client.run(context.signal, async (signal) => {
    const known = registered.get(redirectUri);
    const isUsable = known !== undefined && Date.now() - known.registeredAt < CLIENT_USED_FOR_MS;
    const configuration = isUsable
      ? await client.discover(known.clientId, signal)
      : await client.register(redirectUri, signal);
    const clientId = configuration.clientMetadata().client_id;
    if (!isUsable) registered.set(redirectUri, { clientId, registeredAt: Date.now() });

    const [codeVerifier, nonce] = [oauth.randomPKCECodeVerifier(), oauth.randomNonce()];
    const authorizeUrl = oauth.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: ['openid', ...context.requestedProducts.map((product) => SCOPE_OF[product])].join(' '),
      state,
      nonce,
      code_challenge: await oauth.calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: 'S256',
      login_id: loginId,
    });
    return {
      kind: 'address',
      returns: 'code_or_error',
      authorizeUrl: authorizeUrl.href,
      issuer: configuration.serverMetadata().issuer,
      expiresAt: new Date(Date.now() + REDIRECT_VALID_FOR_MS),
      state: encodeState({
        client_id: clientId,
        redirect_uri: redirectUri,
        state,
        nonce,
        code_verifier: codeVerifier,
      }),
    };
  });
}

export async function completeRedirect(
  { client }: RedirectLoginParts,
  context: LoginContext,
  sealed: ProviderSecret,
  callbackUrl: string,
): Promise<LoginOutcome> {
  const start = new SealedState(sealed, 'redirect');
  // The callback may have arrived through a proxy; the bank expects the original redirect URI.
  const returned = new URL(start.text('redirect_uri'));
  returned.search = new URL(callbackUrl).search;
  return client.run(context.signal, async (signal) => {
    const configuration = await client.discover(start.text('client_id'), signal);
    const tokens = await oauth.authorizationCodeGrant(configuration, returned, {
      pkceCodeVerifier: start.text('code_verifier'),
      expectedState: start.text('state'),
      expectedNonce: start.text('nonce'),
      idTokenExpected: true,
    });
    // The subject of the ID token is the connection.
    const connection = new RemoteObject(
      { connection_id: tokens.claims()?.sub, access_token: tokens.access_token },
      'tokens',
    );
    if (tokens.token_type !== 'bearer') throw malformed('the token is not a bearer token');
    return toPermission(connection, 'ask');
  });
}
