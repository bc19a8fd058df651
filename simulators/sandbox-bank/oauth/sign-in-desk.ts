import type { SignInDesk, Visit } from '../../authorization/sign-in-desk.js';
import { redirectTo, type Reply } from '../../http/reply.js';
import type { Bank } from '../bank.js';
import { areasIn } from '../institutions/data-areas.js';
import type { RefusalReason } from '../customers/login-words.js';
import { findInstitution } from '../institutions/institutions.js';
import { acceptLogin } from '../logins/accept-login.js';
import { refused } from '../logins/login-progress.js';
import type { Login } from '../logins/login-store.js';
import { problemPage } from '../pages/problem-page.js';
import { signInPage } from '../pages/sign-in-page.js';
import { DATA_SCOPES } from './data-scopes.js';
import { decide, viewOf, type LoginOnPages, type SignInView } from './sign-in-form.js';

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
export function createSignInDesk(bank: Bank): SignInDesk {
  const { logins } = bank;
  return {
    problemPage: problemPage(),
    async serve(visit, form) {
      const found = await logins.find(visit.param('login_id'));
      const institution = found === null ? null : findInstitution(found.institutionId);
      if (found === null || institution?.login !== 'pages') return problemPage();
      const areas = areasIn(visit.param('scope').split(' '));
      const login = { ...found, institution, areas };
      if (!isOpen(login))
        return visit.returnTo === null ? problemPage() : redirectTo(visit.returnTo);
      return form === null ? page(visit, viewOf(login)) : answer(visit, login, form);
    },
  };

  async function answer(visit: Visit, login: LoginOnPages, form: URLSearchParams): Promise<Reply> {
    const outcome = decide(login, form);
    if (outcome.kind === 'page') return page(visit, outcome.view);
    if (outcome.kind === 'refused') {
      const reply = await visit.refuse(ERROR_OF[outcome.reason], 'The bank did not give access.');
      await logins.moveOn(login, refused(login.progress, outcome.reason), null);
      return reply;
    }
    await bank.pause(outcome.secondsToSignIn);
    // The result first: a second press of the button then finds the target. OAuth has accounts;
    // here each is one permission of one customer.
    const connectionId = await acceptLogin(bank, login, outcome);
    const reply = await visit.allow(connectionId);
    const { progress } = login;
    const { userName } = outcome;
    await logins.moveOn(
      login,
      { ...progress, step: progress.step + 1, stage: 'ACCEPTED', userName },
      connectionId,
    );
    return reply;
  }

  async function page(visit: Visit, view: SignInView): Promise<Reply> {
    const [thirdParty, requests] = await visit.requested(DATA_SCOPES);
    return signInPage({ ...view, action: `/sign-in/${visit.uid}`, thirdParty, requests });
  }

  function isOpen({ progress, expiresAt }: Login): boolean {
    return progress.stage === 'PASSWORD' && expiresAt > new Date();
  }
}
