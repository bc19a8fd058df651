import type { ConsentProduct, MissingAccount, SelectableAccount } from './connect-step.js';
import type { FetchedAccount } from '../refresh/fetched-data.js';
import { PRODUCTS, type Product, type RequestedProducts } from '../link/products.js';

/**
 * The questions to the user after the bank accepted the login, in order. Source: link-lifecycle 4.
 */
export const LINKING_QUESTIONS = ['consent', 'select_accounts'] as const;
export type LinkingQuestion = (typeof LINKING_QUESTIONS)[number];

/** Session features that limit the accounts a user may share. Source: link-lifecycle 2.5. */
export interface AccountLimits {
  onlyOne: boolean;
  onlyDepository: boolean;
  /** The account filters of the session; null = any type. Source: plaid-compat 6.1. */
  onlyTypes?: readonly string[] | null;
}

export function accountLimitsOf(features: Readonly<Record<string, boolean>>): AccountLimits {
  return {
    onlyOne: features['permit_only_one_account'] === true,
    onlyDepository: features['permit_only_depository_accounts'] === true,
  };
}

/** An account listed by the bank. */
export interface ListedAccount {
  account: FetchedAccount;
  /** It was shared earlier, so it stays shared. */
  isPermitted: boolean;
}

/** An account that the bank has but could not show. */
export interface UnreadAccount {
  /** The provider's id; null = unknown. */
  id: string | null;
  /** Null = unknown. */
  name: string | null;
  /** The user's earlier decision about it; `new` = the link does not have it. */
  standing: 'new' | 'shared' | 'declined';
}

/** The facts that the questions depend on. */
export interface Permission {
  /** `given_at_bank`: the user consented at the bank and is not asked again. */
  consent: 'given_at_bank' | 'ask';
  /** Accounts in the bank's order. */
  accounts: readonly ListedAccount[];
  limits: AccountLimits;
  /** Requested by the session, or earlier by an existing link that was never connected. */
  requested: RequestedProducts;
  /** Accounts that exist but could not be read. */
  missing?: readonly UnreadAccount[];
  /** Products that the institution supports. */
  supported: readonly string[];
  /** Products of the existing link; empty if it was never connected. */
  alreadyGranted: readonly Product[];
  /**
   * It is unknown whether the window belongs to the user who started, so no question is skipped
   * (connect 7, session swapping).
   */
  askAll: boolean;
  /**
   * A relink shows the account question even if the bank lists no new account.
   * Source: plaid-compat 6.1, `update.account_selection_enabled`.
   */
  asksForAccounts?: boolean;
}

/** Products that success adds to the link unless the user declines them. */
export function addedProducts({ requested, supported, alreadyGranted }: Permission): Product[] {
  return PRODUCTS.filter(
    (product) =>
      requested[product] !== undefined &&
      supported.includes(product) &&
      !alreadyGranted.includes(product),
  );
}

/** Accounts the user may share in this session, including those shared earlier. */
export function eligibleAccounts({ accounts, limits }: Permission): ListedAccount[] {
  const { onlyDepository, onlyTypes = null } = limits;
  return accounts.filter(
    ({ account: { accountType }, isPermitted }) =>
      isPermitted ||
      ((!onlyDepository || accountType.startsWith('depository.')) &&
        (onlyTypes === null || onlyTypes.includes(accountType))),
  );
}

/**
 * The questions of a session. A link that was never connected requires both. A relink requires
 * consent if products are added, and accounts if the bank lists one that is not shared yet (connect
 * 3). Consent given at the bank covers both, unless it includes more accounts than the session
 * allows.
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

function maySelect(permission: Permission, eligible: readonly ListedAccount[]): boolean {
  if (isFirst(permission)) return true;
  const shared = eligible.filter(({ isPermitted }) => isPermitted).length;
  return shared < eligible.length && !(permission.limits.onlyOne && shared > 0);
}

function isFirst({ alreadyGranted }: Permission): boolean {
  return alreadyGranted.length === 0;
}

/**
 * The rows of the consent step: added products and, locked, the link's existing ones. `chosen`: an
 * earlier answer, if the user went back.
 */
