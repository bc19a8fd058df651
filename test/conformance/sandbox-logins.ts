import { signInAtOAuthBank } from '../support/actors/oauth-bank-visitor.js';
import { redirectRequest } from '../support/fixtures/provider-calls.js';
import type { LoginContext, Provider } from '../../providers/provider.js';
import type { ConformanceLogin } from './targets.js';

const GOOD = { kind: 'form', values: { username: 'user_good', password: 'pass_good' } } as const;

/** How user_good logs in at each institution of the sandbox. */
export const SANDBOX_LOGINS: readonly ConformanceLogin[] = [
  {
    remoteId: 'sandbox-instant-bank',
    logIn: (provider, context) => provider.begin(context),
    callsUnderWay: () => Promise.resolve({ begin: (provider, context) => provider.begin(context) }),
  },
  {
    remoteId: 'sandbox-credentials-bank',
    async logIn(provider, context) {
      const state = stateOf(await provider.begin(context));
      return offered(provider.advance)(context, state, GOOD);
    },
    async callsUnderWay(provider, context) {
      const state = stateOf(await provider.begin(context));
      return {
        begin: (other, its) => other.begin(its),
        advance: (other, its) => offered(other.advance)(its, state, GOOD),
        poll: (other, its) => offered(other.poll)(its, state),
      };
    },
  },
  {
    remoteId: 'sandbox-oauth-bank',
    async logIn(provider, context) {
      const start = await startRedirect(provider, context);
      return offered(provider.completeRedirect)(
        context,
        start.state,
        await signInAtOAuthBank(start.authorizeUrl),
      );
    },
    async callsUnderWay(provider, context) {
      const start = await startRedirect(provider, context);
      const callbackUrl = await signInAtOAuthBank(start.authorizeUrl);
      return {
        startRedirect: (other, its) => startRedirect(other, its),
        completeRedirect: (other, its) =>
          offered(other.completeRedirect)(its, start.state, callbackUrl),
      };
    },
  },
];

async function startRedirect(provider: Provider, context: LoginContext) {
  const start = await offered(provider.startRedirect)(context, redirectRequest());
  if (start.kind !== 'address') throw new Error('expected an address');
  return start;
}

function offered<T>(method: T | undefined): T {
  if (method === undefined) throw new Error('the provider does not offer this');
  return method;
}

function stateOf(outcome: Awaited<ReturnType<Provider['begin']>>): Uint8Array {
  if (outcome.kind !== 'step') throw new Error('expected a step');
  return outcome.state;
}
