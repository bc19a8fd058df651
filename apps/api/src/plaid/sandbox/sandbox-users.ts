const ORDINARY = 'user_good';
/** Users with a special behavior at the sandbox banks. Source: link-lifecycle 13.3. */
const KNOWN =
  /^(user_good|user_dynamic|user_transactions_dynamic|user_ewa_user|user_yuppie|user_small_business|user_custom|mfa_(sms|email|choice|questions|image|push)|locked|no_accounts|error_(system_error|provider_error|institution_error|user_error|incomplete|auth_expired)|auth_expires(_([1-9]|[1-9]\d|[12]\d\d|3[0-5]\d|36[0-5]))?|slow_([1-9]|[1-5]\d|60))$/;

/** Its password may be JSON that describes its accounts. */
export const CUSTOM_USER = 'user_custom';

/** plaid-compat 9: an unknown name becomes the ordinary user. */
export function sandboxUser(name: string | undefined): string {
  return name !== undefined && KNOWN.test(name) ? name : ORDINARY;
}
