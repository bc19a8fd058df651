import { accountIdOf, accountsHeldBy, accountsShownTo } from '../accounts/accounts.js';
import { cents, Exact } from '../accounts/figures.js';
import type { CustomHolding } from '../customers/custom-portfolio.js';
import { derivedId, type Customer } from '../customers/customer.js';
import type { AccountTemplate } from '../institutions/account-templates.js';
import { INVESTMENT_PRODUCTS } from '../institutions/product-codes.js';
import { customPriceFactor, customSecurity } from './custom-security.js';
import type { BankHolding, BankHoldings } from './bank-holding.js';

/** The holdings of `user_custom`, which stay as they are. Source: link-lifecycle 13.4. */
export function customHoldings(customer: Customer): BankHoldings {
  const held = accountsHeldBy(customer);
  const shown = accountsShownTo(customer).filter(({ product }) => INVESTMENT_PRODUCTS.has(product));
  return {
    accounts: shown.map((account) => ({
      account_id: accountIdOf(customer, account),
      currency: account.currency,
      balance: account.current,
      available_cash: null,
    })),
    holdings: (customer.customData?.holdings ?? []).flatMap((given, index) => {
      const account = held[given.account];
      return account === undefined || !shown.some(({ key }) => key === account.key)
        ? []
        : [toHolding(given, { customer, account, key: String(index) })];
    }),
  };
}

function toHolding(
  given: CustomHolding,
  { customer, account, key }: { customer: Customer; account: AccountTemplate; key: string },
): BankHolding {
  const { account: _, security, price_as_of, lots, ...figures } = given;
  const factor = customPriceFactor(security);
  const valueOf = ({ quantity, value }: { quantity: string; value: string | null }) =>
    value ??
    (given.price === null
      ? null
      : cents(new Exact(quantity).times(given.price).times(factor)).toFixed());
  return {
    ...figures,
    holding_id: derivedId('hold', customer, 'custom', key),
    account_id: accountIdOf(customer, account),
    security: customSecurity(security, account.currency),
    price_date: price_as_of,
    value: valueOf(given),
    currency: given.currency ?? account.currency,
    cost_basis_kind: given.cost_basis === null ? null : 'TOTAL',
    purchase_price: null,
    lots: lots.map(({ price_paid, ...lot }, place) => ({
      ...lot,
      lot_id: derivedId('lot', customer, 'custom', key, String(place)),
      purchase_price: price_paid,
      value: valueOf(lot),
    })),
    acquired_on: null,
  };
}
