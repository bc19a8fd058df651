import type { Transaction } from '@tributary/node';
import { z } from 'zod';
import { linkChoice } from '../links/link-choice.js';
import type { Position } from '../links/transaction-walk.js';
import { transactionResult } from '../results/transaction-result.js';
import { limit } from '../serving/inputs.js';
import { defineTool, type Tool } from '../serving/tool.js';
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

const position = z
  .string()
  .regex(/^\d{4}-\d\d-\d\d\/\w{1,100}$/, 'Is not the next_cursor of a result')
  .optional()
  .describe('The next_cursor of the previous result, with the same other arguments.');

/** @param scopes of the key pair, by name */
export function transactionTools(scopes: ReadonlySet<string>): Tool[] {
  const search = defineTool({
    name: 'search_transactions',
    description:
      'Search the transactions of all links, or of one, newest first. A next_cursor means that the search continues there, also after fewer rows than the limit. Links in unread_links are missing.',
    scope: 'transactions:read',
    input: z.strictObject({
      ...linkChoice(scopes),
      ...range,
      ...filters,
      limit,
      cursor: position,
    }),
    async run({ limit: maxRows, cursor, ...query }, context) {
      const pick = (row: Transaction, linkId: string) => {
        const result = { link_id: linkId, ...transactionResult(row) };
        return isWanted(row, result, query) ? result : undefined;
      };
      const bounds = { after: positionFrom(cursor), maxCompared: MAX_COMPARED, maxRows, pick };
      const { rows, next, covering } = await readTransactions(query, bounds, context);
      return {
        ...covering,
        transactions: rows,
        next_cursor: next && `${next.date.slice(0, 10)}/${next.transaction_id}`,
      };
    },
  });
  return [search];
}

function positionFrom(text: string | undefined): Position | null {
  if (text === undefined) return null;
  const [date = '', id = ''] = text.split('/');
  return { date, transaction_id: id };
}

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
