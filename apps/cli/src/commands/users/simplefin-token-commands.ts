import type { Command } from 'commander';
import { ENVIRONMENTS, type Environment } from '../../../../../domain/api/environment.js';
import { presentSimplefinToken } from '../../../../../domain/simplefin/present-token.js';
import { setupTokenOf, simplefinServerAt } from '../../../../../domain/simplefin/setup-token.js';
import {
  MAX_TOKENS_OF_USER,
  SimplefinTokenRepository,
} from '../../../../../prisma/simplefin/simplefin-token.repository.js';
import { CommandFailure } from '../../command-failure.js';
import { oneOf } from '../../option-parsers.js';
import { sheet, table, type OutputOptions } from '../../output.js';
import type { CommandService, OperatorCommand } from '../../operator-command.js';

/** The user is an option, whose value the record of operators leaves out: apps use mail addresses as ids. */
type UserOptions = OutputOptions & { user: string };

const MAX_NAME = 100;

const ofUser = (command: Command): Command =>
  command
    .argument('<app_id>')
    .argument(`<${ENVIRONMENTS.join('|')}>`, 'environment', oneOf(...ENVIRONMENTS))
    .requiredOption('--user <id>', "the app's own id of the user");

/** Tokens by which finance apps read the accounts of a user (docs/simplefin-server.md). */
export const SIMPLEFIN_TOKEN_COMMANDS: readonly OperatorCommand[] = [
  {
    name: 'users simplefin-tokens create',
    help: 'create a SimpleFIN setup token for a user; it is shown only once',
    recorded: true,
    arguments: (command) =>
      ofUser(command).option(
        '--name <name>',
        'shown to the user, to tell tokens apart',
        'Finance app',
      ),
    run: async (
      service: CommandService,
      appId: string,
      environment: Environment,
      { user, name, ...options }: UserOptions & { name: string },
    ) => {
      await refuseUnknownApp(service, appId);
      if (name === '' || [...name].length > MAX_NAME)
        throw new CommandFailure(`--name must have 1 to ${MAX_NAME} characters.`);
      const tokens = new SimplefinTokenRepository(service.context);
      const created = await tokens.create({ appId, environment }, user, name);
      if (created === null)
        throw new CommandFailure(`The user has ${MAX_TOKENS_OF_USER} tokens. Revoke some of them.`);
      const setupToken = setupTokenOf(simplefinServerAt(service.settings.baseUrl), created.secret);
      const shown = {
        ...presentSimplefinToken(created.token, service.context.clock()),
        setup_token: setupToken,
      };
      service.print(
        shown,
        options,
        () =>
          `${sheet(shown)}\n\nPaste the setup token into the finance app within 24 hours. It works once.`,
      );
    },
  },
  {
    name: 'users simplefin-tokens list',
    help: 'list the SimpleFIN tokens of a user, oldest first',
    recorded: false,
    arguments: ofUser,
    run: async (
      { context, print }: CommandService,
      appId: string,
      environment: Environment,
      { user, ...options }: UserOptions,
    ) => {
      const now = context.clock();
      const rows = (
        await new SimplefinTokenRepository(context).list({ appId, environment }, user)
      ).map((token) => presentSimplefinToken(token, now));
      print(rows, options, () => table(rows));
    },
  },
  {
    name: 'users simplefin-tokens revoke',
    help: 'revoke a SimpleFIN token and the access it was claimed for, immediately',
    recorded: true,
    arguments: (command) => command.argument('<token_id>'),
    run: async ({ context, print }: CommandService, tokenId: string, options: OutputOptions) => {
      if (!(await new SimplefinTokenRepository(context).revokeById(tokenId)))
        throw new CommandFailure(`There is no SimpleFIN token ${tokenId}.`);
      print({ token_id: tokenId, revoked: true }, options, () => `${tokenId} is revoked.`);
    },
  },
];

async function refuseUnknownApp({ applications }: CommandService, appId: string): Promise<void> {
  if ((await applications.getApplication(appId)) === null)
    throw new CommandFailure(`There is no app ${appId}.`);
}
