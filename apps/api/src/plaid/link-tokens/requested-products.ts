import type { Product } from '../../../../../domain/link/products.js';
import { PlaidError } from '../errors/plaid-error.js';

/** All product names of Plaid, to distinguish products that are not offered from unknown ones. Source: plaid-compat 3.2. */
const PLAID_NAMES: ReadonlySet<string> = new Set(
  (
    'assets auth balance balance_plus beacon identity identity_match investments investments_auth liabilities payment_initiation identity_verification ' +
    'transactions credit_details income income_verification standing_orders transfer employment recurring_transactions transactions_refresh signal ' +
    'statements processor_payments processor_identity profile cra_base_report cra_income_insights cra_partner_insights cra_network_insights ' +
    'cra_cashflow_insights cra_monitoring cra_lend_score cra_plaid_credit_score layer pay_by_bank protect_linked_bank protect_transactions'
  ).split(' '),
);

/** The offered products, as native products; `transactions_refresh` and `recurring_transactions` add none. */
const OFFERED: Readonly<Record<string, readonly Product[]>> = {
  balance: ['accounts'],
  auth: ['account_numbers'],
  identity: ['identity'],
  transactions: ['transactions'],
  investments: ['investments'],
  liabilities: ['liabilities'],
  transactions_refresh: [],
  recurring_transactions: [],
};

/** Required products. @throws PlaidError for unknown products, and for products not offered unless they are ignored and others remain */
export function requiredOf(
  names: readonly string[],
  { ignoresUnoffered }: { ignoresUnoffered: boolean },
): Product[] {
  const unoffered = unofferedAmong(names);
  const nothingRemains = unoffered.length > 0 && unoffered.length === names.length;
  if (unoffered.length > 0 && (!ignoresUnoffered || nothingRemains))
    throw invalidProduct(unoffered);
  return productsOf(names);
}

/** Optional products; those not offered are ignored. @throws PlaidError for unknown products */
export function optionalOf(names: readonly string[]): Product[] {
  unofferedAmong(names);
  return productsOf(names);
}

function unofferedAmong(names: readonly string[]): string[] {
  const unknown = names.filter((name) => !PLAID_NAMES.has(name));
  if (unknown.length > 0) throw invalidProduct(unknown);
  return names.filter((name) => !Object.hasOwn(OFFERED, name));
}

function productsOf(names: readonly string[]): Product[] {
  return [...new Set(names.flatMap((name) => OFFERED[name] ?? []))];
}

function invalidProduct(names: readonly string[]): PlaidError {
  return new PlaidError('INVALID_PRODUCT', {
    message: `not known or not offered here: ${names.map((name) => name.slice(0, 100)).join(', ')}`,
  });
}
