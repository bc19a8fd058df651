import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair } from 'jose';
import Provider from 'oidc-provider';

/** A person at the provider, and the claim with their roles. */
export interface ProviderPerson {
  sub: string;
  roles: unknown;
}

/** An OpenID provider on a free port, at which one person signs in without being asked. */
export interface OpenIdProvider {
  issuer: string;
  /** The person who signs in next. */
  person: ProviderPerson;
  /** Follows a sign-in from its address to the address that the provider returns to. */
  signIn(url: string): Promise<URL>;
  close(): Promise<void>;
}

export const CLIENT = { id: 'console', secret: 'secret-of-the-console-at-its-provider' };
const MAX_STEPS = 10;

/** @param returnAddress the registered return address of the console */
export async function startOpenIdProvider(returnAddress: string): Promise<OpenIdProvider> {
  const server: Server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const provider = new Provider(issuer, {
    jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig', kid: 'one' }] },
    cookies: { keys: ['a key of the cookies in this test'] },
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: [returnAddress],
        response_types: ['code'],
        grant_types: ['authorization_code'],
      },
    ],
    claims: { openid: ['sub', 'roles'] },
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/people/${uid}` },
    findAccount: (_, accountId) => ({
      accountId,
      claims: () => ({ sub: accountId, roles: held.person.roles }),
    }),
  });
  const answer = provider.callback();
  server.on('request', (request, response) => {
    if (request.url?.startsWith('/people/') !== true) return void answer(request, response);
    const finish = async (): Promise<void> => {
      const details = await provider.interactionDetails(request, response);
      if (details.prompt.name === 'login')
        return provider.interactionFinished(request, response, {
          login: { accountId: held.person.sub },
        });
      const grant = new provider.Grant({ accountId: held.person.sub, clientId: CLIENT.id });
      grant.addOIDCScope('openid');
      await provider.interactionFinished(
        request,
        response,
        { consent: { grantId: await grant.save() } },
        { mergeWithLastSubmission: true },
      );
    };
    finish().catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  const held: OpenIdProvider = {
    issuer,
    person: { sub: 'ada-at-provider', roles: ['operator'] },
    signIn: async (url) => follow(url, returnAddress),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return held;
}

/** A browser at the provider: follows redirects and keeps cookies, up to the return. */
async function follow(start: string, returnAddress: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let url = new URL(start);
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
    });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      const at = pair.indexOf('=');
      cookies.set(pair.slice(0, at), pair.slice(at + 1));
    }
    const location = response.headers.get('location');
    if (location === null)
      throw new Error(`The provider answered ${response.status}: ${await response.text()}`);
    url = new URL(location, url);
    if (url.href.startsWith(returnAddress)) return url;
  }
  throw new Error('The provider does not return.');
}
