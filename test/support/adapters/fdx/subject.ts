import { createFdxBank } from '../../../../simulators/vendors/fdx/create-fdx-bank.js';
import { FDX_INSTITUTIONS } from '../../../../simulators/vendors/fdx/institutions.js';
import { signInAtFdxBank } from '../../../../simulators/vendors/fdx/sign-in-at-fdx-bank.js';
import { Ledger } from '../../../../simulators/vendors/ledger/ledger.js';
import { createFdxProvider } from '../../../../providers/fdx/fdx-adapter.js';
import type { Provider } from '../../../../providers/contract/provider.js';
import {
  fdxAt,
  linkAtFdx,
  pinnedFdxConfiguration,
  startFdxRedirect,
  withEndedToken,
} from '../../fixtures/fdx-bank-configuration.js';
import { accessWith, loginContext } from '../../fixtures/provider-calls.js';
import type { Misbehavior } from '../../../conformance/misbehaving-server.js';
import type {
  ConformanceLogin,
  ConformanceSubject,
  ConformanceTarget,
} from '../../../conformance/targets.js';

/**
 * A login that is not complete and one that is, of an institution. Attempts at other counterparts
 * change neither.
 */
function loginsAt(provider: Provider, remoteId: string) {
  const known = logins.get(provider) ?? new Map<string, ReturnType<typeof startLogins>>();
  logins.set(provider, known);
  const started = known.get(remoteId) ?? startLogins(provider, remoteId);
  known.set(remoteId, started);
  return started;
}

const logins = new WeakMap<Provider, Map<string, ReturnType<typeof startLogins>>>();

async function startLogins(provider: Provider, remoteId: string) {
  const start = await startFdxRedirect(provider, loginContext({ remoteId }));
  const returned = await signInAtFdxBank(start.authorizeUrl);
  return { start, returned, linked: await linkAtFdx(provider, loginContext({ remoteId })) };
}

const LOGINS: readonly ConformanceLogin[] = FDX_INSTITUTIONS.map(
  ({ id: remoteId, pushedRequests, hasRevocationEndpoint }) => ({
    remoteId,
    cannotRevoke: !hasRevocationEndpoint,
    logIn: (provider, context) => linkAtFdx(provider, context),
    async callsInProgress(provider) {
      const { start, returned, linked } = await loginsAt(provider, remoteId);
      const credential = withEndedToken(linked.credential);
      return {
        ...(pushedRequests === 'none'
          ? {}
          : { push: (other: Provider, its) => startFdxRedirect(other, its) }),
        completeRedirect: async (other, its) =>
          other.completeRedirect?.(its, start.state, returned.href),
        renewal: (other, { signal }) =>
          other.fetchAccounts({ ...accessWith({ ...linked, credential }, remoteId), signal }),
      };
    },
  }),
);

async function startTarget(): Promise<ConformanceTarget> {
  const bank = await createFdxBank({ ledger: new Ledger() });
  const configuration = await pinnedFdxConfiguration(bank);
  return {
    provider: createFdxProvider(configuration),
    origin: bank.url,
    at: (origin, http) => fdxAt(configuration, origin, { http }),
    causeAt,
    close: () => bank.close(),
  };
}

const AUTHORIZATION_CALLS = ['push', 'completeRedirect', 'renewal', 'revoke'];

/** The authorization server of a bank may be down independently. */
function causeAt(operation: string, misbehavior: Misbehavior) {
  if (!AUTHORIZATION_CALLS.includes(operation)) return undefined;
  // RFC 7009, 2.2: only the status of a revocation counts.
  if (operation === 'revoke' && misbehavior === 'other json') return 'no failure';
  return ['refuse', 'reset', 'status 500'].includes(misbehavior) ? 'provider_down' : undefined;
}

const SUBJECT: ConformanceSubject = { logins: LOGINS, start: startTarget };
export default SUBJECT;
