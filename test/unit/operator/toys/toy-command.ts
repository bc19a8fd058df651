import { CommandFailure } from '../../../../clients/terminal/src/command-failure.js';
import type { OperatorCommand } from '../../../../apps/operator/src/operator-command.js';
import { RecordedOption } from '../../../../apps/operator/src/recorded-option.js';

/** The smallest operator command. */
export const TOY_COMMANDS: readonly OperatorCommand[] = [
  {
    name: 'toys order',
    help: 'order a toy',
    examples: ['toys order kite --color red'],
    recorded: true,
    arguments: (command) =>
      command
        .argument('<toy>')
        .addOption(new RecordedOption('--color <color>', 'its color'))
        .option('--note <text>', 'a note for the maker'),
    check: (toy: string) => {
      if (toy !== 'kite') throw new CommandFailure(`There is no toy ${toy}.`);
    },
    run: async ({ output }, toy: string) => output.value({ toy }, () => `Ordered a ${toy}.`),
  },
];