export function offerConsent(
  permission: Permission,
  chosen: readonly Product[] | null,
): ConsentProduct[] {
  const added = addedProducts(permission);
  return PRODUCTS.flatMap((product): ConsentProduct[] => {
    const settings = permission.requested[product];
    if (added.includes(product) && settings !== undefined) {
      // link-lifecycle 2.3: `required` is the setting; require_permission prevents declining, too.
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

/** The products that the consent answer adds; all of them if the question was not asked. */
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

/** The accounts of an answer, by their refs in the step; null = there was no question. */
export type AccountRefs = readonly string[] | 'all' | null;

export interface AccountOffer {
  accounts: SelectableAccount[];
  min: number;
  max: number | null;
  missing?: MissingAccount[];
}

/**
 * The rows of the account step. Accounts shared earlier are selected and locked; on the first link
 * all are selected.
 */
export function offerAccounts(permission: Permission): AccountOffer {
  const eligible = eligibleAccounts(permission);
  const { limits, missing = [] } = permission;
  const { onlyOne } = limits;
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
    ...(missing.length === 0
      ? {}
      : {
          missing: missing.map((account, index) => {
            const isOffered = mayBeOffered(permission, account);
            return {
              ref: isOffered ? awaitedRef(index) : null,
              name: account.name,
              selected: account.standing === 'shared' || (isOffered && isFirst(permission)),
            };
          }),
        }),
  };
}

/**
 * Provider ids of the accounts that the answer shares; all eligible ones if the question was not
 * asked.
 */
export function sharedAccounts(permission: Permission, refs: AccountRefs): Set<string> {
  const isAsked = questionsOf(permission).includes('select_accounts');
  const eligible = eligibleAccounts(permission);
  const sharesAll = !isAsked && maySelect(permission, eligible);
  const shared = eligible.filter(
    ({ account, isPermitted }) =>
      isPermitted || sharesAll || (isAsked && isChosen(refs, refOf(permission, account))),
  );
  return new Set(shared.map(({ account }) => account.providerAccountId));
}

/**
 * Provider ids of the accounts that the answer shares as soon as they are readable. If the question
 * was not asked, these are all that the user shared at the bank.
 */
export function awaitedAccounts(permission: Permission, refs: AccountRefs): string[] {
  const isAsked = questionsOf(permission).includes('select_accounts');
  return (permission.missing ?? []).flatMap((account, index) => {
    const isShared = isAsked
      ? mayBeOffered(permission, account) && isChosen(refs, awaitedRef(index))
      : permission.consent === 'given_at_bank' && mayBeAwaited(permission, account);
    return isShared && account.id !== null ? [account.id] : [];
  });
}

/** A user cannot choose an account without knowing which one it is. */
function mayBeOffered(permission: Permission, account: UnreadAccount): boolean {
  return account.name !== null && mayBeAwaited(permission, account);
}

/** Limits depend on unreadable facts: the type, and the number of accounts. */
function mayBeAwaited({ limits }: Permission, { id, standing }: UnreadAccount): boolean {
  const { onlyOne, onlyDepository, onlyTypes = null } = limits;
  return id !== null && standing === 'new' && !onlyOne && !onlyDepository && onlyTypes === null;
}

const isChosen = (refs: AccountRefs, ref: string): boolean =>
  refs === 'all' || refs?.includes(ref) === true;

const awaitedRef = (index: number): string => `m${index + 1}`;

/** The position in the bank's list, because nothing from the bank may enter a history. */
function refOf({ accounts }: Permission, wanted: FetchedAccount): string {
  return `a${accounts.findIndex(({ account }) => account.providerAccountId === wanted.providerAccountId) + 1}`;
}
