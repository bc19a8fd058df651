import { describeSettings } from '../../adapter-options.js';
import type { OperatorCommand } from '../../operator-command.js';
import { table } from '../../../../../clients/terminal/src/table.js';
import { scheduleCommands } from '../schedule-commands.js';
import { adaptersOf } from './adapter-settings.js';
import { PROVIDER_CHANGE_COMMANDS } from './provider-change-commands.js';
import { PROVIDER_CHECK } from './provider-check-command.js';
import { PROVIDER_VIEW_COMMANDS } from './provider-view-commands.js';
import { PROVIDER_WEBHOOK } from './provider-webhook-command.js';

/** The operator's keys for sources of bank data. */
export const PROVIDER_COMMANDS: readonly OperatorCommand[] = [
  {
    name: 'providers adapters',
    help: 'list the kinds of sources with their settings',
    examples: ['providers adapters'],
    recorded: false,
    offline: true,
    run: async ({ output, shell }) => {
      const shown = Object.entries(adaptersOf(shell)).map(([adapter, settings]) => ({
        adapter,
        settings: describeSettings(settings),
      }));
      output.value(shown, () =>
        shown.length === 0
          ? '(none)'
          : shown.map(({ adapter, settings }) => `${adapter}\n${table(settings)}`).join('\n\n'),
      );
    },
  },
  ...PROVIDER_VIEW_COMMANDS,
  ...PROVIDER_CHANGE_COMMANDS,
  PROVIDER_CHECK,
  PROVIDER_WEBHOOK,
  ...scheduleCommands('provider'),
];
