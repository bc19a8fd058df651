import type { webcrypto } from 'node:crypto';
import { importJWK, type JWK } from 'jose';
import * as oauth from 'openid-client';
import { Agent, fetch as undiciFetch } from 'undici';
import type { FdxBank } from '../../../simulators/vendors/fdx/fdx-bank.types.js';
import {
  signInAtFdxBank,
  type SignInAtFdxBank,
} from '../../../simulators/vendors/fdx/sign-in-at-fdx-bank.js';

const REDIRECT_URI = 'http://127.0.0.1:45678/connect/oauth/callback';
const ALL_SCOPES = [
  'openid',
  'offline_access',
  'fdx:accountbasic:read',
  'fdx:accountdetailed:read',
  'fdx:transactions:read',
  'fdx:investments:read',
  'fdx:customercontact:read',
  'fdx:paymentsupport:read',
].join(' ');

export interface FdxClientOptions {
  /** PEM texts for mutual TLS; null presents no certificate. */
  certificate?: { certificate: string; key: string } | null;
}

export interface LoginOptions extends SignInAtFdxBank {
  scope?: string;
  redirectUri?: string;
  /** OpenID Connect Core 3.1.2.1; null = none. */
  prompt?: string | null;
}

/** One response of the resource server, with the exact text of its body. */
export interface FdxResponse {
  status: number;
  headers: Headers;
  text: string;
  // oxlint-disable-next-line typescript/no-explicit-any
  json: any;
}

/** A client of one institution, built on `openid-client` as any third party builds it. */
export async function createFdxClient(
  bank: FdxBank,
  institutionId: string,
  options: FdxClientOptions = {},
) {
  const trial = bank.trial.institutions.find(({ id }) => id === institutionId);
  const profile = bank.institutions.find(({ institution }) => institution.id === institutionId);
  if (trial === undefined || profile === undefined) throw new Error(`no ${institutionId}`);
  const { dpop, pushedRequests } = profile.institution;
  const config = await oauth.discovery(
    new URL(trial.issuer),
    trial.clientId,
    { use_mtls_endpoint_aliases: trial.clientAuthentication === 'tls_client_auth' },
    await authentication(bank, trial.clientAuthentication, trial.clientSecret),
    { execute: [oauth.allowInsecureRequests, oauth.enableNonRepudiationChecks] },
  );
  const agent = new Agent({ connect: tlsOptions(bank, options) });
  const observed: { onRequest?: (headers: Record<string, string>) => void } = {};
  config[oauth.customFetch] = (url, init) => {
    observed.onRequest?.(Object.fromEntries(new Headers(init.headers)));
    const request = { ...(init as object), dispatcher: agent };
    return undiciFetch(url, request) as unknown as Promise<Response>;
  };
  const dpopHandle = dpop
    ? oauth.getDPoPHandle(config, await oauth.randomDPoPKeyPair('ES256'))
    : undefined;

  /** Starts a login. @returns the address to open, and the values that the client must remember */
  async function startLogin(login: LoginOptions = {}) {
    const verifier = oauth.randomPKCECodeVerifier();
    const state = oauth.randomState();
    const parameters = {
      redirect_uri: login.redirectUri ?? REDIRECT_URI,
      scope: login.scope ?? ALL_SCOPES,
      state,
      ...(login.prompt === null ? {} : { prompt: login.prompt ?? 'consent' }),
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    };
    const address =
      pushedRequests === 'none'
        ? oauth.buildAuthorizationUrl(config, parameters)
        : await oauth.buildAuthorizationUrlWithPAR(config, parameters, { DPoP: dpopHandle });
    return { address, checks: { pkceCodeVerifier: verifier, expectedState: state } };
  }

  /** Visits the bank's pages. @returns also the address with which they end */
  async function authorize(login: LoginOptions = {}) {
    const started = await startLogin(login);
    return { ...started, returned: await signInAtFdxBank(started.address, login) };
  }

  const redeem = (returned: URL, checks: oauth.AuthorizationCodeGrantChecks) =>
    oauth.authorizationCodeGrant(config, returned, checks, undefined, { DPoP: dpopHandle });

  async function logIn(login: LoginOptions = {}) {
    const { returned, checks } = await authorize(login);
    return redeem(returned, checks);
  }

  /** Opens the bank's pages without pushing the request first. An empty text omits a parameter. */
  async function openPlainly(changes: Record<string, string> = {}): Promise<URL> {
    const verifier = oauth.randomPKCECodeVerifier();
    const parameters = {
      redirect_uri: REDIRECT_URI,
      scope: ALL_SCOPES,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...changes,
    };
    const given = Object.entries(parameters).filter(([, value]) => value !== '');
    return signInAtFdxBank(oauth.buildAuthorizationUrl(config, Object.fromEntries(given)));
  }

  /** @param path below the base address of the FDX calls */
  async function get(accessToken: string, path: string): Promise<FdxResponse> {
    const response = await oauth
      .fetchProtectedResource(
        config,
        accessToken,
        new URL(`${trial?.resourceUrl}${path}`),
        'GET',
        undefined,
        undefined,
        { DPoP: dpopHandle },
      )
      .catch(responseOfChallenge);
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: JSON.parse(text) };
  }

  return Object.assign(observed, {
    config,
    trial,
    start: async () => (await startLogin()).address,
    authorize,
    openPlainly,
    redeem,
    logIn,
    get,
    /** Reads every page of a listing. */
    async list(accessToken: string, path: string, name: string, limit = 20) {
      const items: Record<string, unknown>[] = [];
      const texts: string[] = [];
      let offset: string | undefined;
      do {
        const query = new URLSearchParams({ limit: String(limit), ...(offset && { offset }) });
        const separator = path.includes('?') ? '&' : '?';
        const { json, text } = await get(accessToken, `${path}${separator}${query.toString()}`);
        items.push(...json[name]);
        texts.push(text);
        offset = json.page.nextOffset;
      } while (offset !== undefined);
      return { items, texts };
    },
    refresh: (token: string) =>
      oauth.refreshTokenGrant(config, token, undefined, { DPoP: dpopHandle }),
    revoke: (token: string) => oauth.tokenRevocation(config, token),
  });
}

export type FdxClient = Awaited<ReturnType<typeof createFdxClient>>;

/** `openid-client` throws for a 401 with a challenge; the response is inside. */
function responseOfChallenge(error: unknown): Response {
  if (error instanceof oauth.WWWAuthenticateChallengeError) return error.response;
  throw error;
}

async function authentication(bank: FdxBank, method: string, secret: string | null) {
  if (method === 'client_secret_basic') return oauth.ClientSecretBasic(secret ?? '');
  if (method === 'tls_client_auth') return oauth.TlsClientAuth();
  const key = (await importJWK(bank.trial.clientKey as JWK, 'ES256')) as webcrypto.CryptoKey;
  return oauth.PrivateKeyJwt({ key, kid: bank.trial.clientKey.kid });
}

function tlsOptions({ trial }: FdxBank, { certificate }: FdxClientOptions) {
  const shown =
    certificate === undefined
      ? { certificate: trial.clientCertificate, key: trial.clientCertificateKey }
      : certificate;
  return {
    ca: trial.certificateAuthority,
    ...(shown === null ? {} : { cert: shown.certificate, key: shown.key }),
  };
}
