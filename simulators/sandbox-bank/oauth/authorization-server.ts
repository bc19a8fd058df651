import type Provider from 'oidc-provider';
import type { Logger } from 'pino';
import {
  createAuthorizationServer as createServer,
  makeCookieKey,
  makeSigningKey,
} from '../../authorization/authorization-server.js';
import { problemPage } from '../pages/problem-page.js';
import type { Database } from '../storage/database.js';
import { DATA_SCOPES } from './data-scopes.js';
import { createOAuthStorage, durableSecret } from './oauth-storage.js';

/**
 * connect 7: the app may return the customer until 15 minutes after the start; the code must
 * last as long.
 */
const REQUEST_SECONDS = 15 * 60;
const CODE_SECONDS = 20 * 60;
/** The bank itself decides when a permission ends; its token never ends earlier. */
const PERMISSION_SECONDS = 20 * 365 * 86_400;

export interface AuthorizationServerParts {
  issuer: string;
  /** The initial access token of RFC 7591, which a client needs to register. */
  registrationToken: string;
  database: Database;
  logger: Logger;
}

/** The authorization server of OAuth Bank: authorization code with PKCE for third parties that register themselves. */
export async function createAuthorizationServer({
  issuer,
  registrationToken,
  database,
  logger,
}: AuthorizationServerParts): Promise<Provider> {
  return createServer({
    issuer,
    signingKey: await durableSecret(database, 'signing_key', makeSigningKey),
    cookieKey: await durableSecret(database, 'cookie_key', makeCookieKey),
    scopes: Object.keys(DATA_SCOPES),
    problemPage: problemPage(),
    onError: (error) => logger.error({ err: error }, 'sandbox_bank.oauth_failed'),
    configuration: {
      adapter: createOAuthStorage(database),
      clientAuthMethods: ['none'],
      clientDefaults: {
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code'],
        response_types: ['code'],
        id_token_signed_response_alg: 'ES256',
      },
      // the login at the bank that this authorization belongs to
      extraParams: ['login_id'],
      features: {
        registration: {
          enabled: true,
          initialAccessToken: registrationToken,
          issueRegistrationAccessToken: false,
        },
        pushedAuthorizationRequests: { enabled: false },
        dPoP: { enabled: false },
      },
      routes: {
        authorization: '/oauth/authorize',
        token: '/oauth/token',
        jwks: '/oauth/jwks',
        registration: '/oauth/register',
      },
      issueRefreshToken: () => false,
      ttl: {
        Interaction: REQUEST_SECONDS,
        Session: REQUEST_SECONDS,
        AuthorizationCode: CODE_SECONDS,
        IdToken: CODE_SECONDS,
        AccessToken: PERMISSION_SECONDS,
        Grant: PERMISSION_SECONDS,
      },
    },
  });
}
