import { randomBytes } from 'node:crypto';
import type Provider from 'oidc-provider';
import type { Configuration } from 'oidc-provider';
import {
  createAuthorizationServer as createServer,
  makeCookieKey,
  makeSigningKey,
} from '../../../authorization/authorization-server.js';
import type { FdxInstitution } from '../institutions.js';
import { clientCertificateOf, isTrusted, refusalOf, subjectOf } from './client-certificate.js';
import { DATA_SCOPES } from './data-scopes.js';
import type { GrantStorage } from './grant-storage.js';
import { problemPage } from './pages.js';

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
}

/** The authorization server of one institution, in the FAPI 2.0 profile. */
export async function createAuthorizationServer({
  institution,
  issuer,
  mtlsUrl,
  accessTokenSeconds,
  storage,
  isLive,
  onError,
}: AuthorizationServerParts): Promise<Provider> {
  const server = createServer({
    issuer,
    signingKey: await makeSigningKey(),
    cookieKey: makeCookieKey(),
    scopes: ['offline_access', ...Object.keys(DATA_SCOPES)],
    problemPage: problemPage(),
    onError,
    configuration: {
      adapter: storage.adapter,
      clientAuthMethods: [institution.clientAuthentication],
      clockTolerance: 1,
      features: featuresOf(institution),
      discovery: mtlsUrl === null ? {} : { mtls_endpoint_aliases: aliasesOf(institution, mtlsUrl) },
      // Without an account a code and a refresh token are refused as `invalid_grant`.
      findAccount: (_, accountId, token) =>
        token?.grantId === undefined || isLive(token.grantId)
          ? { accountId, claims: () => ({ sub: accountId }) }
          : undefined,
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
    },
  });
  if (institution.clientAuthentication === 'tls_client_auth')
    server.use(async (context, next) => {
      await next();
      const body: unknown = context.body;
      // The library hides the reason; banks behind a gateway name it.
      if (isInvalidClient(body)) body.error_description = refusalOf(context.req);
    });
  return server;
}

function featuresOf(institution: FdxInstitution): Configuration['features'] {
  const { pushedRequests, clientAuthentication, hasRevocationEndpoint } = institution;
  return {
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
