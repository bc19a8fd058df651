import { categoryOfBankCode, type BankTransactionCode } from './bank-transaction-codes.js';
import { categoryOfMcc } from './merchant-categories.js';

/** The origin of a category. Source: native-api 4.6. */
export const CATEGORY_SOURCES = [
  'institution',
  'import',
  'merchant_category_code',
  'bank_transaction_code',
] as const;
export type CategorySource = (typeof CATEGORY_SOURCES)[number];

/** The parts of a transaction that may show its category. Texts are not among them. */
export interface CategoryEvidence {
  type: 'debit' | 'credit';
  /** The category that the institution, or the app at import, assigned. */
  category: string | null;
  imported: boolean;
  mcc: string | null;
  bankTransactionCode: BankTransactionCode | null;
}

/** The most specific evidence first. Source: native-api 4.11. */
const EVIDENCE: readonly {
  source: (evidence: CategoryEvidence) => CategorySource;
  category: (evidence: CategoryEvidence) => string | null;
}[] = [
  {
    source: ({ imported }) => (imported ? 'import' : 'institution'),
    category: ({ category }) => category,
  },
  {
    source: () => 'merchant_category_code',
    category: ({ mcc }) => (mcc === null ? null : categoryOfMcc(mcc)),
  },
  {
    source: () => 'bank_transaction_code',
    category: ({ bankTransactionCode: code, type }) =>
      code === null ? null : categoryOfBankCode(code, type),
  },
];

/** The category of a transaction and where it comes from; both null without evidence. */
export function categorize(evidence: CategoryEvidence): {
  category: string | null;
  categorySource: CategorySource | null;
} {
  for (const { source, category: categoryFrom } of EVIDENCE) {
    const category = categoryFrom(evidence);
    if (category !== null) return { category, categorySource: source(evidence) };
  }
  return { category: null, categorySource: null };
}
