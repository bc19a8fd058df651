import type { OperatorCommand } from '../../operator-command.js';
import { table, type OutputOptions } from '../../output.js';
import { presentControl } from '../schedule-commands.js';

export const INSTITUTION_LIST: OperatorCommand = {
  name: 'institutions list',
  help: 'list all institutions with their providers and schedules',
  recorded: false,
  run: async ({ refreshControls, print }, options: OutputOptions) => {
    const shown = (await refreshControls.institutions()).map(
      ({ institutionId, name, environment, country, providers, control }) => ({
        institution_id: institutionId,
        name,
        environment,
        country,
        providers,
        ...presentControl(control),
      }),
    );
    print(shown, options, () => table(shown));
  },
};
