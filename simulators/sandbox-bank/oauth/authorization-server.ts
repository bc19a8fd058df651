import { randomBytes } from 'node:crypto';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import Provider, { type Configuration, type JWK as ProviderKey } from 'oidc-provider';
import type { Logger } from 'pino';
import { problemPage } from '../pages/problem-page.js';
import { PAGE_HEADERS } from '../pages/page-headers.js';
import type { Database } from '../storage/database.js';
import { createOAuthStorage, durableSecret } from './oauth-storage.js';

/** The scopes that a third party may request, in the words of the bank's page. */
export const DATA_SCOPES = {
  accounts: 'Your accounts and their balances',
  transactions: 'What you paid and received',
  account_numbers: 'Account and routing numbers',
  owners: 'Your name and contact details',
} as const;

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
  const configuration: Configuration = {
    adapter: createOAuthStorage(database),
    jwks: { keys: [await durableSecret(database, 'signing_key', makeSigningKey)] },
    cookies: {
      keys: [
        await durableSecret(database, 'cookie_key', () =>
          Promise.resolve(randomBytes(32).toString('base64url')),
        ),
      ],
      // a path without pages: the bank never remembers who signed in, so every request shows its
      // own sign-in page
      long: { httpOnly: true, sameSite: 'lax', path: '/oauth/session' },
      short: { httpOnly: true, sameSite: 'lax' },
    },
    clientAuthMethods: ['none'],
    clientDefaults: {
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code'],
      response_types: ['code'],
      id_token_signed_response_alg: 'ES256',
    },
    responseTypes: ['code'],
    scopes: ['openid', ...Object.keys(DATA_SCOPES)],
    pkce: { required: () => true },
    // the login at the bank that this authorization belongs to
    extraParams: ['login_id'],
    features: {
      devInteractions: { enabled: false },
      registration: {
        enabled: true,
        initialAccessToken: registrationToken,
        issueRegistrationAccessToken: false,
      },
      userinfo: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      dPoP: { enabled: false },
      resourceIndicators: { enabled: false },
    },
    routes: {
      authorization: '/oauth/authorize',
      token: '/oauth/token',
      jwks: '/oauth/jwks',
      registration: '/oauth/register',
    },
    interactions: { url: (_, { uid }) => `/sign-in/${uid}` },
    findAccount: (_, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
    expiresWithSession: () => false,
    issueRefreshToken: () => false,
    ttl: {
      Interaction: REQUEST_SECONDS,
      Session: REQUEST_SECONDS,
      AuthorizationCode: CODE_SECONDS,
      IdToken: CODE_SECONDS,
      AccessToken: PERMISSION_SECONDS,
      Grant: PERMISSION_SECONDS,
    },
    renderError(context) {
      context.set(PAGE_HEADERS);
      context.type = 'html';
      context.body = problemPage();
    },
  };
  const server = new Provider(issuer, configuration);
  // trusts the forwarded address, which the listener sets itself
  server.proxy = true;
  server.on('server_error', (_, error) =>
    logger.error({ err: error }, 'sandbox_bank.oauth_failed'),
  );
  return server;
}

async function makeSigningKey(): Promise<ProviderKey> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const key: JWK = await exportJWK(privateKey);
  return { ...key, use: 'sig', alg: 'ES256', kid: randomBytes(8).toString('hex') } as ProviderKey;
}
