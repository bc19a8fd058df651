import type { OperatorCommand } from '../../../../apps/operator/src/operator-command.js';
import { table, type OutputOptions } from '../../../../apps/operator/src/output.js';

export const TOY_COMMANDS: readonly OperatorCommand[] = [
  {
    name: 'toys wind',
    help: 'wind a toy up',
    recorded: true,
    arguments: (command) => command.argument('<toy>', 'the toy'),
    run: async ({ print }, toy: string, options: OutputOptions) => {
      const wound = [{ toy, turns: 3 }];
      print(wound, options, () => table(wound));
    },
  },
];
