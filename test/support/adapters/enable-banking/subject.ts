import { remoteIdOf } from '../../../../providers/enable-banking/catalog/remote-id.js';
import type { Provider } from '../../../../providers/contract/provider.js';
import {
  enableBankingFor,
  linkAtEnableBanking,
  registerApplication,
  returnFromBank,
} from '../../fixtures/enable-banking-application.js';
import { redirectRequest } from '../../fixtures/provider-calls.js';
import { startVendorSimulator } from '../../services/vendor-simulators.js';
import type {
  ConformanceLogin,
  ConformanceSubject,
  ConformanceTarget,
} from '../../../conformance/targets.js';

/** The simulator of each provider, at which its users decide. */
const simulators = new WeakMap<Provider, string>();

function simulatorOf(provider: Provider): string {
  const url = simulators.get(provider);
  if (url === undefined) throw new Error('a provider of another target');
  return url;
}

function login(name: string, country: string): ConformanceLogin {
  return {
    remoteId: remoteIdOf({ name, country }),
    logIn: (provider, context) =>
      linkAtEnableBanking(provider, context, { url: simulatorOf(provider) }),
    async callsInProgress(provider, context) {
      const { state, callbackUrl } = await returnFromBank(provider, context, {
        url: simulatorOf(provider),
      });
      return {
        listInstitutions: async (other, { signal }) => {
          const request = { countries: [country], note: () => undefined, signal };
          const pages = other.listInstitutions?.(request);
          for await (const page of pages ?? []) if (page.length === 0) break;
        },
        startRedirect: async (other, its) => other.startRedirect?.(its, redirectRequest()),
        completeRedirect: async (other, its) => other.completeRedirect?.(its, state, callbackUrl),
      };
    },
  };
}

const LOGINS: readonly ConformanceLogin[] = [
  login('Meridian Bank', 'DE'),
  login('Banque de la Rivière', 'FR'),
  login('Saaristopankki', 'FI'),
  login('Banco del Faro', 'ES'),
];

async function startTarget(): Promise<ConformanceTarget> {
  const simulator = await startVendorSimulator('enable-banking');
  const application = await registerApplication(simulator.url);
  const provider = enableBankingFor(application);
  simulators.set(provider, simulator.url);
  return {
    provider,
    origin: simulator.url,
    at: (url, http) => enableBankingFor({ ...application, url }, { http }),
    causes: { refuse: 'provider_down', reset: 'provider_down', 'status 500': 'provider_down' },
    close: () => simulator.close(),
  };
}

const SUBJECT: ConformanceSubject = { logins: LOGINS, start: startTarget };
export default SUBJECT;
