import { CommandFailure } from '../../../../clients/terminal/src/command-failure.js';
import { table } from '../../../../clients/terminal/src/table.js';
import type { OperatorCommand } from '../operator-command.js';

/** The use of the quotas that sources enforce. */
export const QUOTA_COMMANDS: readonly OperatorCommand[] = [
  {
    name: 'quotas show',
    help: 'show current use by configuration and quota',
    examples: ['quotas show', 'quotas show simplefin'],
    recorded: false,
    arguments: (command) => command.argument('[configuration]', 'only this configuration'),
    run: async ({ quotas, output }, configuration: string | undefined) => {
      if (configuration !== undefined && !(await quotas.isProvider(configuration)))
        throw new CommandFailure(`There is no provider configuration ${configuration}.`);
      const shown = (await quotas.usage(configuration ?? null)).map(
        ({ provider, quota, limit, subjects, usedUp, leastLeft, freesAt }) => ({
          configuration: provider,
          quota,
          limit,
          counted_for: subjects,
          used_up: usedUp,
          least_left: leastLeft,
          next_room_at: freesAt.toISOString(),
        }),
      );
      output.value(shown, () => table(shown));
    },
  },
];
