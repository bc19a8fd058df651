import type { OperatorCommand } from '../../operator-command.js';
import { table } from '../../../../../clients/terminal/src/table.js';
import { presentControl } from '../schedule-commands.js';

export const INSTITUTION_LIST: OperatorCommand = {
  name: 'institutions list',
  help: 'list all institutions with their providers and schedules',
  examples: ['institutions list'],
  recorded: false,
  run: async ({ refreshControls, output }) => {
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
    output.value(shown, () => table(shown));
  },
};
