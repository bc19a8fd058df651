import type { CliCommand } from '../cli-command.js';
import { sheet } from '../../../terminal/src/table.js';
import { limited } from '../limited.js';
import { positiveNumber } from '../../../terminal/src/option-values.js';

interface ListOptions {
  name?: string;
  featured?: boolean;
  limit: number;
}

export const INSTITUTION_COMMANDS: readonly CliCommand[] = [
  {
    name: 'institutions list',
    help: 'list the banks that users of this environment can choose',
    examples: ['institutions list --name "first bank"'],
    arguments: (command) =>
      command
        .option('--name <text>', 'only those whose name resembles it')
        .option('--featured', 'only those that are shown first')
        .option('--limit <number>', 'at most this many', positiveNumber, 50),
    run: async ({ client, output }, { name, featured, limit }: ListOptions) => {
      const query = {
        ...(name === undefined ? {} : { name }),
        ...(featured === true ? { featured } : {}),
        limit: Math.min(limit, 1_000),
      };
      const list = (await client()).institutions.list(query);
      await output.list(limited(list, limit), ({ institution_id, name: shown, country: of }) => ({
        institution_id,
        name: shown,
        country: of,
      }));
    },
  },
  {
    name: 'institutions get',
    help: 'show a bank',
    examples: ['institutions get INSTITUTION_ID'],
    arguments: (command) => command.argument('<institution_id>'),
    run: async ({ client, output }, institutionId: string) => {
      const found = await (await client()).institutions.get(institutionId);
      output.value(found, () => sheet({ ...found }));
    },
  },
];
