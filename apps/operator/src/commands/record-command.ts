import { InvalidArgumentError } from 'commander';
import {
  listRecord,
  type RecordFilter,
} from '../../../../prisma/base/operator-actions/operator-record.js';
import { positiveNumber } from '../../../../clients/terminal/src/option-values.js';
import { table } from '../../../../clients/terminal/src/table.js';
import { time } from '../option-parsers.js';
import type { OperatorCommand } from '../operator-command.js';

interface RecordOptions extends RecordFilter {
  before?: Date | bigint;
  limit: number;
}

const MAX_PAGE = 500;

export const RECORD: OperatorCommand = {
  name: 'record',
  help: 'show the record of operators, newest first: who did what to which subject, and how it ended',
  examples: ['record --subject LINK_ID', 'record --action institutions --actor ann --limit 20'],
  recorded: false,
  arguments: (command) =>
    command
      .option('--actor <name>', 'the name in --by, user@host, a client id or `service`')
      .option(
        '--action <command>',
        'a command, or the noun of several: `clients disable`, `clients`',
      )
      .option('--subject <id>', 'what it was done to: an id or name as typed')
      .option(
        '--before <time|number>',
        'only older actions than this time, or than the action of this number',
        timeOrNumber,
      )
      .option('--limit <number>', `at most this many, up to ${MAX_PAGE}`, pageSize, 50),
  run: async ({ context, output }, { before, limit, ...filter }: RecordOptions) => {
    const { actions, next } = await listRecord(context, filter, { before: before ?? null, limit });
    const shown = actions.map(({ number, createdAt, ...action }) => ({
      number: number.toString(),
      created_at: createdAt.toISOString(),
      ...action,
    }));
    output.value({ actions: shown, before: next?.toString() ?? null }, () =>
      [table(shown), ...(next === null ? [] : [`Older ones: --before ${next}`])].join('\n\n'),
    );
  },
};

function timeOrNumber(text: string): Date | bigint {
  return /^\d{1,18}$/.test(text) ? BigInt(text) : time(text);
}

function pageSize(text: string): number {
  const size = positiveNumber(text);
  if (size > MAX_PAGE) throw new InvalidArgumentError(`Must be at most ${MAX_PAGE}.`);
  return size;
}
