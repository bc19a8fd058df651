import { accountsHeldBy } from '../accounts/accounts.js';
import type { AccountTemplate } from '../institutions/account-templates.js';
import type { Customer } from '../customers/customer.js';
import type { InstitutionDefinition } from '../institutions/institutions.js';
import { findMagicUser, refusalOf } from '../customers/magic-users.js';
import type { RefusalReason } from '../customers/login-words.js';
import { BankError } from '../http/bank-error.js';
import type { Login } from '../logins/login-store.js';

const MAX_NAME_CHARACTERS = 100;
const DECISIONS = ['approve', 'deny', 'show_accounts'] as const;

/** The contents of the sign-in form. */
export interface SignInForm {
  decision: (typeof DECISIONS)[number];
  userName: string;
  /** The user whose accounts the form showed. */
  accountsOf: string;
  accountKeys: readonly string[];
}

/** Contents of the page. */
export interface SignInView {
  userName: string;
  userNameProblem: string | null;
  accountsOf: string;
  accounts: readonly AccountTemplate[];
  chosenKeys: readonly string[];
  accountsProblem: string | null;
}

export type SignInOutcome =
  | { kind: 'page'; view: SignInView }
  | { kind: 'refused'; reason: RefusalReason }
  | { kind: 'approved'; userName: string; accountKeys: readonly string[]; secondsToSignIn: number };

/** link-lifecycle 13.1: the user name is prefilled. */
export const FIRST_USER = 'user_good';

/** @throws BankError for a form that the page cannot have sent */
export function readForm(form: URLSearchParams): SignInForm {
  const name = (field: string): string =>
    (form.get(field) ?? '').trim().slice(0, MAX_NAME_CHARACTERS);
  const decision = DECISIONS.find((known) => known === form.get('decision'));
  if (decision === undefined)
    throw new BankError('invalid_request', 'decision is none of the page.');
  return {
    decision,
    userName: name('user_name'),
    accountsOf: name('accounts_of'),
    accountKeys: form.getAll('account'),
  };
}

/** The page for a user, with every account selected. */
export function viewOf(
  login: Login,
  institution: InstitutionDefinition,
  userName: string,
): SignInView {
  const accounts = accountsOfUser(login, institution, userName);
  return {
    userName,
    userNameProblem: null,
    accountsOf: userName,
    accounts,
    chosenKeys: accounts.map(({ key }) => key),
    accountsProblem: null,
  };
}

/** The result of the form. Accounts are shared only after they were shown. */
export function decide(
  login: Login,
  institution: InstitutionDefinition,
  form: SignInForm,
): SignInOutcome {
  if (form.decision === 'deny') return { kind: 'refused', reason: 'DENIED' };
  const user = findMagicUser(form.userName);
  if (user === null || !user.atOAuthBank)
    return { kind: 'page', view: withUnknownUser(login, institution, form) };

  const view = viewOf(login, institution, form.userName);
  if (
    form.decision === 'show_accounts' ||
    !isSameChoice(view.accounts, accountsOfUser(login, institution, form.accountsOf))
  )
    return { kind: 'page', view };
  const refusal = refusalOf(user, login);
  if (refusal !== null) return { kind: 'refused', reason: refusal };
  const accountKeys = view.chosenKeys.filter((key) => form.accountKeys.includes(key));
  if (accountKeys.length === 0 && view.accounts.length > 0) {
    return {
      kind: 'page',
      view: {
        ...view,
        chosenKeys: [],
        accountsProblem: 'Choose at least one account, or deny the request.',
      },
    };
  }
  return {
    kind: 'approved',
    userName: form.userName,
    accountKeys,
    secondsToSignIn: user.secondsToSignIn,
  };
}

function withUnknownUser(
  login: Login,
  institution: InstitutionDefinition,
  form: SignInForm,
): SignInView {
  const shown = findMagicUser(form.accountsOf)?.atOAuthBank === true ? form.accountsOf : FIRST_USER;
  const problem = 'User not found at this bank. user_good always works.';
  return {
    ...viewOf(login, institution, shown),
    userName: form.userName,
    userNameProblem: problem,
  };
}

function accountsOfUser(
  login: Login,
  institution: InstitutionDefinition,
  userName: string,
): readonly AccountTemplate[] {
  const customer: Customer = { ...login, institution, userName, worldSeed: '', accountKeys: null };
  return accountsHeldBy(customer);
}

/** A user without accounts has nothing more to see. */
function isSameChoice(
  wanted: readonly AccountTemplate[],
  shown: readonly AccountTemplate[],
): boolean {
  return (
    wanted.length === 0 ||
    (wanted.length === shown.length && wanted.every(({ key }, index) => key === shown[index]?.key))
  );
}
