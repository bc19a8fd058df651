import type { ConsentProduct, SelectableAccount } from './connect-step.js';
import type { FetchedAccount } from '../refresh/fetched-data.js';
import { PRODUCTS, type Product, type RequestedProducts } from '../link/products.js';

/** What the user is asked after the bank accepted the login, in this order. Source: link-lifecycle 4. */
export const LINKING_QUESTIONS = ['consent', 'select_accounts'] as const;
export type LinkingQuestion = (typeof LINKING_QUESTIONS)[number];

/** Features of the session that limit which accounts may be shared. Source: link-lifecycle 2.5. */
export interface AccountLimits {
  onlyOne: boolean;
  onlyDepository: boolean;
  /** Of the session's account filters; null = any. Source: plaid-compat 6.1. */
  onlyTypes?: readonly string[] | null;
}

export function accountLimitsOf(features: Readonly<Record<string, boolean>>): AccountLimits {
  return {
    onlyOne: features['permit_only_one_account'] === true,
    onlyDepository: features['permit_only_depository_accounts'] === true,
  };
}

/** An account the bank shows. */
export interface ShownAccount {
  account: FetchedAccount;
  /** Shared earlier: it stays so. */
  isPermitted: boolean;
}

/** What the questions are made of. */
export interface Permission {
  /** `given_at_bank`: the user was asked there, and is not asked again. */
  consent: 'given_at_bank' | 'ask';
  /** In the bank's order. */
  accounts: readonly ShownAccount[];
  limits: AccountLimits;
  /** What the session asks for, and what an existing link had asked for that was never connected. */
  requested: RequestedProducts;
  /** What the institution carries. */
  supported: readonly string[];
  /** What the existing link has; empty for one that was never connected. */
  alreadyGranted: readonly Product[];
  /** Nobody knows whether the window belongs to whoever began: no question is skipped (connect 7, session swapping). */
  askAll: boolean;
  /** A relink asks for accounts also when the bank shows no new one. Source: plaid-compat 6.1, `update.account_selection_enabled`. */
  asksForAccounts?: boolean;
}

/** Products that a success adds to the link, unless the user declines them. */
export function addedProducts({ requested, supported, alreadyGranted }: Permission): Product[] {
  return PRODUCTS.filter(
    (product) =>
      requested[product] !== undefined &&
      supported.includes(product) &&
      !alreadyGranted.includes(product),
  );
}

/** Accounts that the user may share in this session, those shared earlier included. */
export function eligibleAccounts({ accounts, limits }: Permission): ShownAccount[] {
  const { onlyDepository, onlyTypes = null } = limits;
  return accounts.filter(
    ({ account: { accountType }, isPermitted }) =>
      isPermitted ||
      ((!onlyDepository || accountType.startsWith('depository.')) &&
        (onlyTypes === null || onlyTypes.includes(accountType))),
  );
}

/**
 * The questions of a session. A link that was never connected asks both; a relink asks for consent when products are
 * added, and for accounts when the bank shows one that is not shared yet (connect 3). A consent given at the bank
 * answers both, unless the session takes fewer accounts than were granted there.
 */
export function questionsOf(permission: Permission): LinkingQuestion[] {
  const eligible = eligibleAccounts(permission);
  const isTooMuch = permission.limits.onlyOne && eligible.length > 1;
  const { askAll } = permission;
  const asks: Record<LinkingQuestion, boolean> = {
    consent: askAll || (permission.consent === 'ask' && addedProducts(permission).length > 0),
    select_accounts:
      askAll ||
      permission.asksForAccounts === true ||
      (maySelect(permission, eligible) && (permission.consent === 'ask' || isTooMuch)),
  };
  return LINKING_QUESTIONS.filter((question) => asks[question]);
}

function maySelect(permission: Permission, eligible: readonly ShownAccount[]): boolean {
  if (isFirst(permission)) return true;
  const shared = eligible.filter(({ isPermitted }) => isPermitted).length;
  return shared < eligible.length && !(permission.limits.onlyOne && shared > 0);
}

function isFirst({ alreadyGranted }: Permission): boolean {
  return alreadyGranted.length === 0;
}

/** Rows of the consent step: what is added, and, locked, what the link has. `chosen` = an answer the user came back from. */
export function offerConsent(
  permission: Permission,
  chosen: readonly Product[] | null,
): ConsentProduct[] {
  const added = addedProducts(permission);
  return PRODUCTS.flatMap((product): ConsentProduct[] => {
    const settings = permission.requested[product];
    if (added.includes(product) && settings !== undefined) {
      // link-lifecycle 2.3: `required` is the setting; require_permission forbids declining, too.
      const required = product === 'accounts' || settings.required;
      const locked = required || settings.require_permission;
      const granted = locked || (chosen?.includes(product) ?? true);
      return [
        { product, reason: settings.reason, required, granted, locked, already_granted: false },
      ];
    }
    if (!permission.alreadyGranted.includes(product)) return [];
    return [
      {
        product,
        reason: null,
        required: false,
        granted: true,
        locked: true,
        already_granted: true,
      },
    ];
  });
}

/** Products that the answer to the consent step adds; without a question, all. */
export function grantedProducts(
  permission: Permission,
  chosen: readonly Product[] | null,
): Product[] {
  const isAsked = questionsOf(permission).includes('consent');
  return addedProducts(permission).filter((product) => {
    const settings = permission.requested[product];
    return (
      !isAsked ||
      product === 'accounts' ||
      settings?.required === true ||
      settings?.require_permission === true ||
      chosen?.includes(product) === true
    );
  });
}

export interface AccountOffer {
  accounts: SelectableAccount[];
  min: number;
  max: number | null;
}

/** Rows of the account step. What was shared earlier is checked and locked; the first time, all of them are checked. */
export function offerAccounts(permission: Permission): AccountOffer {
  const eligible = eligibleAccounts(permission);
  const { onlyOne } = permission.limits;
  const isChecked = isFirst(permission) && (!onlyOne || eligible.length === 1);
  return {
    accounts: eligible.map(({ account, isPermitted }) => ({
      ref: refOf(permission, account),
      name: account.name,
      account_type: account.accountType,
      account_mask: account.mask,
      balance: (account.current ?? account.available)?.toNumber() ?? null,
      currency: account.currency,
      selected: isPermitted || isChecked,
      locked: isPermitted,
    })),
    min: 1,
    max: onlyOne ? 1 : null,
  };
}

/** Provider ids of the accounts that the answer to the account step shares; without a question, all that are eligible. */
export function sharedAccounts(
  permission: Permission,
  refs: readonly string[] | null,
): Set<string> {
  const isAsked = questionsOf(permission).includes('select_accounts');
  const eligible = eligibleAccounts(permission);
  const takesAll = !isAsked && maySelect(permission, eligible);
  const shared = eligible.filter(
    ({ account, isPermitted }) =>
      isPermitted || takesAll || (isAsked && refs?.includes(refOf(permission, account)) === true),
  );
  return new Set(shared.map(({ account }) => account.providerAccountId));
}

/** The place in the bank's list: nothing of the bank goes into a history. */
function refOf({ accounts }: Permission, wanted: FetchedAccount): string {
  return `a${accounts.findIndex(({ account }) => account.providerAccountId === wanted.providerAccountId) + 1}`;
}
