import type { Interval } from './intervals.js';

export const STREAM_STATUSES = ['mature', 'early', 'ended'] as const;
export type StreamStatus = (typeof STREAM_STATUSES)[number];

/** What makes rows those of one counterparty, strongest first. */
export const STREAM_KEYS = [
  'mandate',
  'creditor_reference',
  'counterparty',
  'merchant',
  'text',
] as const;
export type StreamKey = (typeof STREAM_KEYS)[number];

/** Amounts are exact decimal texts of the rows. */
export interface StreamAmounts {
  last: string;
  /** The median since the last change of price. */
  typical: string;
  min: string;
  max: string;
  currency: string;
  /** The day of the first row with the current price; null = never changed, or the amounts vary. */
  changedOn: string | null;
}

export interface NextPayment {
  expected: string;
  earliest: string;
  latest: string;
  amountMin: string;
  amountMax: string;
}

/** Why rows count as a stream. */
export interface StreamEvidence {
  key: StreamKey;
  /** Rows on a date of their own. */
  hits: number;
  /** How often a row was missed between them; a pause is one gap. */
  gaps: number;
  /** Other rows like these, between the dates. */
  extras: number;
  /** The probability that unrelated payments look like this, times the candidates that were tried. */
  chance: number;
}

/** Payments of one counterparty that return. Days are `YYYY-MM-DD`. */
export interface Stream {
  accountId: string;
  direction: 'in' | 'out';
  /** Of its last row: the merchant, else the counterparty, else the description. */
  label: string | null;
  /** These three of its last row, too. */
  description: string | null;
  merchantName: string | null;
  category: string | null;
  interval: Interval;
  amounts: StreamAmounts;
  /** The mean of the amounts, at most four digits longer than they are; only the layer of Plaid shows it. */
  average: string;
  firstDate: string;
  lastDate: string;
  status: StreamStatus;
  /** Null when ended. */
  next: NextPayment | null;
  isTransfer: boolean;
  /** Newest first. */
  transactionIds: string[];
  why: StreamEvidence;
}
