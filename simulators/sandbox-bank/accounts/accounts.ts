import { ROUTING_NUMBER, type AccountTemplate } from '../institutions/account-templates.js';
import type { CustomData } from '../customers/custom-data.js';
import {
  dataKindOf,
  derivedId,
  type Customer,
  type CustomerIdentity,
} from '../customers/customer.js';
import { productCodeOf } from '../institutions/product-codes.js';

/** An account in the bank's API. Money is an exact decimal in a string. */
export interface BankAccount {
  account_id: string;
  product: AccountTemplate['product'];
  display_name: string;
  number_last4: string;
  currency: string;
  balances: {
    available: string | null;
    current: string | null;
    credit_limit: string | null;
    as_of: string;
  };
}

export interface BankAccountNumber {
  account_id: string;
  account_number: string;
  routing_number: string;
}

export function accountIdOf(
  identity: CustomerIdentity,
  { key }: Pick<AccountTemplate, 'key'>,
): string {
  return derivedId('acct', identity, key);
}

/** Every account the customer has at the bank. */
export function accountsHeldBy(customer: Customer): readonly AccountTemplate[] {
  switch (dataKindOf(customer)) {
    case 'none':
      return [];
    case 'custom':
      return customer.customData?.accounts.map(toTemplate) ?? [];
    case 'generated':
    case 'dynamic':
      return customer.institution.accounts;
  }
}

/** The accounts that the permission covers. */
export function accountsShownTo(customer: Customer): readonly AccountTemplate[] {
  const { accountKeys, areas } = customer;
  return accountsHeldBy(customer).filter(
    ({ key, area }) =>
      (accountKeys === null || accountKeys.includes(key)) &&
      (area === null || areas.includes(area)),
  );
}

export function accountsOf(customer: Customer, now: Date): BankAccount[] {
  return accountsShownTo(customer).map((account) => ({
    account_id: accountIdOf(customer, account),
    product: account.product,
    display_name: account.displayName,
    number_last4: account.numberLast4,
    currency: account.currency,
    balances: {
      available: account.available,
      current: account.current,
      credit_limit: account.creditLimit,
      as_of: now.toISOString(),
    },
  }));
}

export function accountNumbersOf(customer: Customer): BankAccountNumber[] {
  return accountsShownTo(customer).flatMap((account) =>
    account.number === null
      ? []
      : [
          {
            account_id: accountIdOf(customer, account),
            account_number: account.number.accountNumber,
            routing_number: account.number.routingNumber,
          },
        ],
  );
}

/** The position in the list is the key: two accounts may have the same number. */
function toTemplate(account: CustomData['accounts'][number], index: number): AccountTemplate {
  return {
    key: `custom-${index}`,
    product: productCodeOf(account.account_type) ?? 'UNCLASSIFIED',
    displayName: account.name,
    numberLast4: account.account_number.replace(/\W/g, '').slice(-4),
    currency: account.balances.currency,
    available: account.balances.available,
    current: account.balances.current,
    creditLimit: account.balances.limit,
    number: {
      accountNumber: account.account_number,
      routingNumber: account.routing_number ?? ROUTING_NUMBER,
    },
    spending: false,
    receivesWages: false,
    // the app that wrote custom data sees all of it
    area: null,
  };
}
