import type { SignInDesk, Visit } from '../../../authorization/sign-in-desk.js';
import { redirectTo, type Reply } from '../../../http/reply.js';
import { TRIAL_PASSWORD } from '../trial-values.js';
import type { Consents } from './consents.js';
import { DATA_SCOPES } from './data-scopes.js';
import { consentPage, problemPage, signInPage, type OfferedAccount } from './pages.js';

export interface SignInParts {
  bankName: string;
  consents: Consents;
  /** The accounts of a customer here; null for an unknown user name. */
  accountsOf: (userName: string) => readonly OfferedAccount[] | null;
}

/** The two pages of a login, for customer and accounts, and the consequences of their forms. */
export function createSignInDesk({ bankName, consents, accountsOf }: SignInParts): SignInDesk {
  /** The customer who entered the right password, by the login in progress. */
  const signedIn = new Map<string, string>();
  return {
    problemPage: problemPage(),
    serve(visit, form) {
      if (form === null) return show(visit);
      switch (form.get('decision')) {
        case 'deny':
          signedIn.delete(visit.uid);
          return visit.refuse('access_denied', 'The customer refused.');
        case 'sign_in':
          return signIn(visit, form);
        case 'allow':
          return allow(visit, form.getAll('account'));
        default:
          return show(visit, 'Choose one of the buttons.');
      }
    },
  };

  function signIn({ uid }: Visit, form: URLSearchParams): Reply {
    const userName = form.get('user_name')?.trim() ?? '';
    if (accountsOf(userName) === null || form.get('password') !== TRIAL_PASSWORD) {
      const problem = 'User name or password is not right.';
      return signInPage({ bank: bankName, action: uid, userName, problem });
    }
    signedIn.set(uid, userName);
    return redirectTo(uid);
  }

  function allow(visit: Visit, chosen: readonly string[]): Promise<Reply> {
    const customerId = signedIn.get(visit.uid);
    if (customerId === undefined) return show(visit);
    const held = (accountsOf(customerId) ?? []).map(({ id }) => id);
    const accountIds = held.filter((id) => chosen.includes(id));
    if (accountIds.length === 0 && held.length > 0)
      return show(visit, 'Choose at least one account, or deny the request.');
    signedIn.delete(visit.uid);
    return visit.allow(customerId, (grantId) => consents.give(grantId, { customerId, accountIds }));
  }

  async function show(visit: Visit, problem: string | null = null): Promise<Reply> {
    const { uid } = visit;
    const customerId = signedIn.get(uid);
    if (customerId === undefined)
      return signInPage({ bank: bankName, action: uid, userName: '', problem });
    const [client, asked] = await visit.requested(DATA_SCOPES);
    const accounts = accountsOf(customerId) ?? [];
    return consentPage({ action: uid, client, asked, accounts, problem });
  }
}
