import type { Link, Transaction } from '@tributary/node';
import { z } from 'zod';
import { day, id, linkId } from '../serving/inputs.js';
import type { ToolContext } from '../serving/tool.js';

const PAGE_SIZE = 1_000;

/** The transactions of a link that a tool reads. */
export const range = {
  link_id: linkId,
  account_id: id.optional().describe('From list_accounts.'),
  start_date: day.optional().describe('Inclusive; by default 89 days before end_date.'),
  end_date: day.optional().describe('Inclusive; by default today.'),
};
export type TransactionRange = z.output<z.ZodObject<typeof range>>;

export interface StoredTransactions {
  rows: Transaction[];
  link: Link;
  /** Position of the first row after these; null at the end. */
  next: number | null;
}

/** Reads up to that many rows, newest first, from a position in the range. */
export async function readTransactions(
  { link_id: link, account_id: account, start_date, end_date }: TransactionRange,
  { from, most }: { from: number; most: number },
  { tributary, options }: ToolContext,
): Promise<StoredTransactions> {
  const query = {
    ...(account === undefined ? {} : { account_ids: [account] }),
    ...(start_date === undefined ? {} : { start_date }),
    ...(end_date === undefined ? {} : { end_date }),
    size: PAGE_SIZE,
  };
  const rows: Transaction[] = [];
  for (let page = Math.floor(from / PAGE_SIZE) + 1; ; page += 1) {
    const { body } = await tributary.transactions.list(link, { ...query, page }, options).page();
    const end = page * PAGE_SIZE;
    rows.push(...body.transactions.slice(Math.max(0, from - (end - PAGE_SIZE))));
    const isLast = body.transactions.length < PAGE_SIZE || end >= body.total;
    if (isLast || rows.length >= most) {
      const read = rows.slice(0, most);
      const isAll = isLast && read.length === rows.length;
      return { rows: read, link: body.link, next: isAll ? null : from + read.length };
    }
  }
}
