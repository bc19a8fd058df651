import type { Command } from 'commander';
import type { AdapterSettings } from '../../../../providers/adapter.js';
import { MANIFESTS } from '../../../../providers/manifests.js';
import { describeSettings } from '../adapter-options.js';
import { CommandFailure } from '../command-failure.js';
import { table, type OutputOptions } from '../output.js';
import type { SecretInput } from '../secret-input.js';
import type { Service } from '../service.js';
import { addProviderChangeCommands } from './provider-change-commands.js';
import { addProviderCheckCommand } from './provider-check-command.js';
import { addProviderViewCommands } from './provider-view-commands.js';
import { addProviderWebhookCommand } from './provider-webhook-command.js';

type WithService = (work: (service: Service) => Promise<void>) => Promise<void>;

/** The operator's keys for sources of bank data. */
export function addProvidersCommands(
  program: Command,
  withService: WithService,
  {
    secretInput,
    adapters = Object.fromEntries(MANIFESTS.map(({ name, settings }) => [name, settings])),
  }: { secretInput?: SecretInput; adapters?: Readonly<Record<string, AdapterSettings>> },
): void {
  const providers = program
    .command('providers')
    .description('configurations: your keys for the sources of bank data');

  providers
    .command('adapters')
    .description('list the kinds of sources, with what each can be configured with')
    .option('--json', 'print a JSON array')
    .action((options: OutputOptions) =>
      withService(async ({ print }) => {
        const shown = Object.entries(adapters).map(([adapter, settings]) => ({
          adapter,
          settings: describeSettings(settings),
        }));
        print(shown, options, () =>
          shown.length === 0
            ? '(none)'
            : shown.map(({ adapter, settings }) => `${adapter}\n${table(settings)}`).join('\n\n'),
        );
      }),
    );

  const settingsOf = (adapter: string): AdapterSettings => {
    const found = Object.hasOwn(adapters, adapter) ? adapters[adapter] : undefined;
    if (found === undefined)
      throw new CommandFailure(
        `There is no adapter ${adapter}; this version has: ${Object.keys(adapters).join(', ') || 'none'}.`,
      );
    return found;
  };
  addProviderChangeCommands(providers, withService, { settingsOf, secretInput });
  addProviderViewCommands(providers, withService, { settingsOf });
  addProviderCheckCommand(providers, withService);
  addProviderWebhookCommand(providers, withService, { settingsOf });
}
