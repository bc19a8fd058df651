import type { CliCommand, CommandContext } from '../cli-command.js';
import { CommandFailure } from '../../../terminal/src/command-failure.js';
import { EXIT } from '../exit-codes.js';
import { sheet, table } from '../../../terminal/src/table.js';

export const PROFILE_COMMANDS: readonly CliCommand[] = [
  {
    name: 'profiles list',
    help: 'list the stored profiles, without their secrets',
    examples: ['profiles list'],
    run: async ({ profiles, output }) => {
      const { current, byName } = await profiles.read();
      const rows = Object.entries(byName).map(
        ([name, { baseUrl, clientId, appId, environment }]) => ({
          profile: name,
          current: name === current,
          base_url: baseUrl,
          client_id: clientId,
          app_id: appId,
          environment,
        }),
      );
      if (!output.isJson) output.value(null, () => table(rows.map(marked)));
      else for (const row of rows) output.row(row, () => '');
    },
  },
  {
    name: 'profiles use',
    help: 'make a profile the current one',
    examples: ['profiles use live'],
    arguments: (command) => command.argument('<name>'),
    run: async ({ profiles, output }, name: string) => {
      const { byName } = await profiles.read();
      requireKnown(byName, name);
      await profiles.write({ current: name, byName });
      output.value({ profile: name }, () => `Commands use the profile ${name} from now on.`);
    },
  },
  {
    name: 'logout',
    help: 'remove a profile with its key pair; the current one unless --profile names another',
    examples: ['logout --profile live'],
    run: async ({ profiles, profileName, output }: CommandContext) => {
      const { current, byName } = await profiles.read();
      const name = profileName ?? current;
      if (name === null)
        throw new CommandFailure(
          'There is no profile to remove.',
          'You are already logged out.',
          EXIT.refused,
        );
      requireKnown(byName, name);
      const { [name]: _, ...others } = byName;
      await profiles.write({ current: current === name ? null : current, byName: others });
      output.value({ profile: name }, () => `Removed the profile ${name}.`);
    },
  },
  {
    name: 'whoami',
    help: 'show the app, environment and scopes of the key pair',
    examples: ['whoami'],
    run: async (context) => {
      const { profile, baseUrl } = await context.keyPair();
      const { app, client_id, environment, scope } = await (
        await context.client()
      ).tokens.introspect();
      const shown = {
        app: app.name,
        app_id: app.app_id,
        environment,
        base_url: baseUrl,
        client_id,
        scopes: scope.split(' '),
        profile,
      };
      context.output.value(shown, () =>
        sheet({ ...shown, profile: profile ?? 'none: from the environment' }),
      );
    },
  },
];

function requireKnown(byName: object, name: string): void {
  if (!Object.hasOwn(byName, name))
    throw new CommandFailure(
      `There is no profile ${JSON.stringify(name)}.`,
      'List the profiles with `tributary profiles list`.',
    );
}

function marked({ current, ...row }: { current: boolean } & Record<string, unknown>) {
  return { current: current ? '*' : ' ', ...row };
}
