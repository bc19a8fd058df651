import type { Command } from 'commander';
import { ENVIRONMENTS, type Environment } from '../../../../domain/api/environment.js';
import { presentSimplefinToken } from '../../../../domain/simplefin/present-token.js';
import { setupTokenOf, simplefinServerAt } from '../../../../domain/simplefin/setup-token.js';
import {
  MAX_TOKENS_OF_USER,
  SimplefinTokenRepository,
  type TokenFilter,
} from '../../../../prisma/views/simplefin/simplefin-token.repository.js';
import { CommandFailure } from '../../../../clients/terminal/src/command-failure.js';
import { oneOf, wholeNumber } from '../../../../clients/terminal/src/option-values.js';
import { id, time } from '../option-parsers.js';
import { sheet, table } from '../../../../clients/terminal/src/table.js';
import type { CommandService, OperatorCommand } from '../operator-command.js';
import { RecordedOption } from '../recorded-option.js';

/** The user is an option, whose value the record of operators leaves out: apps use mail addresses as ids. */
type UserOptions = { user: string };

interface FilterOptions {
  user?: string;
  client?: string;
  after?: Date;
  before?: Date;
}

const MAX_NAME = 100;
const LISTED = 100;

const ofApp = (command: Command): Command =>
  command
    .argument('<app_id>')
    .argument(`<${ENVIRONMENTS.join('|')}>`, 'environment', oneOf(...ENVIRONMENTS));

const ofUser = (command: Command): Command =>
  ofApp(command).requiredOption('--user <id>', "the app's own id of the user");

const chosen = (command: Command): Command =>
  ofApp(command)
    .option('--user <id>', "only those of a user, by the app's own id", id)
    .addOption(
      new RecordedOption('--client <client_id>', 'only those that this key pair created').argParser(
        id,
      ),
    )
    .addOption(
      new RecordedOption('--after <time>', 'only those created at this time or later').argParser(
        time,
      ),
    )
    .addOption(
      new RecordedOption('--before <time>', 'only those created before this time').argParser(time),
    );

const filterOf = (
  appId: string,
  environment: Environment,
  { user, client, after, before }: FilterOptions,
): TokenFilter => ({ appId, environment, userId: user, clientId: client, after, before });

/** Tokens by which finance apps read the accounts of a user (docs/simplefin-server.md). */
export const SIMPLEFIN_TOKEN_COMMANDS: readonly OperatorCommand[] = [
  {
    name: 'users simplefin-tokens create',
    help: 'create a SimpleFIN setup token for a user; it is shown only once',
    examples: [
      'users simplefin-tokens create pocket-ledger live --user user-4711 --name "Actual Budget"',
    ],
    recorded: true,
    arguments: (command) =>
      ofUser(command).addOption(
        new RecordedOption('--name <name>', 'shown to the user, to tell tokens apart').default(
          'Finance app',
        ),
      ),
    run: async (
      service: CommandService,
      appId: string,
      environment: Environment,
      { user, name }: UserOptions & { name: string },
    ) => {
      await refuseUnknownApp(service, appId);
      if (name === '' || [...name].length > MAX_NAME)
        throw new CommandFailure(`--name must have 1 to ${MAX_NAME} characters.`);
      const tokens = new SimplefinTokenRepository(service.context);
      const created = await tokens.create({ appId, environment, clientId: null }, user, name);
      if (created.kind !== 'created')
        throw new CommandFailure(`The user has ${MAX_TOKENS_OF_USER} tokens. Revoke some of them.`);
      const setupToken = setupTokenOf(simplefinServerAt(service.settings.baseUrl), created.secret);
      const shown = {
        ...presentSimplefinToken(created.token, service.context.clock()),
        setup_token: setupToken,
      };
      service.output.value(
        shown,
        () =>
          `${sheet(shown)}\n\nPaste the setup token into the finance app within 24 hours. It works once.`,
      );
    },
  },
  {
    name: 'users simplefin-tokens list',
    help: 'list the SimpleFIN tokens of an app, oldest first, with their users and the key pairs that created them',
    examples: ['users simplefin-tokens list pocket-ledger live --user user-4711'],
    recorded: false,
    arguments: (command) =>
      chosen(command).option(
        '--limit <number>',
        `at most this many; ${LISTED} by default`,
        wholeNumber,
        LISTED,
      ),
    run: async (
      service: CommandService,
      appId: string,
      environment: Environment,
      options: FilterOptions & { limit: number },
    ) => {
      const { context, output } = service;
      await refuseUnknownApp(service, appId);
      const now = context.clock();
      const tokens = new SimplefinTokenRepository(context);
      const found = await tokens.find(filterOf(appId, environment, options), options.limit);
      const rows = found.map((token) => ({
        ...presentSimplefinToken(token, now),
        user: token.userId,
        created_by: token.clientId ?? 'operator',
      }));
      output.value(rows, () => table(rows));
    },
  },
  {
    name: 'users simplefin-tokens revoke',
    help: 'revoke a SimpleFIN token and the access it was claimed for, immediately',
    examples: ['users simplefin-tokens revoke TOKEN_ID'],
    recorded: true,
    arguments: (command) => command.argument('<token_id>'),
    run: async ({ context, output }: CommandService, tokenId: string) => {
      if (!(await new SimplefinTokenRepository(context).revokeById(tokenId)))
        throw new CommandFailure(`There is no SimpleFIN token ${tokenId}.`);
      output.value({ token_id: tokenId, revoked: true }, () => `${tokenId} is revoked.`);
    },
  },
  {
    name: 'users simplefin-tokens revoke-all',
    help: 'revoke the SimpleFIN tokens of an app that the options choose, and their access, immediately',
    examples: [
      'users simplefin-tokens revoke-all pocket-ledger live --client CLIENT_ID --after 2027-01-31',
    ],
    recorded: true,
    arguments: chosen,
    run: async (
      service: CommandService,
      appId: string,
      environment: Environment,
      options: FilterOptions,
    ) => {
      await refuseUnknownApp(service, appId);
      const tokens = new SimplefinTokenRepository(service.context);
      const revoked = await tokens.revokeAll(filterOf(appId, environment, options));
      service.output.value({ revoked }, () => `${revoked} tokens are revoked.`);
    },
  },
];

async function refuseUnknownApp({ applications }: CommandService, appId: string): Promise<void> {
  if ((await applications.getApplication(appId)) === null)
    throw new CommandFailure(`There is no app ${appId}.`);
}
