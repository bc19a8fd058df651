import type { Liability } from '@tributary/node';
import { positiveNumber } from '../../../terminal/src/option-values.js';
import type { CliCommand } from '../cli-command.js';
import { limited } from '../limited.js';

/** native-api 3.15: the most that one page holds. */
const MAX_PAGE = 200;

export const LIABILITY_COMMANDS: readonly CliCommand[] = [
  {
    name: 'liabilities list',
    help: 'list the debts of a link with their rates and next payments',
    examples: ['liabilities list LINK_ID'],
    arguments: (command) =>
      command
        .argument('<link_id>')
        .option('--limit <number>', 'at most this many', positiveNumber, 100),
    run: async ({ client, output }, linkId: string, { limit }: { limit: number }) => {
      const { liabilities } = await client();
      const list = liabilities.list(linkId, { limit: Math.min(limit, MAX_PAGE) });
      await output.list(limited(list, limit), rowOf);
    },
  },
];

function rowOf({ interest_rate, rates, ...debt }: Liability) {
  const purchases = rates.find(({ kind }) => kind === 'purchase');
  return {
    account_id: debt.account_id,
    kind: debt.kind,
    balance: debt.balance,
    currency: debt.currency,
    rate: interest_rate?.percentage ?? purchases?.percentage ?? null,
    minimum_payment: debt.minimum_payment,
    next_payment: debt.next_payment?.amount ?? null,
    due_on: debt.next_payment?.due_on ?? null,
    past_due: debt.past_due,
  };
}
