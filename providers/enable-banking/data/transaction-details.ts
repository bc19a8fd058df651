// cspell:ignore mpan organisation tpan
import { Decimal } from 'decimal.js';
import {
  readBankTransactionCode,
  type BankTransactionCode,
} from '../../../domain/transactions/bank-transaction-codes.js';
import {
  counterpartyAccount,
  type CounterpartyNumbers,
} from '../../../domain/transactions/counterparty-numbers.js';
import { splitRemittance } from '../../../domain/transactions/tagged-remittance.js';
import {
  detailsOf,
  type CounterpartyKind,
  type OriginalAmount,
} from '../../../domain/transactions/transaction-details.js';
import { minorDigits } from '../../../domain/simplefin/minor-digits.js';
import { readMcc } from '../../http/read-mcc.js';
import type { RemoteObject } from '../../http/remote-object.js';
import type { ProviderTransaction } from '../../contract/provider.js';

const MAX_NAME = 500;
const MAX_REFERENCE = 200;
const MAX_NUMBER = 64;
/** A card number, which is never kept in full. */
const CARD_SCHEMES = ['CPAN', 'MPAN', 'TPAN'];

type Party = 'creditor' | 'debtor';
type Details = Pick<ProviderTransaction, 'details' | 'counterpartyNumbers' | 'bankTransactionCode'>;

/** What is known of a row already. */
interface RowFacts {
  /** The other side. */
  party: Party;
  /** `transaction_amount`. */
  money: RemoteObject;
  accountCurrency: string | null;
  remittance: string | null;
  /** `transaction_date`. */
  happened: string | null;
}

/** Everything that a row has beyond the fields that people read first. */
export function transactionDetails(
  row: RemoteObject,
  { party, money, accountCurrency, remittance, happened }: RowFacts,
): Details {
  const { name, kind } = partyOf(row, party);
  const account = accountOf(row, party);
  const mcc = readMcc(row, 'merchant_category_code');
  const { text, endToEnd, mandate } = splitRemittance(remittance);
  return {
    counterpartyNumbers: account.numbers,
    bankTransactionCode: codeOf(row),
    details: detailsOf({
      counterparty: {
        name,
        accountMask: account.mask,
        kind: kind ?? (mcc === null ? null : 'business'),
      },
      merchant: mcc === null ? null : { name, mcc },
      remittance: text,
      references: {
        endToEnd,
        mandate,
        creditor: row.plain('reference_number', MAX_REFERENCE),
        checkNumber: null,
      },
      original: originalOf(row, { money, accountCurrency }),
      transactedAt: happened === null ? null : `${happened}T00:00:00.000`,
    }),
  };
}

/** An identification as an organization or as a person marks what a party is. */
function partyOf(
  row: RemoteObject,
  field: Party,
): { name: string | null; kind: CounterpartyKind | null } {
  const party = row.maybe(field, (it) => it.object(field));
  if (party === null) return { name: null, kind: null };
  const has = (mark: string) =>
    party.maybe(mark, (it) => it.object(mark))?.plain('identification', MAX_REFERENCE) != null;
  return {
    name: party.plain('name', MAX_NAME),
    kind: has('organisation_id') ? 'business' : has('private_id') ? 'person' : null,
  };
}

function accountOf(
  row: RemoteObject,
  party: Party,
): { numbers: CounterpartyNumbers | null; mask: string | null } {
  const account = row.maybe(`${party}_account`, (it) => it.object(`${party}_account`));
  if (account === null) return { numbers: null, mask: null };
  const agent = row.maybe(`${party}_agent`, (it) => it.object(`${party}_agent`));
  const member = agent?.maybe('clearing_system_member_id', (it) =>
    it.object('clearing_system_member_id'),
  );
  const iban = account.plain('iban', MAX_NUMBER);
  const other = iban === null ? otherNumberOf(account) : null;
  const found = counterpartyAccount({
    iban: iban?.replaceAll(' ', '') ?? null,
    bic: agent?.plain('bic_fi', MAX_NUMBER) ?? null,
    accountNumber: other?.number ?? null,
    bankCode: member?.plain('member_id', MAX_NUMBER) ?? null,
  });
  return other?.isCard === true ? { ...found, numbers: null } : found;
}

function otherNumberOf(account: RemoteObject): { number: string | null; isCard: boolean } | null {
  // Some banks send the number alone.
  if (typeof account.any('other') === 'string')
    return { number: account.plain('other', MAX_NUMBER), isCard: false };
  const other = account.maybe('other', (it) => it.object('other'));
  if (other === null) return null;
  return {
    number: other.plain('identification', MAX_NUMBER),
    isCard: CARD_SCHEMES.includes(other.plain('scheme_name', MAX_NUMBER) ?? ''),
  };
}

function codeOf(row: RemoteObject): BankTransactionCode | null {
  const code = row.maybe('bank_transaction_code', (it) => it.object('bank_transaction_code'));
  return code === null
    ? null
    : readBankTransactionCode(
        code.plain('code', MAX_REFERENCE),
        code.plain('sub_code', MAX_REFERENCE),
      );
}

/**
 * `instructed_amount` is what the payer ordered, in the currency of the payer's choice. A row in
 * another currency than its account has its amount in that of the account, by the rate of the bank.
 */
function originalOf(
  row: RemoteObject,
  { money, accountCurrency }: Pick<RowFacts, 'money' | 'accountCurrency'>,
): OriginalAmount | null {
  const exchange = row.maybe('exchange_rate', (it) => it.object('exchange_rate'));
  if (exchange === null) return null;
  const currency = money.currency('currency');
  const rate = exchange.maybe('exchange_rate', (it) => it.unsigned('exchange_rate'));
  const unit = currencyOf(exchange, 'unit_currency');
  const priceOf = (original: string) => rateOf(rate, unit, { original, currency });
  const instructed = exchange.maybe('instructed_amount', (it) => it.object('instructed_amount'));
  const amount = instructed?.maybe('amount', (it) => it.unsigned('amount')) ?? null;
  const original = instructed === null ? null : currencyOf(instructed, 'currency');
  if (amount !== null && original !== null && original !== currency)
    return { amount, currency: original, rate: priceOf(original) };
  if (accountCurrency === null || accountCurrency === currency) return null;
  const price = priceOf(accountCurrency);
  if (price === null || rate === null) return null;
  const own = money.unsigned('amount');
  const converted = unit === currency ? own.times(rate) : own.dividedBy(rate);
  return {
    amount: converted.toDecimalPlaces(minorDigits(accountCurrency)),
    currency: accountCurrency,
    rate: price,
  };
}

const currencyOf = (remote: RemoteObject, field: string): string | null =>
  remote.maybe(field, (it) => it.currency(field));

const RATE_DIGITS = 10;

/** The price of one unit of the original currency. A rate is the price of one `unit`. */
function rateOf(
  rate: Decimal | null,
  unit: string | null,
  { original, currency }: { original: string; currency: string },
): Decimal | null {
  if (rate === null || rate.isZero()) return null;
  if (unit === original) return rate;
  return unit === currency ? new Decimal(1).dividedBy(rate).toSignificantDigits(RATE_DIGITS) : null;
}
