import type { RecurringListQuery, RecurringStream } from '@tributary/node';
import { positiveNumber } from '../../../terminal/src/option-values.js';
import type { CliCommand } from '../cli-command.js';
import { limited } from '../limited.js';

interface ListOptions {
  status?: string;
  limit: number;
}

/** native-api 7: the most that one page holds. */
const MAX_PAGE = 200;

export const RECURRING_COMMANDS: readonly CliCommand[] = [
  {
    name: 'recurring list',
    help: 'list the payments of a link that return',
    examples: ['recurring list LINK_ID --status mature'],
    arguments: (command) =>
      command
        .argument('<link_id>')
        .option('--status <status>', 'mature, early or ended')
        .option('--limit <number>', 'at most this many', positiveNumber, 100),
    run: async ({ client, output }, linkId: string, { status, limit }: ListOptions) => {
      const list = (await client()).recurring.list(linkId, {
        ...(status === undefined ? {} : { status: status as RecurringListQuery['status'] }),
        limit: Math.min(limit, MAX_PAGE),
      } as RecurringListQuery);
      await output.list(limited(list, limit), rowOf);
    },
  },
];

function rowOf({ stream_id, label, direction, interval, amounts, status, next }: RecurringStream) {
  return {
    stream_id,
    label,
    direction,
    interval,
    amount: amounts.typical,
    currency: amounts.currency,
    status,
    next: next?.expected ?? null,
  };
}
