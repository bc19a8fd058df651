import * as oauth from 'openid-client';
import { isLosslessNumber } from 'lossless-json';
import type { ProviderAccess } from '../../contract/provider.js';
import { readJson } from '../../http/read-json.js';
import type { ReadScope } from '../../http/read-scope.js';
import { malformed, RemoteObject } from '../../http/remote-object.js';
import { ProviderFailure } from '../../../domain/errors/provider-failure.js';
import { consentExpired, failureOfResource } from '../failure-table.js';
import { renew } from '../login/renew.js';
import type { FdxInstitution } from '../settings.js';
import { isPage, type BankHttp } from '../client/bank-http.js';
import { decodeCredential, type Credential } from '../client/credential.js';
import { dpopHandleOf } from '../client/dpop-key.js';
import type { OAuthClient } from '../client/oauth-client.js';

export interface ResourceParts {
  http: BankHttp;
  client: OAuthClient;
}

/**
 * Reads a resource below the base address of a bank.
 * @param path segments; encoded here
 * @param scope the account that it belongs to
 * @throws ProviderFailure, or the reason of the signal
 */
export type ReadResource = (
  path: readonly string[],
  query?: Readonly<Record<string, string>>,
  scope?: ReadScope,
) => Promise<RemoteObject>;

/**
 * The time before its end at which a token is renewed, to allow for clock differences and slow
 * calls.
 */
const RENEWED_BEFORE_MS = 30_000;

/** Reads the resources of one permission, and renews its token when it expires. */
export function openResources(
  { http, client }: ResourceParts,
  institution: FdxInstitution,
  access: ProviderAccess,
): ReadResource {
  let credential = decodeCredential(access.credential);
  // Shared by all calls, because it keeps the nonces of the bank. The key outlives renewals.
  let proof: Promise<oauth.DPoPHandle | undefined> | undefined;

  return async (path, query = {}, scope) => {
    if (isOver(credential)) credential = await renew(client, institution, access, credential);
    let response = await get(path, query);
    if (response.status === 401) {
      credential = await renew(client, institution, access, credential);
      response = await get(path, query);
      // The token was just issued, so another renewal would loop.
      if (response.status === 401) throw consentExpired();
    }
    return response.body(scope);
  };

  async function get(path: readonly string[], query: Readonly<Record<string, string>>) {
    const address = addressOf(institution.fdxBase, path, query);
    return http.within(
      'resources',
      access.signal,
      async (signal) => bodyOf(await send(address, credential, signal)),
      () => malformed('it breaks the rules of OAuth'),
    );
  }

  async function send(address: URL, { accessToken, dpopKey }: Credential, signal: AbortSignal) {
    const configuration = await client.configure(institution, null, { part: 'resources', signal });
    return oauth
      .fetchProtectedResource(
        configuration,
        accessToken,
        address,
        'GET',
        undefined,
        new Headers({ accept: 'application/json' }),
        { DPoP: await (proof ??= dpopHandleOf(configuration, dpopKey)) },
      )
      .catch(responseOfChallenge);
  }
}

const isOver = ({ endsAt }: Credential): boolean =>
  endsAt !== null && endsAt - RENEWED_BEFORE_MS < Date.now();

function addressOf(
  base: string,
  path: readonly string[],
  query: Readonly<Record<string, string>>,
): URL {
  const url = new URL([base.replace(/(?<!\/)\/+$/, ''), ...path.map(encodeURIComponent)].join('/'));
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url;
}

/** The library throws for a refusal with an authentication challenge. */
function responseOfChallenge(error: unknown): Response {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof oauth.WWWAuthenticateChallengeError) return cause.response;
    if (cause instanceof ProviderFailure) throw cause;
  }
  throw error;
}

/** FDX: 206 for a listing in which some accounts have an error. */
const SUCCESSES: readonly number[] = [200, 206];

/** A response with its body read. */
async function bodyOf(response: Response) {
  const { status, headers } = response;
  const content = readJson(await response.arrayBuffer());
  return {
    status,
    /** @throws ProviderFailure unless the response is a success */
    body(scope?: ReadScope): RemoteObject {
      if (SUCCESSES.includes(status)) {
        if (content === undefined) throw malformed('it is not JSON');
        return new RemoteObject(content, 'response', scope);
      }
      throw failureOfResource(status, {
        code: codeOf(content),
        isPage: isPage(headers.get('content-type')),
        retryAfter: headers.get('retry-after') ?? undefined,
      });
    },
  };
}

/** Published shapes have numbers as codes; some banks send texts. */
function codeOf(content: unknown): string | null {
  if (typeof content !== 'object' || content === null || !('code' in content)) return null;
  if (isLosslessNumber(content.code)) return content.code.value;
  return typeof content.code === 'string' ? content.code : null;
}
