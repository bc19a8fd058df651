import { FIRST_PRODUCTS } from '../../../domain/link/products.js';
import type { StepInput } from '../../../domain/session/connect-step.js';
import type {
  LoginContext,
  LoginOutcome,
  Provider,
  ProviderAccess,
  ProviderTransaction,
} from '../../../providers/contract/provider.js';
import type { SandboxProvider } from '../../../providers/sandbox/sandbox-provider.js';
import {
  accessWith,
  loginContext,
  redirectRequest,
} from '../../support/fixtures/provider-calls.js';
import { decideAtBank } from '../../support/actors/oauth-bank-visitor.js';

type Step = Extract<LoginOutcome, { kind: 'step' }>;

/** Takes users through the sandbox logins with its adapter, as the core does. */
export function bankCustomer(provider: SandboxProvider, remoteId: string) {
  const contextOf = (more: Partial<LoginContext> = {}): LoginContext =>
    loginContext({ remoteId, requestedProducts: FIRST_PRODUCTS, ...more });

  function advance(context: LoginContext, step: Step, input: StepInput): Promise<LoginOutcome> {
    return offered(provider.advance)(context, step.state, input);
  }

  /** Starts a login and answers each step in turn. Returns the outcome of the last answer. */
  async function logIn(
    userName: string,
    answers: readonly StepInput[] = [],
    more: Partial<LoginContext> = {},
  ): Promise<LoginOutcome> {
    const context = contextOf(more);
    let outcome = await provider.begin(context);
    for (const answer of [credentials(userName), ...answers])
      outcome = await advance(context, asStep(outcome), answer);
    return outcome;
  }

  async function signInOnPages(
    userName: string,
    more: Partial<LoginContext> = {},
  ): Promise<LoginOutcome> {
    const { context, start } = await startRedirect(more);
    return offered(provider.completeRedirect)(
      context,
      start.state,
      await decideAtBank(start.authorizeUrl, { userName }),
    );
  }

  async function startRedirect(more: Partial<LoginContext> = {}) {
    const context = contextOf(more);
    return {
      context,
      start: await provider.startRedirect(context, redirectRequest()),
    };
  }

  return {
    contextOf,
    advance,
    logIn,
    signInOnPages,
    startRedirect,
    begin: async (context: LoginContext) => asStep(await provider.begin(context)),
    poll: (context: LoginContext, step: Step) => offered(provider.poll)(context, step.state),
    complete: (context: LoginContext, state: Uint8Array, callbackUrl: string) =>
      offered(provider.completeRedirect)(context, state, callbackUrl),
    accessOf: (outcome: LoginOutcome) => accessWith(asLinked(outcome), remoteId),
  };
}

export const credentials = (username: string, password = 'pass_good'): StepInput => ({
  kind: 'form',
  values: { username, password },
});
export const otp = (code: string): StepInput => ({ kind: 'otp', code });

export async function rowsOf(
  provider: Provider,
  access: ProviderAccess,
  window: { from: string; to: string },
): Promise<ProviderTransaction[]> {
  const rows: ProviderTransaction[] = [];
  for await (const page of offered(provider.fetchTransactions)(access, window))
    rows.push(...page.transactions);
  return rows;
}

export function asStep(outcome: LoginOutcome): Step {
  if (outcome.kind !== 'step') throw new Error('expected a step, got a permission');
  return outcome;
}

export function asLinked(outcome: LoginOutcome): Extract<LoginOutcome, { kind: 'linked' }> {
  if (outcome.kind !== 'linked')
    throw new Error(`expected a permission, got the step ${outcome.step.kind}`);
  return outcome;
}

export const refusal = (cause: string) => ({ name: 'ProviderFailure', providerCause: cause });

function offered<T>(method: T | undefined): T {
  if (method === undefined) throw new Error('the adapter does not offer this');
  return method;
}
