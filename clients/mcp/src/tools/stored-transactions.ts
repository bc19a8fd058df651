import { z } from 'zod';
import { LinkReading } from '../links/link-reading.js';
import { mergeTransactions, type MergeBounds } from '../links/merge-transactions.js';
import { TransactionWalk } from '../links/transaction-walk.js';
import type { linkChoice } from '../links/link-choice.js';
import { day, id } from '../serving/inputs.js';
import type { ToolContext } from '../serving/tool.js';

/** Rows of a page: of a link, and of each of several, of which most need only their newest rows. */
const PAGE_SIZE = { one: 1_000, several: 250 };

/** The days and the account of the transactions that a tool reads. */
export const range = {
  account_id: id.optional().describe('From list_accounts.'),
  start_date: day.optional().describe('Inclusive; by default 89 days before end_date.'),
  end_date: day.optional().describe('Inclusive; by default today.'),
};
export type TransactionRange = z.output<z.ZodObject<typeof range & ReturnType<typeof linkChoice>>>;

/** Reads the stored transactions of one or all links, newest first. */
export async function readTransactions<Row>(
  { account_id: account, start_date, end_date, ...choice }: TransactionRange,
  bounds: Omit<MergeBounds<Row>, 'fill'>,
  context: ToolContext,
) {
  const reading = await LinkReading.start(choice, context);
  const size = choice.link_id === undefined ? PAGE_SIZE.several : PAGE_SIZE.one;
  const query = {
    ...(account === undefined ? {} : { account_ids: [account] }),
    ...(start_date === undefined ? {} : { start_date }),
    ...(end_date === undefined ? {} : { end_date }),
    size,
  };
  const open = (link: string) => {
    const read = (page: number) =>
      context.tributary.transactions.list(link, { ...query, page }, reading.options).page();
    return TransactionWalk.open(async (page) => (await read(page)).body, size, bounds.after);
  };
  const walks = new Set(await reading.each('transactions', open));
  const fill = async (walk: TransactionWalk) => {
    try {
      await walk.fill();
      return 'filled';
    } catch (error) {
      if (reading.isOutOfTime) return 'stopped';
      reading.leaveOut(walk.link.link_id, 'transactions', error);
      walks.delete(walk);
      return 'failed';
    }
  };
  const { rows, next } = await mergeTransactions([...walks], { ...bounds, fill });
  const links = [...walks].map(({ link }) => link);
  return {
    rows,
    next,
    isComplete: next === null && reading.isComplete,
    covering: reading.covering(links, ['transactions']),
  };
}
