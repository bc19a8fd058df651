import { CommandFailure } from '../../../../../clients/terminal/src/command-failure.js';
import type { OperatorCommand } from '../../operator-command.js';
import { RecordedOption } from '../../recorded-option.js';

/** `apps providers`: the configurations that an app may use. */
export const APP_PROVIDERS: OperatorCommand = {
  name: 'apps providers',
  help: 'limit an app to certain provider configurations, in order of preference; without names, show the current limit',
  examples: [
    'apps providers pocket-ledger simplefin enable-banking',
    'apps providers pocket-ledger --all',
  ],
  recorded: true,
  arguments: (command) =>
    command
      .argument('<app_id>')
      .argument('[names...]', 'configurations, as `providers list` shows them')
      .addOption(
        new RecordedOption('--all', 'remove the limit: the app may use all configurations'),
      ),
  run: async (
    { applications, appProviders, output },
    appId: string,
    names: string[],
    options: { all?: boolean },
  ) => {
    if (options.all === true && names.length > 0)
      throw new CommandFailure('Give names or --all, not both.');
    if (names.length > 0 || options.all === true) {
      const outcome = await appProviders.limit(appId, options.all === true ? null : names);
      if (outcome.kind === 'unknown')
        throw new CommandFailure(
          `There is no configuration ${outcome.names.join(', ')}; see \`providers list\`.`,
        );
    }
    if ((await applications.getApplication(appId)) === null)
      throw new CommandFailure(`There is no app ${appId}.`);
    const allowed = await appProviders.allowed(appId);
    output.value({ app_id: appId, providers: allowed }, () =>
      allowed === null
        ? `${appId} may use all configurations.`
        : `${appId} may use only, in this order: ${allowed.join(', ')}.`,
    );
  },
};
