import { z } from 'zod';
import { linkChoice } from '../links/link-choice.js';
import { LinkReading } from '../links/link-reading.js';
import { readRows } from '../links/read-rows.js';
import {
  holdingResult,
  investmentTransactionResult,
  securitiesById,
} from '../results/investment-result.js';
import { day, offset, rowsFrom } from '../serving/inputs.js';
import { defineTool, type Tool } from '../serving/tool.js';
import { range } from './stored-transactions.js';

/** native-api 3.13 and 3.14: the most that one page holds. */
const MAX_PAGE = 1_000;
const scope = 'investments:read';

/** @param scopes of the key pair, by name */
export function investmentTools(scopes: ReadonlySet<string>): Tool[] {
  return [holdingsTool(scopes), transactionsTool(scopes)];
}

function holdingsTool(scopes: ReadonlySet<string>): Tool {
  return defineTool({
    name: 'get_holdings',
    description:
      'List the holdings of all links, or of one, now or on a day in the past. The value is quantity × price × price_factor, the gain value − cost_basis; null is unknown, never 0. accounts has the cash of each account whose last holding is in the result: its balance is holdings_value plus cash, so add neither twice. What unread_links names is missing.',
    scope,
    input: z.strictObject({
      ...linkChoice(scopes),
      on: day.optional().describe('As of the end of this day; by default now.'),
      offset,
    }),
    async run({ offset: from, on, ...choice }, context) {
      const reading = await LinkReading.start(choice, context);
      const query = { limit: MAX_PAGE, ...(on === undefined ? {} : { on }) };
      const read = await reading.each('investments', async (id) => {
        const list = context.tributary.holdings.list(id, query, reading.options);
        const { rows, bodies, link } = await readRows(list, from);
        const securities = securitiesById(bodies);
        const accounts = new Map(
          bodies.flatMap((body) => body.accounts.map((each) => [each.account_id, each])),
        );
        const holdings = rows.map((holding) => ({
          account: accounts.get(holding.account_id),
          holding: {
            link_id: id,
            ...holdingResult(holding, securities.get(holding.security_id)),
          },
        }));
        return { link, holdings };
      });
      const { rows, next_offset } = rowsFrom(
        read.flatMap(({ holdings }) => holdings),
        from,
      );
      return {
        ...reading.covering(
          read.map(({ link }) => link),
          ['investments'],
        ),
        holdings: rows.map(({ holding }) => holding),
        accounts: [...new Set(rows.flatMap(({ account }) => account ?? []))],
        next_offset,
      };
    },
  });
}

function transactionsTool(scopes: ReadonlySet<string>): Tool {
  return defineTool({
    name: 'get_investment_transactions',
    description:
      'List purchases, sales, dividends and other movements of the investment accounts of all links, or of one, newest first. amount is the change of the cash of the account: in positive, out negative. A row with a transaction_id is in search_transactions, too: count one of the two. What unread_links names is missing.',
    scope,
    input: z.strictObject({ ...linkChoice(scopes), ...range, offset }),
    async run({ offset: from, account_id, start_date, end_date, ...choice }, context) {
      const reading = await LinkReading.start(choice, context);
      const query = {
        ...(account_id === undefined ? {} : { account_ids: [account_id] }),
        ...(start_date === undefined ? {} : { start_date }),
        ...(end_date === undefined ? {} : { end_date }),
        size: MAX_PAGE,
      };
      const read = await reading.each('investments', async (id) => {
        const list = context.tributary.investmentTransactions.list(id, query, reading.options);
        const { rows, bodies, link } = await readRows(list, from);
        const securities = securitiesById(bodies);
        const transactions = rows.map((row) => ({
          link_id: id,
          ...investmentTransactionResult(row, securities.get(row.security_id ?? '')),
        }));
        return { link, transactions };
      });
      // Of each link, the rows are in this order already.
      const newestFirst = read
        .flatMap(({ transactions }) => transactions)
        .toSorted((a, b) => (a.date === b.date ? 0 : a.date < b.date ? 1 : -1));
      const { rows, next_offset } = rowsFrom(newestFirst, from);
      return {
        ...reading.covering(
          read.map(({ link }) => link),
          ['investments'],
        ),
        investment_transactions: rows,
        next_offset,
      };
    },
  });
}
