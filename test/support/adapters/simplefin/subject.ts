import type { Provider, ProviderSecret } from '../../../../providers/contract/provider.js';
import {
  linkAtSimplefin,
  setupTokenFor,
  simplefinAt,
  submitToken,
} from '../../fixtures/simplefin-server.js';
import { startVendorSimulator } from '../../services/vendor-simulators.js';
import type {
  ConformanceLogin,
  ConformanceSubject,
  ConformanceTarget,
} from '../../../conformance/targets.js';

/** The server address of each provider. The address of a claim is part of the token. */
const origins = new WeakMap<Provider, string>();

function originOf(provider: Provider): string {
  const origin = origins.get(provider);
  if (origin === undefined) throw new Error('a provider of another target');
  return origin;
}

const login = (remoteId: string, customer: string): ConformanceLogin => ({
  remoteId,
  logIn: (provider, context) =>
    linkAtSimplefin(provider, context, { origin: originOf(provider), customer }),
  callsInProgress: () =>
    Promise.resolve({
      advance: (provider, context) =>
        submitToken(
          provider,
          context,
          setupTokenFor(`${originOf(provider)}/simplefin/claim/TOKEN`),
        ),
    }),
});

const LOGINS: readonly ConformanceLogin[] = [login('us', 'investor'), login('ca', 'trial')];

async function startTarget(): Promise<ConformanceTarget> {
  const simulator = await startVendorSimulator('simplefin');
  const providerAt = (origin: string, options = {}): Provider => {
    const provider = simplefinAt(origin, options);
    origins.set(provider, origin);
    return provider;
  };
  return {
    provider: providerAt(simulator.url),
    origin: simulator.url,
    at: (origin, http) => providerAt(origin, { http }),
    credentialAt,
    causes: {
      refuse: 'provider_down',
      reset: 'provider_down',
      'status 500': 'provider_down',
      html: 'provider_down',
    },
    close: () => simulator.close(),
  };
}

function credentialAt(credential: ProviderSecret, origin: string): ProviderSecret {
  const url = new URL(new TextDecoder().decode(credential));
  url.host = new URL(origin).host;
  return new TextEncoder().encode(url.href);
}

const SUBJECT: ConformanceSubject = { logins: LOGINS, start: startTarget };
export default SUBJECT;
