import type { Command } from 'commander';
import { CommandFailure } from '../command-failure.js';
import { table, type OutputOptions } from '../output.js';
import type { Service } from '../service.js';

/** What is used of the quotas that sources enforce. */
export function addQuotaCommands(
  program: Command,
  withService: (work: (service: Service) => Promise<void>) => Promise<void>,
): void {
  program
    .command('quotas')
    .description('calls that sources count')
    .command('show')
    .description('show what is used now, by configuration and quota')
    .argument('[configuration]', 'only this configuration')
    .option('--json', 'print one JSON array')
    .action((configuration: string | undefined, options: OutputOptions) =>
      withService(async ({ quotas, print }) => {
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
        print(shown, options, () => table(shown));
      }),
    );
}
