import { randomBytes } from 'node:crypto';
import { exportJWK, generateKeyPair } from 'jose';
import Provider, { type Configuration, type JWK as ProviderKey } from 'oidc-provider';
import type { FdxInstitution } from '../institutions.js';
import { clientCertificateOf, isTrusted, refusalOf, subjectOf } from './client-certificate.js';
import { DATA_SCOPES } from './data-scopes.js';
import type { GrantStorage } from './grant-storage.js';

/** A code is redeemed immediately (FAPI 2.0, 5.3.2.1). */
const CODE_SECONDS = 60;
const PUSHED_REQUEST_SECONDS = 120;
const SIGN_IN_SECONDS = 15 * 60;
const PERMISSION_SECONDS = 90 * 86_400;

export interface AuthorizationServerParts {
  institution: FdxInstitution;
  issuer: string;
  /** The same institution behind mutual TLS, where tokens are issued; null without it. */
  mtlsUrl: string | null;
  accessTokenSeconds: number;
  storage: GrantStorage;
  /** False for a permission that has ended. */
  isLive: (grantId: string) => boolean;
  onError: (error: unknown) => void;
  renderProblem: () => string;
}

/**
 * The authorization server of one institution: FAPI 2.0 by `oidc-provider`, software that is
 * independent of this project and of the clients it writes.
 */
export async function createAuthorizationServer(
  parts: AuthorizationServerParts,
): Promise<Provider> {
  const server = new Provider(parts.issuer, await configurationOf(parts));
  // Trusts the forwarded address, which the institution's listener sets itself.
  server.proxy = true;
  if (parts.institution.clientAuthentication === 'tls_client_auth')
    server.use(async (context, next) => {
      await next();
      const body: unknown = context.body;
      // The library hides the reason; banks behind a gateway name it.
      if (isInvalidClient(body)) body.error_description = refusalOf(context.req);
    });
  server.on('server_error', (_, error) => parts.onError(error));
  return server;
}

async function configurationOf({
  institution,
  mtlsUrl,
  accessTokenSeconds,
  storage,
  isLive,
  renderProblem,
}: AuthorizationServerParts): Promise<Configuration> {
  const path = `/${institution.id}`;
  return {
    adapter: storage.adapter,
    jwks: { keys: [await makeSigningKey()] },
    cookies: {
      keys: [randomBytes(32).toString('base64url')],
      // A path without pages: the bank never remembers who signed in.
      long: { httpOnly: true, sameSite: 'lax', path: `${path}/session` },
      short: { httpOnly: true, sameSite: 'lax' },
    },
    clientAuthMethods: [institution.clientAuthentication],
    responseTypes: ['code'],
    scopes: ['openid', 'offline_access', ...Object.keys(DATA_SCOPES)],
    pkce: { required: () => true },
    clockTolerance: 1,
    features: featuresOf(institution),
    discovery: mtlsUrl === null ? {} : { mtls_endpoint_aliases: aliasesOf(institution, mtlsUrl) },
    interactions: { url: (_, { uid }) => `${path}/sign-in/${uid}` },
    // Without an account a code and a refresh token are refused as `invalid_grant`.
    findAccount: (_, accountId, token) =>
      token?.grantId === undefined || isLive(token.grantId)
        ? { accountId, claims: () => ({ sub: accountId }) }
        : undefined,
    expiresWithSession: () => false,
    rotateRefreshToken: () => institution.rotatesRefreshTokens,
    // Clients publish their keys on this machine, which the library's own fetch refuses.
    fetch: (address, { method, headers } = {}) => fetch(address, { method, headers }),
    ttl: {
      Interaction: SIGN_IN_SECONDS,
      Session: SIGN_IN_SECONDS,
      AuthorizationCode: CODE_SECONDS,
      PushedAuthorizationRequest: PUSHED_REQUEST_SECONDS,
      IdToken: accessTokenSeconds,
      AccessToken: accessTokenSeconds,
      RefreshToken: PERMISSION_SECONDS,
      Grant: PERMISSION_SECONDS,
    },
    renderError(context) {
      context.type = 'html';
      context.body = renderProblem();
    },
  };
}

function featuresOf(institution: FdxInstitution): Configuration['features'] {
  const { pushedRequests, clientAuthentication, hasRevocationEndpoint } = institution;
  return {
    devInteractions: { enabled: false },
    userinfo: { enabled: false },
    rpInitiatedLogout: { enabled: false },
    resourceIndicators: { enabled: false },
    fapi: { enabled: true, profile: '2.0' },
    pushedAuthorizationRequests: {
      enabled: pushedRequests !== 'none',
      requirePushedAuthorizationRequests: pushedRequests === 'required',
    },
    dPoP: {
      enabled: institution.dpop,
      nonceSecret: institution.needsDpopNonce ? randomBytes(32) : undefined,
      requireNonce: () => institution.needsDpopNonce,
    },
    revocation: { enabled: hasRevocationEndpoint },
    ...(clientAuthentication === 'tls_client_auth'
      ? {
          mTLS: {
            enabled: true,
            tlsClientAuth: true,
            certificateBoundAccessTokens: true,
            getCertificate: ({ req }) => clientCertificateOf(req),
            certificateAuthorized: ({ req }) => isTrusted(req),
            certificateSubjectMatches: ({ req }, _, expected) => {
              const certificate = clientCertificateOf(req);
              return certificate !== undefined && subjectOf(certificate) === expected;
            },
          },
        }
      : {}),
  };
}

/** RFC 8705, 5: browsers must not be prompted for a certificate, so tokens have addresses of their own. */
function aliasesOf({ id, hasRevocationEndpoint }: FdxInstitution, mtlsUrl: string) {
  return {
    token_endpoint: `${mtlsUrl}/${id}/token`,
    pushed_authorization_request_endpoint: `${mtlsUrl}/${id}/request`,
    ...(hasRevocationEndpoint ? { revocation_endpoint: `${mtlsUrl}/${id}/token/revocation` } : {}),
  };
}

const isInvalidClient = (body: unknown): body is { error_description: string } =>
  typeof body === 'object' && body !== null && 'error' in body && body.error === 'invalid_client';

async function makeSigningKey(): Promise<ProviderKey> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const key = await exportJWK(privateKey);
  return { ...key, use: 'sig', alg: 'ES256', kid: randomBytes(8).toString('hex') } as ProviderKey;
}
