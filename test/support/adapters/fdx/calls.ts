import { encodeCredential, encodeRedirect } from '../../../../providers/fdx/client/credential.js';
import { createFdxProvider } from '../../../../providers/fdx/fdx-adapter.js';
import { FDX_SETTINGS } from '../../../../providers/fdx/settings.js';
import { accessWith, loginContext, redirectRequest } from '../../fixtures/provider-calls.js';
import {
  checking,
  redirectUri,
  RETURN,
  state,
  type CallingAdapter,
  reachedBy,
} from '../calling-adapter.js';

const CALLS: CallingAdapter = {
  create: ({ environment, origin, resolve }) => {
    const bank = {
      name: 'First Bank',
      country: 'US',
      issuer: origin,
      fdxBase: `${origin}/fdx/v6`,
      clientId: 'client',
      clientAuthentication: 'client_secret_basic',
      scopes: [],
    };
    const metadata = {
      authorization_endpoint: `${origin}/authorize`,
      token_endpoint: `${origin}/token`,
      pushed_authorization_request_endpoint: `${origin}/par`,
      revocation_endpoint: `${origin}/revoke`,
    };
    const institutions = [
      { ...bank, remoteId: 'first', metadata },
      { ...bank, remoteId: 'unpinned' },
    ];
    const provider = createFdxProvider(
      {
        adapter: 'fdx',
        name: 'fdx',
        environment,
        settings: FDX_SETTINGS.public.parse({
          institutions,
          allowLoopback: environment === 'sandbox',
        }),
        secrets: { clientSecret: 'secret' },
      },
      reachedBy(resolve),
    );
    return Promise.resolve(provider);
  },
  calls() {
    const remoteId = 'first';
    const login = loginContext({ remoteId });
    const access = accessWith(
      {
        reference: 'permission',
        credential: encodeCredential({
          accessToken: 'token',
          endsAt: null,
          refreshToken: 'refresh',
          dpopKey: null,
        }),
      },
      remoteId,
    );
    const over = encodeCredential({
      accessToken: 'a',
      endsAt: 0,
      refreshToken: 'refresh',
      dpopKey: null,
    });
    const started = encodeRedirect({
      reference: 'permission',
      redirect_uri: redirectUri,
      state,
      nonce: null,
      code_verifier: 'verifier-verifier-verifier-verifier-verifier',
      dpop_key: null,
    });
    return {
      'discovery and keys': checking,
      'pushed request': async (provider) => provider.startRedirect?.(login, redirectRequest()),
      token: async (provider) => provider.completeRedirect?.(login, started, RETURN),
      renewal: (provider) => provider.fetchAccounts({ ...access, credential: over }),
      resources: (provider) => provider.fetchAccounts(access),
      revocation: async (provider) => provider.revoke?.(access),
    };
  },
};
export default CALLS;
