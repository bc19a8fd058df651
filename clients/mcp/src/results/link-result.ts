import type { Link, ProductStatus } from '@tributary/node';
import { freshnessOf } from './freshness.js';
import { untrustedText } from './untrusted-text.js';

/** A link for an assistant. The address of its webhooks and its tags are left out. */
export function linkResult(link: Link) {
  return {
    ...freshnessOf(link),
    link_id: link.link_id,
    untrusted_user_id: untrustedText(link.customer_user_id),
    institution_id: link.institution_id,
    untrusted_institution_name: untrustedText(link.institution_name),
    provider: link.provider,
    state: link.state,
    error_code: link.error_code,
    untrusted_error_message: untrustedText(link.error_message),
    permission_ends_at: link.permission_ends_at,
  };
}

/** The same with each product that was granted. */
export function detailedLinkResult(link: Link) {
  const products = Object.entries(link.products) as [string, ProductStatus][];
  return {
    ...linkResult(link),
    products: products.map(([product, status]) => ({ product, ...productResult(status) })),
  };
}

function productResult(status: ProductStatus) {
  return {
    as_of: status.refreshed_at,
    stale: status.stale,
    last_attempted_at: status.last_attempted_at,
    next_refresh_at: status.next_refresh_at,
    error_code: status.error_code,
    untrusted_problem: untrustedText(status.problem?.message ?? null),
    remedy: status.problem?.remedy ?? null,
    incomplete_accounts: status.incomplete.slice(0, 100).map((account) => ({
      account_id: account.account_id,
      untrusted_account_name: untrustedText(account.account_name),
      reason: account.reason,
      since: account.since,
    })),
  };
}
