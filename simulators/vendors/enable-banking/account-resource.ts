import { createHash } from 'node:crypto';
import type { Account, AccountType, Bank, Customer } from '../ledger/ledger.types.js';
import { addMoney } from '../ledger/money.js';

const CASH_ACCOUNT_TYPE: Readonly<Record<AccountType, string>> = {
  checking: 'CACC',
  savings: 'SVGS',
  credit_card: 'CARD',
  loan: 'LOAN',
  brokerage: 'OTHR',
};

const hashOf = (...parts: readonly string[]): string =>
  `${Buffer.from(parts[0] ?? '').toString('base64')}.${createHash('sha256').update(parts.join('/')).digest('base64')}`;

/** The same in every session, by the number of the account. */
export const identificationHash = (account: Account): string =>
  hashOf(account.iban === null ? 'other' : 'iban', account.iban ?? account.accountNumber);

/** All hashes, the primary one first. */
export const identificationHashes = (account: Account, bank: Bank): string[] => [
  identificationHash(account),
  hashOf('name', bank.name, bank.country, account.accountNumber),
];

/** An account in `POST /sessions` and `/details` (AccountResource). */
export function accountResource(
  uid: string,
  account: Account,
  bank: Bank,
  { name, address }: Customer,
): Record<string, unknown> {
  const { iban, currency } = account;
  const card = {
    identification: `${account.accountNumber.slice(0, 6)}******${account.mask}`,
    scheme_name: 'CPAN',
    issuer: null,
  };
  const id = iban === null ? { iban: null, other: card } : { iban, other: null };
  return {
    account_id: id,
    all_account_ids:
      iban === null ? [card] : [{ identification: iban, scheme_name: 'IBAN', issuer: null }],
    account_servicer: { bic_fi: bank.bic, clearing_system_member_id: null, name: bank.name },
    name,
    details: account.name,
    usage: 'PRIV',
    cash_account_type: CASH_ACCOUNT_TYPE[account.type],
    product: account.name,
    currency,
    psu_status: 'Account Holder',
    credit_limit:
      account.balances.limit === null ? null : { currency, amount: account.balances.limit },
    legal_age: true,
    postal_address: {
      address_type: 'Residential',
      street_name: address.street,
      post_code: address.postalCode,
      town_name: address.city,
      country_sub_division: address.region,
      country: address.country,
      address_line: null,
    },
    uid,
    identification_hash: identificationHash(account),
    identification_hashes: identificationHashes(account, bank),
  };
}

/** `/balances` (HalBalances). The booked balance is not the first one. */
export function balancesOf(account: Account, now: Date): Record<string, unknown> {
  const { current, available, limit } = account.balances;
  const pending = account.rows
    .filter(({ status }) => status === 'pending')
    .map(({ amount }) => amount);
  const balance = (name: string, type: string, amount: string) => ({
    name,
    balance_amount: { currency: account.currency, amount },
    balance_type: type,
    last_change_date_time: now.toISOString(),
    reference_date: now.toISOString().slice(0, 10),
    last_committed_transaction: null,
  });
  return {
    balances: [
      balance('Expected balance', 'XPCD', addMoney(current, ...pending)),
      ...(available === null ? [] : [balance('Available balance', 'ITAV', available)]),
      balance('Booked balance', limit === null ? 'CLBD' : 'ITBD', current),
    ],
  };
}
