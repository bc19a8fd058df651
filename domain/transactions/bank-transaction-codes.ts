// cspell:disable: codes of ISO 20022
/**
 * A bank transaction code of ISO 20022, as `family` and `subfamily`. The domain is omitted: families
 * are unique. Codes that a bank assigns by its own list are not read.
 */
export interface BankTransactionCode {
  family: string;
  subfamily: string | null;
}

interface CodeRule {
  /** Missing = any. */
  families?: readonly string[];
  /** Missing = any, or none. */
  subfamilies?: readonly string[];
  /** Null = the code does not tell what the money was for. */
  debit: string | null;
  credit: string | null;
}

/** Every family that the rules know, so that a bank's own code is never read as one of them. */
const TRANSFERS = ['ICDT', 'RCDT', 'IRCT', 'RRCT'];
const CARDS = ['CCRD', 'MCRD'];
const LOANS = ['CSLN', 'FTLN', 'NTLN', 'SYDN'];
const CASH = ['CNTR', ...CARDS];
const CHECKS = ['ICHQ', 'RCHQ'];
const DEBITS = ['IDDT', 'RDDT'];
const ACCOUNT = ['MDOP', 'MCOP', 'OPCL', 'ACOP', 'ADOP'];
const SECURITIES = ['SETT', 'TRAD', 'CUST', 'CORP', 'COLL', 'BLOC', 'LACK', 'CASH'];
const EXCHANGE = ['SPOT', 'FWRD', 'SWAP', 'NDFX'];

const both = (category: string) => ({ debit: category, credit: category });

/** The first rule that matches decides. */
const RULES: readonly CodeRule[] = [
  // Sub-families with the same meaning in every family.
  { subfamilies: ['INTR'], debit: 'banking.interest_charged', credit: 'income.interest' },
  { subfamilies: ['FEES', 'CHRG', 'COMM', 'COMT'], debit: 'banking.account_fee', credit: null },
  { subfamilies: ['TAXE'], debit: 'taxes.other', credit: 'income.tax_refund' },
  {
    subfamilies: ['RRTN', 'RPCR', 'RIMB', 'UPCT', 'UPDD', 'RVSL', 'PRDD', 'ARET', 'XRTN'],
    ...both('banking.reversal'),
  },
  // Cash.
  { families: CARDS, subfamilies: ['CWDL'], debit: 'transfers.atm_withdrawal', credit: null },
  { families: CASH, subfamilies: ['CWDL', 'BCWD'], debit: 'transfers.other', credit: null },
  { families: CASH, subfamilies: ['CDPT', 'BCDP'], debit: null, credit: 'transfers.deposit' },
  { families: CHECKS, ...both('banking.cheque') },
  // Transfers.
  { families: TRANSFERS, subfamilies: ['SALA', 'PAYR'], debit: null, credit: 'income.wages' },
  { families: TRANSFERS, subfamilies: ['BOOK'], ...both('transfers.account_transfer') },
  { families: TRANSFERS, debit: 'transfers.outgoing', credit: 'transfers.incoming' },
  // Loans.
  { families: ['MGLN'], debit: 'mortgage_and_rent.mortgage', credit: null },
  {
    families: LOANS,
    debit: 'borrowing_and_loans.personal_loan',
    credit: 'borrowing_and_loans.loan_received',
  },
  // Securities and currencies.
  { families: SECURITIES, subfamilies: ['DVCA', 'DVOP'], debit: null, credit: 'income.dividends' },
  { families: SECURITIES, ...both('pensions_savings_and_investments.investment') },
  { families: EXCHANGE, ...both('banking.currency_exchange') },
];

/** Families without a category of their own: purchases by card, direct debits, and accounts. */
const FAMILIES: ReadonlySet<string> = new Set([
  ...RULES.flatMap(({ families = [] }) => families),
  ...CARDS,
  ...DEBITS,
  ...ACCOUNT,
]);

/**
 * Reads the parts of a code, such as `PMNT-RCDT-SALA`, `RCDT` and `SALA`, or `PMNT` and `RCDT`.
 * @returns null for a code without a known family
 */
export function readBankTransactionCode(
  ...texts: readonly (string | null)[]
): BankTransactionCode | null {
  const parts = texts.flatMap((text) => (text ?? '').toUpperCase().split(/[^A-Z0-9]+/));
  const at = parts.findIndex((part) => FAMILIES.has(part));
  const family = parts[at];
  if (family === undefined) return null;
  const subfamily = parts.slice(at + 1).find((part) => part !== '');
  return { family, subfamily: subfamily ?? null };
}

/** The category of a code; null if the code does not show one. */
export function categoryOfBankCode(
  { family, subfamily }: BankTransactionCode,
  type: 'debit' | 'credit',
): string | null {
  const rule = RULES.find(
    ({ families, subfamilies }) =>
      (families === undefined || families.includes(family)) &&
      (subfamilies === undefined || (subfamily !== null && subfamilies.includes(subfamily))),
  );
  return rule?.[type] ?? null;
}
