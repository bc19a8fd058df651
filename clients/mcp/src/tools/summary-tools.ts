import type { Transaction } from '@tributary/node';
import { z } from 'zod';
import { linkChoice } from '../links/link-choice.js';
import { offset, rowsFrom } from '../serving/inputs.js';
import { defineTool, type Tool } from '../serving/tool.js';
import { range, readTransactions } from './stored-transactions.js';

/** Rows that one call adds up. */
const MAX_ADDED = 50_000;

interface LinkedRow extends Transaction {
  link_id: string;
}

/** No bank text: a payer could otherwise write the name of a group. */
const GROUPS = {
  month: ({ date }) => date.slice(0, 7),
  category: ({ category }) => category,
  account: ({ account_id: account }) => account,
  link: ({ link_id: link }) => link,
} satisfies Record<string, (row: LinkedRow) => string | null>;
type Grouping = keyof typeof GROUPS;
/** Groups whose rows are all of one link. */
const WITHIN_A_LINK: readonly Grouping[] = ['account', 'link'];

/** @param scopes of the key pair, by name */
export function summaryTools(scopes: ReadonlySet<string>): Tool[] {
  const summarize = defineTool({
    name: 'summarize_transactions',
    description:
      'Count the transactions of all links, or of one, and add them up, by month, category, account or link, and by currency. When complete is false, rows are missing: choose a shorter range, continue with further links, or see unread_links.',
    scope: 'transactions:read',
    input: z.strictObject({
      ...linkChoice(scopes),
      ...range,
      group_by: z.enum(Object.keys(GROUPS) as Grouping[]).default('category'),
      offset,
    }),
    async run({ group_by: by, offset: from, ...query }, context) {
      const pick = (row: Transaction, linkId: string) => ({ ...row, link_id: linkId });
      const bounds = { after: null, maxCompared: MAX_ADDED, maxRows: MAX_ADDED, pick };
      const { rows, isComplete, covering } = await readTransactions(query, bounds, context);
      const groups = rowsFrom([...groupsOf(rows, GROUPS[by]).values()], from);
      return {
        ...covering,
        transactions: rows.length,
        complete: isComplete,
        groups: groups.rows.map(({ group, link_id, currency, count, debit, credit }) => ({
          group,
          ...(WITHIN_A_LINK.includes(by) ? { link_id } : {}),
          currency,
          count,
          debit: fromUnits(debit),
          credit: fromUnits(credit),
        })),
        next_offset: groups.next_offset,
      };
    },
  });
  return [summarize];
}

interface Group {
  group: string | null;
  link_id: string;
  currency: string;
  count: number;
  debit: bigint;
  credit: bigint;
}

function groupsOf(rows: readonly LinkedRow[], groupOf: (row: LinkedRow) => string | null) {
  const groups = new Map<string, Group>();
  for (const row of rows) {
    const [group, { currency, link_id, type, amount }] = [groupOf(row), row];
    const key = `${currency} ${group}`;
    const sum = groups.get(key) ?? { group, link_id, currency, count: 0, debit: 0n, credit: 0n };
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
