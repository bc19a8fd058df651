import { VENDOR_NAMES, VENDORS } from '../vendors.js';
import { BANK_TEMPLATES, type AccountTemplate } from './banks.js';
import { CUSTOMER_TEMPLATES } from './customers.js';
import { createDraws, type Draws } from './draws.js';
import { generateRows } from './generate-rows.js';
import type { Account, AccountType, Bank, Connection, LedgerData } from './ledger.types.js';
import { addMoney } from './money.js';
import { settleAccount } from './settle-account.js';

const OPENING: Readonly<Record<AccountType, string>> = {
  checking: '2400.00',
  savings: '10000.00',
  credit_card: '-350.00',
  loan: '-18000.00',
  brokerage: '125.40',
};
const CARD_LIMIT = '5000.00';

/** The same ledger for the same seed and the same day. */
export function generateLedger(seed: string, now: Date): LedgerData {
  const banks = BANK_TEMPLATES.map(({ accounts: _accounts, ...bank }): Bank => ({
    ...bank,
    vendors: VENDOR_NAMES.filter((vendor) => VENDORS[vendor].banks.includes(bank.id)),
    isDown: false,
  }));
  const customers = CUSTOMER_TEMPLATES.map(({ banks: bankIds, ...customer }) => ({
    ...structuredClone(customer),
    connections: bankIds.map((bankId): Connection => {
      const template = BANK_TEMPLATES.find(({ id }) => id === bankId);
      const bank = banks.find(({ id }) => id === bankId);
      if (template === undefined || bank === undefined) throw new Error(`No bank ${bankId}.`);
      const id = `${customer.id}-${bankId}`;
      const accounts = template.accounts.map((account, index) =>
        generateAccount(`${id}-${index + 1}`, account, bank, seed, now),
      );
      return { id, bankId, accounts };
    }),
  }));
  return { banks, customers };
}

function generateAccount(
  id: string,
  { name, type, currency, costStyle = 'total', positions = [] }: AccountTemplate,
  bank: Bank,
  seed: string,
  now: Date,
): Account {
  const draws = createDraws(`${seed}/${id}`);
  const accountNumber = type === 'credit_card' ? `4${draws.digits(15)}` : draws.digits(10);
  const account: Account = {
    id,
    name,
    type,
    currency: currency ?? bank.currency,
    mask: accountNumber.slice(-4),
    accountNumber,
    routingNumber: bank.routingNumber,
    iban:
      bank.routingNumber === null && type !== 'credit_card'
        ? ibanOf(bank, accountNumber, draws)
        : null,
    balances: {
      current: '0.00',
      available: null,
      limit: type === 'credit_card' ? CARD_LIMIT : null,
    },
    openingBalance: addMoney(OPENING[type], ...positions.map(({ value }) => value)),
    isDown: false,
    rows: generateRows({ id, type }, draws, now),
    positions: positions.map((position, index) => ({
      ...position,
      id: `${id}-position-${index + 1}`,
    })),
    costStyle,
  };
  settleAccount(account);
  return account;
}

/** Lengths of the national part (ISO 13616). */
const BBAN_LENGTH: Readonly<Record<string, number>> = { DE: 18, FR: 23, FI: 14, ES: 20 };

function ibanOf(bank: Bank, accountNumber: string, draws: Draws): string {
  const length = BBAN_LENGTH[bank.country];
  if (length === undefined) throw new Error(`No IBAN in ${bank.country}.`);
  const bban = `${draws.digits(length - accountNumber.length)}${accountNumber}`;
  const letters = (text: string): string =>
    text.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
  const check = 98n - (BigInt(letters(`${bban}${bank.country}00`)) % 97n);
  return `${bank.country}${check.toString().padStart(2, '0')}${bban}`;
}
