import type { Channel, Factor, RefusalReason } from './login-words.js';

/** The source of a customer's accounts and rows. */
export type CustomerData = 'generated' | 'none' | 'custom' | 'dynamic';

/** Lifetime of a permission of this customer. */
export type PermissionLife =
  | 'until_revoked'
  | 'one_listing_of_accounts'
  /** Of world time, after each login. */
  | { days: number };

/** Behavior of the banks for a user name. */
export interface MagicUser {
  /** Prompts after the password, in this order. */
  factors: readonly Factor[];
  /** The reason that the login ends without a permission. */
  refusal: RefusalReason | null;
  /** The refusal does not apply when an existing link is repaired. */
  refusedOnce: boolean;
  secondsToSignIn: number;
  data: CustomerData;
  life: PermissionLife;
  atOAuthBank: boolean;
  /** Any password that is not blank is accepted. */
  takesAnyPassword: boolean;
}

const ORDINARY: MagicUser = {
  factors: [],
  refusal: null,
  refusedOnce: false,
  secondsToSignIn: 0,
  data: 'generated',
  life: 'until_revoked',
  atOAuthBank: true,
  takesAnyPassword: false,
};

const code = (channel: Channel): Factor => ({ kind: 'CODE', channel });
const asked = (...factors: Factor[]): MagicUser => ({ ...ORDINARY, factors, atOAuthBank: false });
const refused = (refusal: RefusalReason): MagicUser => ({ ...ORDINARY, refusal });

/** The password of all users who do not accept any password. */
export const PASSWORD = 'pass_good';

/** A user of Plaid's Sandbox whose transactions change with every refresh. Source: plaid-compat 9. */
const DYNAMIC_AT_PLAID: MagicUser = { ...ORDINARY, data: 'dynamic', takesAnyPassword: true };

/** Source: link-lifecycle 13.3. `findMagicUser` adds those with a number. */
export const MAGIC_USERS: Readonly<Record<string, MagicUser>> = {
  user_good: ORDINARY,
  mfa_sms: asked(code('SMS')),
  mfa_email: asked(code('EMAIL')),
  mfa_choice: asked({ kind: 'DEVICE' }, code('SMS')),
  mfa_questions: asked({ kind: 'QUESTIONS' }),
  mfa_image: asked({ kind: 'PICTURE' }),
  mfa_push: asked({ kind: 'APPROVAL' }),
  locked: { ...refused('ACCOUNT_LOCKED'), atOAuthBank: false },
  no_accounts: { ...ORDINARY, data: 'none' },
  error_system_error: refused('SYSTEM_FAULT'),
  error_provider_error: refused('PARTNER_DOWN'),
  error_institution_error: refused('BANK_DOWN'),
  error_user_error: refused('CUSTOMER_MUST_ACT'),
  error_incomplete: { ...refused('STEP_OUTSIDE'), refusedOnce: true },
  error_auth_expired: { ...ORDINARY, life: 'one_listing_of_accounts' },
  auth_expires: { ...ORDINARY, life: { days: 1 } },
  user_custom: { ...ORDINARY, data: 'custom' },
  user_dynamic: { ...ORDINARY, data: 'dynamic' },
  user_transactions_dynamic: DYNAMIC_AT_PLAID,
  user_ewa_user: DYNAMIC_AT_PLAID,
  user_yuppie: DYNAMIC_AT_PLAID,
  user_small_business: DYNAMIC_AT_PLAID,
};

const SLOW = /^slow_([1-9]|[1-5]\d|60)$/;
const EXPIRES = /^auth_expires_([1-9]\d{0,2})$/;
const MAX_DAYS = 365;

/** Null for an unknown name. */
export function findMagicUser(userName: string): MagicUser | null {
  const slow = SLOW.exec(userName)?.[1];
  if (slow !== undefined) return { ...ORDINARY, secondsToSignIn: Number(slow) };
  const days = Number(EXPIRES.exec(userName)?.[1] ?? Infinity);
  if (days <= MAX_DAYS) return { ...ORDINARY, life: { days } };
  return (Object.hasOwn(MAGIC_USERS, userName) ? MAGIC_USERS[userName] : undefined) ?? null;
}

/**
 * Null when there is no such customer or the password is wrong: the caller must not learn which.
 */
export function signIn(userName: string, password: string): MagicUser | null {
  const user = findMagicUser(userName);
  if (user === null) return null;
  const isRight = user.takesAnyPassword ? password.trim() !== '' : password === PASSWORD;
  return isRight ? user : null;
}

/** The reason that this customer gets no permission now. */
export function refusalOf(
  user: MagicUser,
  { isRelink }: { isRelink: boolean },
): RefusalReason | null {
  return user.refusedOnce && isRelink ? null : user.refusal;
}
