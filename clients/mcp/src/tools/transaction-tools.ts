import type { Transaction } from '@tributary/node';
import { z } from 'zod';
import { freshnessOf } from '../results/freshness.js';
import { transactionResult } from '../results/transaction-result.js';
import { limit, offset } from '../serving/inputs.js';
import { defineTool } from '../serving/tool.js';
import { range, readTransactions } from './stored-transactions.js';

/** Rows that one call compares with its filters. */
const MAX_COMPARED = 10_000;

const filters = {
  text: z.string().min(1).max(100).optional().describe('Part of any text, in any case.'),
  type: z.enum(['debit', 'credit']).optional(),
  category: z
    .string()
    .max(100)
    .optional()
    .describe('Such as food_and_drink or food_and_drink.bars.'),
  pending: z.boolean().optional(),
  min_amount: z.number().min(0).optional(),
  max_amount: z.number().min(0).optional(),
};
type Filters = z.output<z.ZodObject<typeof filters>>;

const search = defineTool({
  name: 'search_transactions',
  description:
    'Search the transactions of a link, newest first. Fewer rows than the limit with a next_offset mean that the search continues there.',
  scope: 'transactions:read',
  input: z.strictObject({ ...range, ...filters, limit, offset }),
  async run({ limit: most, offset: from, ...query }, context) {
    const stored = await readTransactions(query, { from, most: MAX_COMPARED }, context);
    const transactions = [];
    let next = stored.next;
    for (const [index, row] of stored.rows.entries()) {
      if (transactions.length === most) {
        next = from + index;
        break;
      }
      const result = transactionResult(row);
      if (isWanted(row, result, query)) transactions.push(result);
    }
    return {
      ...freshnessOf(stored.link, ['transactions']),
      link_id: stored.link.link_id,
      transactions,
      next_offset: next,
    };
  },
});

export const transactionTools = [search];

function isWanted(
  { amount, type, pending, category }: Transaction,
  result: ReturnType<typeof transactionResult>,
  wanted: Filters,
): boolean {
  return (
    (wanted.type ?? type) === type &&
    (wanted.pending ?? pending) === pending &&
    amount >= (wanted.min_amount ?? 0) &&
    amount <= (wanted.max_amount ?? Infinity) &&
    (wanted.category === undefined || `${category}.`.startsWith(`${wanted.category}.`)) &&
    (wanted.text === undefined || textsOf(result).includes(wanted.text.toLowerCase()))
  );
}

/** The texts as the result shows them, so that a match can be seen. */
function textsOf(result: object): string {
  return Object.entries(result)
    .filter(([name, value]) => name.startsWith('untrusted_') && value !== null)
    .map(([, value]) =>
      typeof value === 'string' ? value : Object.values(value as object).join('\n'),
    )
    .join('\n')
    .toLowerCase();
}
