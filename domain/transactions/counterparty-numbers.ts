/**
 * The full account number of a counterparty. It is stored sealed, and returned only by the call for
 * the numbers of one transaction. Source: native-api 3.6.
 */
export interface CounterpartyNumbers {
  iban: string | null;
  bic: string | null;
  /** A national account number, if the source has no IBAN. */
  accountNumber: string | null;
  /** The national code of its bank, such as a routing number or a sort code. */
  bankCode: string | null;
}

/** A number with hidden digits, such as `XXXX1234` or `****1234`: it only has a mask. */
const HIDDEN_DIGITS = /[*•]|[xX]{2}|\.{2}/;

/**
 * The numbers and the mask of a counterparty's account. Hidden digits, or a bank without an account,
 * are no numbers.
 */
export function counterpartyAccount(given: Partial<CounterpartyNumbers>): {
  numbers: CounterpartyNumbers | null;
  mask: string | null;
} {
  const { iban = null, bic = null, accountNumber = null, bankCode = null } = given;
  const number = iban ?? accountNumber;
  if (number === null) return { numbers: null, mask: null };
  const mask = number.replaceAll(/[^\p{L}\p{N}]/gu, '').slice(-4);
  if (mask === '') return { numbers: null, mask: null };
  return {
    numbers: HIDDEN_DIGITS.test(number) ? null : { iban, bic, accountNumber, bankCode },
    mask,
  };
}

/** The wire form. Source: native-api 4.6. */
export function presentCounterpartyNumbers(numbers: CounterpartyNumbers) {
  return {
    iban: numbers.iban,
    bic: numbers.bic,
    account_number: numbers.accountNumber,
    bank_code: numbers.bankCode,
  };
}

/** The kinds of known numbers, which show a change without the numbers. */
export function kindsOfNumbers({ iban, bic, accountNumber, bankCode }: CounterpartyNumbers) {
  return [iban, bic, accountNumber, bankCode].map((number) => (number === null ? 0 : 1)).join('');
}
