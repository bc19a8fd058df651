import type { CliCommand } from '../cli-command.js';
import { sheet } from '../../../terminal/src/table.js';

export const WHOAMI: CliCommand = {
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
};
