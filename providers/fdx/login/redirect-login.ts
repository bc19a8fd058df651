import { randomUUID } from 'node:crypto';
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
import { decodeRedirect, encodeCredential, encodeRedirect } from '../client/credential.js';
import { createDpopKey, dpopHandleOf } from '../client/dpop-key.js';
import type { OAuthClient } from '../client/oauth-client.js';
import type { FdxInstitution, Metadata } from '../settings.js';
import { credentialOf } from './grant.js';

/** Data clusters of FDX 6. */
const SCOPES_OF: Readonly<Record<Product, readonly string[]>> = {
  accounts: ['fdx:accountbasic:read', 'fdx:accountdetailed:read'],
  account_numbers: ['fdx:paymentsupport:read'],
  identity: ['fdx:customercontact:read'],
  transactions: ['fdx:transactions:read'],
  investments: ['fdx:investments:read', 'fdx:transactions:read'],
  liabilities: ['fdx:accountdetailed:read'],
};

/** Requests a refresh token (OpenID Connect Core 11). */
const OFFLINE_ACCESS = 'offline_access';

/** Starts a login at the bank: pushed (RFC 9126) if the bank accepts that. */
export function startRedirect(
  client: OAuthClient,
  institution: FdxInstitution,
  context: LoginContext,
  { state, redirectUri }: RedirectRequest,
): Promise<RedirectAddress> {
  const how = { stage: 'login', signal: context.signal } as const;
  return client.run(institution, how, async (configuration, metadata) => {
    const { address, ...secrets } = await pushRequest({ configuration, metadata }, institution, {
      products: context.requestedProducts,
      state,
      redirectUri,
    });
    return {
      kind: 'address',
      returns: 'code_or_error',
      authorizeUrl: address.href,
      issuer:
        metadata.authorization_response_iss_parameter_supported === true
          ? institution.issuer
          : null,
      expiresAt: new Date(Date.now() + REDIRECT_VALID_FOR_MS),
      state: encodeRedirect({
        reference: randomUUID(),
        redirect_uri: redirectUri,
        state,
        ...secrets,
      }),
    };
  });
}

interface Request {
  products: readonly Product[];
  state: string;
  redirectUri: string;
}

/** Prepares the address that the user opens, and pushes the request if the bank accepts that. */
export async function pushRequest(
  { configuration, metadata }: { configuration: oauth.Configuration; metadata: Metadata },
  institution: FdxInstitution,
  { products, state, redirectUri }: Request,
) {
  const scopes = scopesFor(institution, products);
  const codeVerifier = oauth.randomPKCECodeVerifier();
  const nonce = scopes.includes('openid') ? oauth.randomNonce() : null;
  const dpopKey = institution.dpop ? await createDpopKey() : null;
  const parameters = {
    redirect_uri: redirectUri,
    scope: scopes.join(' '),
    state,
    ...(nonce === null ? {} : { nonce }),
    // Without it, a bank ignores `offline_access`.
    ...(scopes.includes(OFFLINE_ACCESS) ? { prompt: 'consent' } : {}),
    code_challenge: await oauth.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
  };
  const address = isPushed(institution, metadata)
    ? await oauth.buildAuthorizationUrlWithPAR(configuration, parameters, {
        DPoP: await dpopHandleOf(configuration, dpopKey),
      })
    : oauth.buildAuthorizationUrl(configuration, parameters);
  return {
    address,
    nonce,
    code_verifier: codeVerifier,
    dpop_key: dpopKey as { kty: string } | null,
  };
}

/** Redeems the code in the callback. The library checks `state` and `iss`. */
export function completeRedirect(
  client: OAuthClient,
  institution: FdxInstitution,
  { signal }: Pick<LoginContext, 'signal'>,
  sealed: ProviderSecret,
  callbackUrl: string,
): Promise<LoginOutcome> {
  const started = decodeRedirect(sealed);
  // The callback may have arrived through a proxy; the bank expects the original address.
  const returned = new URL(started.redirect_uri);
  returned.search = new URL(callbackUrl).search;
  return client.run(institution, { stage: 'login', signal }, async (configuration) => {
    const tokens = await oauth.authorizationCodeGrant(
      configuration,
      returned,
      {
        pkceCodeVerifier: started.code_verifier,
        expectedState: started.state,
        ...(started.nonce === null ? {} : { expectedNonce: started.nonce, idTokenExpected: true }),
      },
      undefined,
      { DPoP: await dpopHandleOf(configuration, started.dpop_key) },
    );
    const before = { dpopKey: started.dpop_key, refreshToken: null };
    return {
      kind: 'linked',
      credential: encodeCredential(credentialOf(tokens, before)),
      // OAuth identifies permissions only by secrets.
      reference: started.reference,
      // The bank names the operator on its pages, not the app.
      consent: 'ask',
      ...(institution.scopes.includes(OFFLINE_ACCESS)
        ? { isRenewable: tokens.refresh_token !== undefined }
        : {}),
    };
  });
}

function scopesFor({ scopes }: FdxInstitution, products: readonly Product[]): string[] {
  const wanted: Product[] = ['accounts', ...products];
  return [...new Set([...scopes, ...wanted.flatMap((product) => SCOPES_OF[product])])];
}

/** True if the bank accepts pushed requests. */
export function isPushed({ clientAuthentication }: FdxInstitution, metadata: Metadata): boolean {
  const aliases = clientAuthentication === 'mtls' ? metadata.mtls_endpoint_aliases : undefined;
  return (
    metadata.pushed_authorization_request_endpoint !== undefined ||
    aliases?.pushed_authorization_request_endpoint !== undefined
  );
}
