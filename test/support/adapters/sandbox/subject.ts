import { decideAtBank } from '../../actors/oauth-bank-visitor.js';
import { redirectRequest } from '../../fixtures/provider-calls.js';
import type { LoginContext, Provider } from '../../../../providers/contract/provider.js';
import { createSandboxProvider } from '../../../../providers/sandbox/sandbox-provider.js';
import { createTestDatabase } from '../../services/embedded-services.js';
import {
  connectionTo,
  startSandboxBank,
} from '../../../integration/sandbox-bank/support/sandbox-bank.js';
import type {
  ConformanceLogin,
  ConformanceSubject,
  ConformanceTarget,
} from '../../../conformance/targets.js';

const GOOD = { kind: 'form', values: { username: 'user_good', password: 'pass_good' } } as const;

/** The login of user_good at each institution of the sandbox. */
const LOGINS: readonly ConformanceLogin[] = [
  {
    remoteId: 'sandbox-instant-bank',
    logIn: (provider, context) => provider.begin(context),
    callsInProgress: () =>
      Promise.resolve({ begin: (provider, context) => provider.begin(context) }),
  },
  {
    remoteId: 'sandbox-credentials-bank',
    async logIn(provider, context) {
      const state = stateOf(await provider.begin(context));
      return offered(provider.advance)(context, state, GOOD);
    },
    async callsInProgress(provider, context) {
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
        await decideAtBank(start.authorizeUrl),
      );
    },
    async callsInProgress(provider, context) {
      const start = await startRedirect(provider, context);
      const callbackUrl = await decideAtBank(start.authorizeUrl);
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

async function startTarget(): Promise<ConformanceTarget> {
  const database = await createTestDatabase();
  const bank = await startSandboxBank({ databaseUrl: database.url });
  const institutions = LOGINS.map(({ remoteId }) => remoteId);
  return {
    provider: createSandboxProvider({ ...connectionTo(bank), institutions }),
    origin: bank.controlUrl,
    at: (baseUrl, http) =>
      createSandboxProvider({ baseUrl, secret: bank.secret, institutions, http }),
    async close() {
      await bank.stop();
      await database.drop();
    },
  };
}

const SUBJECT: ConformanceSubject = { logins: LOGINS, start: startTarget };
export default SUBJECT;
