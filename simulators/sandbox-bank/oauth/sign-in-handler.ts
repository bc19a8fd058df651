import type { IncomingMessage, ServerResponse } from 'node:http';
import type Provider from 'oidc-provider';
import { findInstitution, type InstitutionDefinition } from '../institutions/institutions.js';
import { acceptLogin } from '../logins/accept-login.js';
import { refused } from '../logins/login-progress.js';
import type { RefusalReason } from '../customers/login-words.js';
import { problemPage } from '../pages/problem-page.js';
import { signInPage } from '../pages/sign-in-page.js';
import type { Bank } from '../bank.js';
import type { Login } from '../logins/login-store.js';
import { DATA_SCOPES } from './authorization-server.js';
import { readSignInForm } from './read-sign-in-form.js';
import { decide, FIRST_USER, viewOf, type SignInView } from './sign-in-desk.js';

type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>;

export type PageReply = { status: number; page: string } | { status: 303; location: string };

/**
 * The error code of a refusal for the third party. Source of the first two: RFC 6749, 4.1.2.1; the
 * others are the bank's own.
 */
const ERROR_OF: Readonly<Record<RefusalReason, string>> = {
  DENIED: 'access_denied',
  BANK_DOWN: 'temporarily_unavailable',
  PARTNER_DOWN: 'partner_unavailable',
  SYSTEM_FAULT: 'system_fault',
  CUSTOMER_MUST_ACT: 'customer_action_required',
  STEP_OUTSIDE: 'step_outside_required',
  ACCOUNT_LOCKED: 'account_locked',
  WRONG_PASSWORD: 'access_denied',
  FACTOR_FAILED: 'access_denied',
  LOGIN_EXPIRED: 'access_denied',
};

/** Shows the sign-in page and handles the customer's decision. */
export function createSignInHandler(bank: Bank) {
  const { logins } = bank;
  return async function handle(
    server: Provider,
    incoming: IncomingMessage,
    response: ServerResponse,
  ): Promise<PageReply> {
    const interaction = await server.interactionDetails(incoming, response).catch(() => null);
    const login =
      interaction === null ? null : await logins.find(String(interaction.params['login_id']));
    const institution = login === null ? null : findInstitution(login.institutionId);
    if (interaction === null || login === null || institution?.login !== 'pages') return over();
    if (!isOpen(login))
      return interaction.result === undefined
        ? over()
        : { status: 303, location: interaction.returnTo };
    if (incoming.method !== 'POST')
      return page(server, interaction, viewOf(login, institution, FIRST_USER), 200);
    return answer({ server, incoming, response, interaction, login, institution });
  };

  interface Visit {
    server: Provider;
    incoming: IncomingMessage;
    response: ServerResponse;
    interaction: Interaction;
    login: Login;
    institution: InstitutionDefinition;
  }

  async function answer(visit: Visit): Promise<PageReply> {
    const { server, incoming, response, interaction, login, institution } = visit;
    const form = await readSignInForm(incoming);
    const outcome = decide(login, institution, form);
    if (outcome.kind === 'page')
      return page(
        server,
        interaction,
        outcome.view,
        (outcome.view.userNameProblem ?? outcome.view.accountsProblem) ? 422 : 200,
      );
    if (outcome.kind === 'refused') {
      const location = await server.interactionResult(incoming, response, {
        error: ERROR_OF[outcome.reason],
        error_description: 'The bank did not give access.',
      });
      await logins.moveOn(login, refused(login.progress, outcome.reason), null);
      return { status: 303, location };
    }
    await bank.pause(outcome.secondsToSignIn);
    // the result first: a second press of the button then finds the target
    const connectionId = await acceptLogin(bank, login, outcome);
    const location = await server.interactionResult(incoming, response, {
      login: { accountId: connectionId, remember: false },
      consent: { grantId: await grant(server, interaction, connectionId) },
    });
    await logins.moveOn(
      login,
      {
        ...login.progress,
        step: login.progress.step + 1,
        stage: 'ACCEPTED',
        userName: outcome.userName,
      },
      connectionId,
    );
    return { status: 303, location };
  }

  /** OAuth has accounts; here each is one permission of one customer. */
  async function grant(
    server: Provider,
    { params }: Interaction,
    connectionId: string,
  ): Promise<string> {
    const granted = new server.Grant({
      clientId: String(params['client_id']),
      accountId: connectionId,
    });
    granted.addOIDCScope(String(params['scope']));
    return granted.save();
  }

  async function page(
    server: Provider,
    { params, uid }: Interaction,
    view: SignInView,
    status: number,
  ): Promise<PageReply> {
    const scopes = String(params['scope']).split(' ');
    const client = await server.Client.find(String(params['client_id']));
    return {
      status,
      page: signInPage({
        action: `/sign-in/${uid}`,
        thirdParty: client?.clientName ?? 'An app',
        wishes: Object.entries(DATA_SCOPES)
          .filter(([scope]) => scopes.includes(scope))
          .map(([, words]) => words),
        userName: view.userName,
        userNameProblem: view.userNameProblem,
        accountsOf: view.accountsOf,
        accounts: view.accounts.map(({ key, displayName, numberLast4, current, currency }) => ({
          key,
          name: displayName,
          mask: numberLast4,
          balance: current === null ? null : `${current} ${currency}`,
          chosen: view.chosenKeys.includes(key),
        })),
        accountsProblem: view.accountsProblem,
      }),
    };
  }

  function isOpen({ progress, expiresAt }: Login): boolean {
    return progress.stage === 'PASSWORD' && expiresAt > new Date();
  }

  function over(): PageReply {
    return { status: 400, page: problemPage() };
  }
}
