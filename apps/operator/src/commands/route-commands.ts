import { CommandFailure } from '../../../../clients/terminal/src/command-failure.js';
import { table } from '../../../../clients/terminal/src/table.js';
import { reasonSentence } from '../route-reasons.js';
import { explainRoutes } from '../operations/routes/explain-routes.js';
import type { OperatorCommand } from '../operator-command.js';
import { RecordedOption } from '../recorded-option.js';

/** The provider that a login uses, and the reason. */
export const ROUTE_COMMANDS: readonly OperatorCommand[] = [
  {
    name: 'routes explain',
    help: 'show the route that a new login would use now, and the reasons against the others',
    examples: ['routes explain INSTITUTION_ID'],
    recorded: false,
    arguments: (command) => command.argument('<institution_id>'),
    run: async (service, institutionId: string) => {
      const shown = await explainRoutes(service, institutionId);
      service.output.value(shown, () =>
        table(
          shown.map(({ reason, ...route }) => ({
            ...route,
            why: reasonSentence({ verdict: route.verdict, reason }),
          })),
        ),
      );
    },
  },
  {
    name: 'routes prefer',
    help: 'prefer one route of an institution over the others',
    examples: [
      'routes prefer INSTITUTION_ID enable-banking',
      'routes prefer INSTITUTION_ID enable-banking --off',
    ],
    recorded: true,
    arguments: (command) =>
      command
        .argument('<institution_id>')
        .argument('<configuration>')
        .addOption(new RecordedOption('--off', 'remove the preference')),
    run: async (
      { routes: operator, output },
      institutionId: string,
      provider: string,
      options: { off?: boolean },
    ) => {
      const { off = false } = options;
      if (!(await operator.prefer(institutionId, provider, !off)))
        throw new CommandFailure(`${provider} has no route to ${institutionId}.`);
      output.value({ institution_id: institutionId, provider, preferred: !off }, () =>
        off
          ? `${provider} is no longer preferred at ${institutionId}.`
          : `${provider} is preferred at ${institutionId}.`,
      );
    },
  },
];
