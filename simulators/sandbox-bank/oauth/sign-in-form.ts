import { accountsShownTo } from '../accounts/accounts.js';
import type { AccountTemplate } from '../institutions/account-templates.js';
import type { InstitutionDefinition } from '../institutions/institutions.js';
import { findMagicUser, refusalOf } from '../customers/magic-users.js';
import type { RefusalReason } from '../customers/login-words.js';
import { BankError } from '../http/bank-error.js';
import type { Login } from '../logins/login-store.js';
import type { SignInPage } from '../pages/sign-in-page.js';

const MAX_NAME_CHARACTERS = 100;

/** A login on the pages of an institution. */
export type LoginOnPages = Login & { institution: InstitutionDefinition };

/** The part of the page that follows from the form. */
export type SignInView = Omit<SignInPage, 'action' | 'thirdParty' | 'requests'>;

export type SignInOutcome =
  | { kind: 'page'; view: SignInView }
  | { kind: 'refused'; reason: RefusalReason }
  | { kind: 'approved'; userName: string; accountKeys: readonly string[]; secondsToSignIn: number };

/** link-lifecycle 13.1: the user name is prefilled. */
const FIRST_USER = 'user_good';

/** The page for a user, with every account selected. */
export function viewOf(login: LoginOnPages, userName = FIRST_USER): SignInView {
  return {
    userName,
    userNameProblem: null,
    accountsOf: userName,
    accounts: accountsAt(login, userName).map((account) => ({
      key: account.key,
      name: account.displayName,
      mask: account.numberLast4,
      balance: account.current === null ? null : `${account.current} ${account.currency}`,
      chosen: true,
    })),
    accountsProblem: null,
  };
}

/**
 * The result of the form. Accounts are shared only after they were shown.
 * @throws BankError for a form that the page cannot have sent
 */
export function decide(login: LoginOnPages, form: URLSearchParams): SignInOutcome {
  const name = (field: string): string =>
    (form.get(field) ?? '').trim().slice(0, MAX_NAME_CHARACTERS);
  const [userName, accountsOf] = [name('user_name'), name('accounts_of')];
  const decision = form.get('decision') ?? '';
  if (!['approve', 'deny', 'show_accounts'].includes(decision))
    throw new BankError('invalid_request', 'decision is none of the page.');
  if (decision === 'deny') return { kind: 'refused', reason: 'DENIED' };
  const user = findMagicUser(userName);
  if (user === null || !user.atOAuthBank) {
    const shown = findMagicUser(accountsOf)?.atOAuthBank === true ? accountsOf : FIRST_USER;
    const userNameProblem = 'User not found at this bank. user_good always works.';
    return { kind: 'page', view: { ...viewOf(login, shown), userName, userNameProblem } };
  }

  const view = viewOf(login, userName);
  const { accounts } = view;
  if (decision === 'show_accounts' || !hasSeen(accounts, accountsAt(login, accountsOf)))
    return { kind: 'page', view };
  const refusal = refusalOf(user, login);
  if (refusal !== null) return { kind: 'refused', reason: refusal };
  const chosen = form.getAll('account');
  const accountKeys = accounts.map(({ key }) => key).filter((key) => chosen.includes(key));
  if (accountKeys.length > 0 || accounts.length === 0)
    return { kind: 'approved', userName, accountKeys, secondsToSignIn: user.secondsToSignIn };
  return {
    kind: 'page',
    view: {
      ...view,
      accounts: accounts.map((account) => ({ ...account, chosen: false })),
      accountsProblem: 'Choose at least one account, or deny the request.',
    },
  };
}

const accountsAt = (login: LoginOnPages, userName: string): readonly AccountTemplate[] =>
  accountsShownTo({ ...login, userName, worldSeed: '', accountKeys: null });

type Keyed = readonly { key: string }[];

/** A user without accounts has nothing more to see. */
const hasSeen = (wanted: Keyed, shown: Keyed): boolean =>
  wanted.length === 0 ||
  (wanted.length === shown.length && wanted.every(({ key }, index) => key === shown[index]?.key));
