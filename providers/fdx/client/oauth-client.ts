import * as oauth from 'openid-client';
import { ProviderFailure } from '../../../domain/errors/provider-failure.js';
import { readJson } from '../../http/read-json.js';
import { malformed } from '../../http/remote-object.js';
import { failureOfOAuth, type BankPart, type Stage } from '../failure-table.js';
import type { FdxInstitution, Metadata } from '../settings.js';
import { metadataOf, type DiscoveryParts } from './discovery.js';
import type { SigningKey } from './signing-key.js';

export interface OAuthParts extends DiscoveryParts {
  clientSecret: string | undefined;
  signingKey: SigningKey | null;
  now: () => Date;
}

/**
 * OAuth with the authorization servers of banks, through a certified library, within Tributary's
 * limits.
 */
export interface OAuthClient {
  /**
   * Runs calls of the authorization server of a bank.
   * @throws ProviderFailure for every failure
   */
  run<T>(
    institution: FdxInstitution,
    how: { stage: Stage; signal: AbortSignal },
    work: (configuration: oauth.Configuration, metadata: Metadata) => Promise<T>,
  ): Promise<T>;
  /** Creates the configuration for calls of a part of a bank; makes no call itself. */
  configure(
    institution: FdxInstitution,
    metadata: Metadata | null,
    how: { part: BankPart; signal: AbortSignal },
  ): Promise<oauth.Configuration>;
}

/** The tolerated difference between the clocks of a bank and of this process, in seconds. */
export const CLOCK_TOLERANCE_SECONDS = 30;

export function createOAuthClient(parts: OAuthParts): OAuthClient {
  const configure: OAuthClient['configure'] = async (institution, metadata, { part, signal }) => {
    const configuration = new oauth.Configuration(
      { issuer: institution.issuer, ...withoutGaps(metadata ?? {}) },
      institution.clientId,
      {
        [oauth.clockTolerance]: CLOCK_TOLERANCE_SECONDS,
        // The library has its own clock.
        [oauth.clockSkew]: Math.round((parts.now().getTime() - Date.now()) / 1_000),
        use_mtls_endpoint_aliases: institution.clientAuthentication === 'mtls',
      },
      part === 'resources' ? oauth.None() : await authenticationOf(parts, institution),
    );
    if (parts.allowLoopback) oauth.allowInsecureRequests(configuration);
    configuration[oauth.customFetch] = parts.http.fetchFor(institution, part, signal);
    // Tributary's own limits apply.
    Object.assign(configuration, { timeout: 0 });
    return configuration;
  };

  return {
    configure,
    async run(institution, { stage, signal }, work) {
      const metadata = metadataOf(institution);
      return parts.http.within(
        'authorization',
        signal,
        async (within) => {
          const how = { part: 'authorization', signal: within } as const;
          try {
            return await work(await configure(institution, metadata, how), metadata);
          } catch (error) {
            throw await failureOf(error, stage);
          }
        },
        () => malformed('it breaks the rules of OAuth'),
      );
    },
  };
}

async function authenticationOf(
  { clientSecret, signingKey }: OAuthParts,
  { clientAuthentication }: FdxInstitution,
): Promise<oauth.ClientAuth> {
  if (clientAuthentication === 'mtls') return oauth.TlsClientAuth();
  if (clientAuthentication === 'client_secret_basic' && clientSecret !== undefined)
    return oauth.ClientSecretBasic(clientSecret);
  if (clientAuthentication === 'private_key_jwt' && signingKey !== null)
    return oauth.PrivateKeyJwt({ key: await signingKey.importPrivate(), kid: signingKey.kid });
  throw new ProviderFailure('internal', 'The configuration lacks the keys of an institution.');
}

/**
 * Converts every error of the library into a provider cause; other failures and reasons stay as
 * they are.
 */
async function failureOf(error: unknown, stage: Stage): Promise<unknown> {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof ProviderFailure) return cause;
    if (cause instanceof oauth.AuthorizationResponseError)
      return failureOfOAuth(cause.error, stage);
    if (cause instanceof oauth.ResponseBodyError) return failureOfOAuth(cause.error, stage);
    // RFC 6749, 5.2: with a 401, the error is in the body as well.
    if (cause instanceof oauth.WWWAuthenticateChallengeError) {
      const body = readJson(await cause.response.arrayBuffer()) as { error?: unknown } | undefined;
      const code = typeof body?.error === 'string' ? body.error : 'invalid_client';
      return failureOfOAuth(code, stage);
    }
  }
  return error;
}

/** The library does not accept undefined members. */
function withoutGaps(metadata: Partial<Metadata>): Partial<oauth.ServerMetadata> {
  const entries = Object.entries(metadata).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Partial<oauth.ServerMetadata>;
}
