import { randomBytes } from 'node:crypto';
import { exportJWK, generateKeyPair } from 'jose';
import Provider, { type Configuration, type JWK } from 'oidc-provider';
import type { Reply } from '../http/reply.js';
import type { SimulatorRequest } from '../http/request.js';

export interface AuthorizationServerParts {
  /** Ends with the path below which the server is mounted. */
  issuer: string;
  signingKey: JWK;
  cookieKey: string;
  /** The scopes beside `openid`. */
  scopes: readonly string[];
  /** The page for a request that cannot continue and cannot safely be sent back. */
  problemPage: Reply;
  onError: (error: unknown) => void;
  /** The part in which banks differ. */
  configuration: Omit<Configuration, 'scopes'>;
}

/**
 * The authorization server of a bank: authorization code with PKCE by `oidc-provider`, software that
 * is independent of this project and of the clients it writes.
 */
export function createAuthorizationServer(parts: AuthorizationServerParts): Provider {
  const { configuration, problemPage } = parts;
  const base = baseOf(parts.issuer);
  const server = new Provider(parts.issuer, {
    jwks: { keys: [parts.signingKey] },
    cookies: {
      keys: [parts.cookieKey],
      // a path without pages: the bank never remembers who signed in, so every request shows its
      // own sign-in page
      long: { httpOnly: true, sameSite: 'lax', path: `${base}/session` },
      short: { httpOnly: true, sameSite: 'lax' },
    },
    responseTypes: ['code'],
    pkce: { required: () => true },
    interactions: { url: (_, { uid }) => `${base}/sign-in/${uid}` },
    findAccount: (_, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
    expiresWithSession: () => false,
    renderError(context) {
      context.set({ ...problemPage.headers });
      context.type = 'html';
      context.body = problemPage.text;
    },
    ...configuration,
    scopes: ['openid', ...parts.scopes],
    features: {
      devInteractions: { enabled: false },
      userinfo: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      resourceIndicators: { enabled: false },
      ...configuration.features,
    },
  });
  // trusts the forwarded address, which `serveOAuth` sets
  server.proxy = true;
  server.on('server_error', (_, error) => parts.onError(error));
  return server;
}

/**
 * Lets the server respond to a request below its issuer. It names itself by its issuer, whatever the
 * address of the request.
 */
export async function serveOAuth(
  server: Provider,
  { incoming, response }: SimulatorRequest,
): Promise<null> {
  const { host, protocol } = new URL(server.issuer);
  const originalUrl = incoming.url ?? '/';
  Object.assign(incoming.headers, {
    host,
    'x-forwarded-host': host,
    'x-forwarded-proto': protocol.slice(0, -1),
  });
  Object.assign(incoming, {
    originalUrl,
    url: originalUrl.slice(baseOf(server.issuer).length) || '/',
  });
  await server.callback()(incoming, response);
  return null;
}

const baseOf = (issuer: string): string => new URL(issuer).pathname.replace(/\/$/, '');

export async function makeSigningKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const key = await exportJWK(privateKey);
  return { ...key, use: 'sig', alg: 'ES256', kid: randomBytes(8).toString('hex') } as JWK;
}

export const makeCookieKey = (): string => randomBytes(32).toString('base64url');
