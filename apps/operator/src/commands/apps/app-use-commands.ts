import { ENVIRONMENTS, type Environment } from '../../../../../domain/api/environment.js';
import { BOUND_NAMES, type BoundName } from '../../../../../domain/limits/app-bounds.js';
import { countApp, MAX_COUNTED } from '../../../../../prisma/operations/standing/app-counts.js';
import { CommandFailure } from '../../../../../clients/terminal/src/command-failure.js';
import { oneOf } from '../../../../../clients/terminal/src/option-values.js';
import { boundedCount } from '../../bounded-count.js';
import { boundOrDefault } from '../../option-parsers.js';
import { sheet, table } from '../../../../../clients/terminal/src/table.js';
import type { OperatorCommand } from '../../operator-command.js';
import { presentBound } from '../../operations/apps/present-bound.js';

/** The stored rows and the limits of an app. */
export const APP_USE_COMMANDS: readonly OperatorCommand[] = [
  {
    name: 'apps show',
    help: 'show an app, with its stored rows and current use of each bound',
    examples: ['apps show pocket-ledger'],
    recorded: false,
    arguments: (command) => command.argument('<app_id>'),
    run: async ({ applications, appUse, output }, appId: string) => {
      const found = await applications.getApplication(appId);
      if (found === null) throw new CommandFailure(`There is no app ${appId}.`);
      const facts = {
        app_id: appId,
        name: found.name,
        created_at: found.createdAt.toISOString(),
      };
      const uses = (await appUse.ofApp(appId)).map(presentBound);
      output.value({ ...facts, bounds: uses }, () => `${sheet(facts)}\n\n${table(uses)}`);
    },
  },
  {
    name: 'apps counts',
    help: 'count what needs attention: links in error, events that are not delivered, sessions that are open',
    examples: ['apps counts pocket-ledger live'],
    recorded: false,
    arguments: (command) =>
      command
        .argument('<app_id>')
        .argument(`<${ENVIRONMENTS.join('|')}>`, 'environment', oneOf(...ENVIRONMENTS)),
    run: async ({ applications, database, output }, appId: string, environment: Environment) => {
      if ((await applications.getApplication(appId)) === null)
        throw new CommandFailure(`There is no app ${appId}.`);
      const counts = await countApp(database, { appId, environment });
      const rows = Object.entries({
        'links in error': counts.linksInError,
        events: counts.events,
        sessions: counts.sessions,
      }).flatMap(([of, byName]) =>
        Object.entries(byName).map(([name, count]) => ({
          of,
          name,
          count: boundedCount(count, MAX_COUNTED),
        })),
      );
      output.value(rows, () => table(rows));
    },
  },
  {
    name: 'apps limit',
    help: 'set a bound for one app in one environment; a lower bound deletes nothing',
    examples: [
      'apps limit pocket-ledger live links 5000',
      'apps limit pocket-ledger live links default',
    ],
    recorded: true,
    arguments: (command) =>
      command
        .argument('<app_id>')
        .argument(`<${ENVIRONMENTS.join('|')}>`, 'environment', oneOf(...ENVIRONMENTS))
        .argument('<bound>', `one of ${BOUND_NAMES.join(', ')}`, oneOf(...BOUND_NAMES))
        .argument('<number|default>', 'the maximum, or `default` for the setting', boundOrDefault),
    run: async (
      { applications, appUse, output },
      appId: string,
      environment: Environment,
      bound: BoundName,
      max: number | 'default',
    ) => {
      if ((await applications.getApplication(appId)) === null)
        throw new CommandFailure(`There is no app ${appId}.`);
      await appUse.setLimit({ appId, environment }, bound, max === 'default' ? null : max);
      const use = (await appUse.ofApp(appId)).find(
        (row) => row.bound === bound && row.environment === environment,
      );
      if (use === undefined) throw new CommandFailure(`${appId} has no ${environment} key pair.`);
      const shown = { app_id: appId, ...presentBound(use) };
      output.value(shown, () => sheet(shown));
    },
  },
];
