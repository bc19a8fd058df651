import type { Holding, InvestmentTransaction, Security } from '@tributary/node';
import { positiveNumber } from '../../../terminal/src/option-values.js';
import type { CliCommand } from '../cli-command.js';
import { limited } from '../limited.js';
import { shortName, withSecurities } from '../with-securities.js';

/** native-api 3.13 and 3.14: the most that one page holds. */
const MAX_PAGE = 1000;

interface HoldingOptions {
  on?: string;
  limit: number;
}

interface TransactionOptions {
  from?: string;
  to?: string;
  limit: number;
}

type WithSecurity<Row> = Row & { security: Security | null };

export const INVESTMENT_COMMANDS: readonly CliCommand[] = [
  {
    name: 'holdings list',
    help: 'list the holdings of a link, now or on a day in the past',
    examples: ['holdings list LINK_ID', 'holdings list LINK_ID --on 2026-03-06'],
    arguments: (command) =>
      command
        .argument('<link_id>')
        .option('--on <day>', 'as of the end of this day, such as 2026-03-06')
        .option('--limit <number>', 'at most this many', positiveNumber, 500),
    run: async ({ client, output }, linkId: string, { on, limit }: HoldingOptions) => {
      const { holdings } = await client();
      const list = holdings.list(linkId, {
        ...(on === undefined ? {} : { on }),
        limit: Math.min(limit, MAX_PAGE),
      });
      await output.list(limited(withSecurities(list.pages()), limit), holdingRow);
    },
  },
  {
    name: 'investment-transactions list',
    help: 'list purchases, sales and other movements of investment accounts, newest first',
    examples: ['investment-transactions list LINK_ID --from 2026-01-01'],
    arguments: (command) =>
      command
        .argument('<link_id>')
        .option('--from <day>', 'the first day; by default 89 days before the last one')
        .option('--to <day>', 'the last day; by default today')
        .option('--limit <number>', 'at most this many', positiveNumber, 100),
    run: async ({ client, output }, linkId: string, { from, to, limit }: TransactionOptions) => {
      const { investmentTransactions } = await client();
      const list = investmentTransactions.list(linkId, {
        ...(from === undefined ? {} : { start_date: from }),
        ...(to === undefined ? {} : { end_date: to }),
        size: Math.min(limit, MAX_PAGE),
      });
      await output.list(limited(withSecurities(list.pages()), limit), transactionRow);
    },
  },
];

function holdingRow(holding: WithSecurity<Holding>) {
  return {
    holding_id: holding.holding_id,
    account_id: holding.account_id,
    security: shortName(holding.security),
    quantity: holding.quantity,
    price: holding.price,
    price_as_of: holding.price_as_of,
    value: holding.value,
    cost_basis: holding.cost_basis,
    evidence: holding.cost_basis_evidence,
    currency: holding.currency,
  };
}

function transactionRow(row: WithSecurity<InvestmentTransaction>) {
  return {
    investment_transaction_id: row.investment_transaction_id,
    date: row.date.slice(0, 10),
    type: row.type,
    security: shortName(row.security),
    quantity: row.quantity,
    price: row.price,
    amount: row.amount,
    currency: row.currency,
    description: row.description,
  };
}
