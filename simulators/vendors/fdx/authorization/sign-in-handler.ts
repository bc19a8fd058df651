import type { IncomingMessage, ServerResponse } from 'node:http';
import type Provider from 'oidc-provider';
import { page, redirectTo, type Reply } from '../../http/reply.js';
import { SimulatorRequest } from '../../http/simulator-request.js';
import { consentPage, type OfferedAccount } from '../pages/consent-page.js';
import { problemPage } from '../pages/problem-page.js';
import { signInPage } from '../pages/sign-in-page.js';
import { TRIAL_PASSWORD } from '../trial-values.js';
import type { Consents } from './consents.js';
import { DATA_SCOPES } from './data-scopes.js';

type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>;
type Result = Parameters<Provider['interactionResult']>[2];

export interface SignInParts {
  server: Provider;
  bankName: string;
  consents: Consents;
  /** The accounts of a customer here; null for an unknown user name. */
  accountsOf: (userName: string) => readonly OfferedAccount[] | null;
}

/** One request of a browser during a login. */
interface Visit {
  interaction: Interaction;
  form: URLSearchParams;
  /** Sends the browser back to the client. */
  finish: (result: Result) => Promise<Reply>;
}

/** The two pages of a login, for customer and accounts, and the consequences of their forms. */
export function createSignInHandler({ server, bankName, consents, accountsOf }: SignInParts) {
  /** The customer who entered the right password, by the login in progress. */
  const signedIn = new Map<string, string>();

  return async (incoming: IncomingMessage, response: ServerResponse): Promise<Reply> => {
    const interaction = await server.interactionDetails(incoming, response).catch(() => null);
    if (interaction === null) return page(problemPage(), 400);
    if (incoming.method !== 'POST') return show(interaction);
    return decide({
      interaction,
      form: await new SimulatorRequest(incoming).form(),
      finish: async (result) => {
        signedIn.delete(interaction.uid);
        return redirectTo(await server.interactionResult(incoming, response, result));
      },
    });
  };

  function decide(visit: Visit): Reply | Promise<Reply> {
    switch (visit.form.get('decision')) {
      case 'deny':
        return visit.finish({ error: 'access_denied', error_description: 'The customer refused.' });
      case 'sign_in':
        return signIn(visit);
      case 'allow':
        return allow(visit);
      default:
        return show(visit.interaction, 'Choose one of the buttons.');
    }
  }

  function signIn({ interaction: { uid }, form }: Visit): Reply {
    const userName = form.get('user_name')?.trim() ?? '';
    if (accountsOf(userName) === null || form.get('password') !== TRIAL_PASSWORD) {
      const problem = 'User name or password is not right.';
      return page(signInPage({ bank: bankName, action: uid, userName, problem }), 422);
    }
    signedIn.set(uid, userName);
    return redirectTo(uid);
  }

  async function allow({ interaction, form, finish }: Visit): Promise<Reply> {
    const customerId = signedIn.get(interaction.uid);
    if (customerId === undefined) return show(interaction);
    const held = (accountsOf(customerId) ?? []).map(({ id }) => id);
    const accountIds = held.filter((id) => form.getAll('account').includes(id));
    if (accountIds.length === 0 && held.length > 0)
      return show(interaction, 'Choose at least one account, or deny the request.');
    const grantId = await grant(interaction, customerId);
    consents.give(grantId, { customerId, accountIds });
    return finish({ login: { accountId: customerId, remember: false }, consent: { grantId } });
  }

  async function show({ uid, params }: Interaction, problem: string | null = null): Promise<Reply> {
    const status = problem === null ? 200 : 422;
    const customerId = signedIn.get(uid);
    if (customerId === undefined)
      return page(signInPage({ bank: bankName, action: uid, userName: '', problem }), status);
    const client = await server.Client.find(String(params['client_id']));
    const scopes = String(params['scope']).split(' ');
    const asked = Object.entries(DATA_SCOPES).flatMap(([scope, words]) =>
      scopes.includes(scope) ? [words] : [],
    );
    const accounts = accountsOf(customerId) ?? [];
    const name = client?.clientName ?? 'An app';
    return page(consentPage({ action: uid, client: name, asked, accounts, problem }), status);
  }

  async function grant({ params }: Interaction, accountId: string): Promise<string> {
    const granted = new server.Grant({ clientId: String(params['client_id']), accountId });
    granted.addOIDCScope(String(params['scope']));
    return granted.save();
  }
}
