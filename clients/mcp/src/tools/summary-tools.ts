import type { Transaction } from '@tributary/node';
import { z } from 'zod';
import { freshnessOf } from '../results/freshness.js';
import { MAX_ROWS, offset } from '../serving/inputs.js';
import { defineTool } from '../serving/tool.js';
import { range, readTransactions } from './stored-transactions.js';

/** Rows that one call adds up. */
const MAX_ADDED = 50_000;

/** No bank text: a payer could otherwise write the name of a group. */
const GROUPS = {
  month: ({ date }) => date.slice(0, 7),
  category: ({ category }) => category,
  account: ({ account_id: account }) => account,
} satisfies Record<string, (row: Transaction) => string | null>;

const summarize = defineTool({
  name: 'summarize_transactions',
  description:
    'Count the transactions of a link and add them up, by month, category or account, and by currency. When complete is false, choose a shorter range.',
  scope: 'transactions:read',
  input: z.strictObject({
    ...range,
    group_by: z.enum(['month', 'category', 'account']).default('category'),
    offset,
  }),
  async run({ group_by: by, offset: from, ...query }, context) {
    const { rows, link, next } = await readTransactions(
      query,
      { from: 0, most: MAX_ADDED },
      context,
    );
    const groups = [...groupsOf(rows, GROUPS[by]).values()];
    const end = from + MAX_ROWS;
    return {
      ...freshnessOf(link, ['transactions']),
      link_id: link.link_id,
      transactions: rows.length,
      complete: next === null,
      groups: groups.slice(from, end).map(({ group, currency, count, debit, credit }) => ({
        group,
        currency,
        count,
        debit: fromUnits(debit),
        credit: fromUnits(credit),
      })),
      next_offset: end < groups.length ? end : null,
    };
  },
});

export const summaryTools = [summarize];

interface Group {
  group: string | null;
  currency: string;
  count: number;
  debit: bigint;
  credit: bigint;
}

function groupsOf(rows: readonly Transaction[], groupOf: (row: Transaction) => string | null) {
  const groups = new Map<string, Group>();
  for (const row of rows) {
    const [group, { currency, type, amount }] = [groupOf(row), row];
    const key = `${currency} ${group}`;
    const sum = groups.get(key) ?? { group, currency, count: 0, debit: 0n, credit: 0n };
    sum.count += 1;
    sum[type] += toUnits(amount);
    groups.set(key, sum);
  }
  return groups;
}

/** Sums of binary fractions would differ from the amounts in their last digits. */
const DIGITS = 8;

function toUnits(amount: number): bigint {
  return BigInt(amount.toFixed(DIGITS).replace('.', ''));
}

function fromUnits(units: bigint): number {
  return Number(`${units}e-${DIGITS}`);
}
