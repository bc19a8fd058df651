import type { Command } from 'commander';
import { hashClientSecret } from '../../../../prisma/applications/client-secret.js';
import { makeClientSecret } from '../../../../prisma/applications/key-pair.js';
import { CommandFailure } from '../command-failure.js';
import { oneOf, wholeNumber } from '../option-parsers.js';
import { sheet, type OutputOptions } from '../output.js';
import type { Service } from '../service.js';

export function addClientCommands(
  program: Command,
  withService: (work: (service: Service) => Promise<void>) => Promise<void>,
): void {
  const client = program.command('client').description('key pairs of the apps');

  const add = (verb: 'disable' | 'enable', description: string) => {
    client
      .command(verb)
      .description(description)
      .argument('<client_id>')
      .option('--json', 'print one JSON object')
      .action((clientId: string, options: OutputOptions) =>
        withService(async ({ applications, print }) => {
          const changed = await applications.setDisabled(clientId, verb === 'disable');
          if (changed === null) throw new CommandFailure(`There is no client ${clientId}.`);
          print(
            { client_id: changed.clientId, disabled_at: changed.disabledAt?.toISOString() ?? null },
            options,
            () =>
              changed.disabledAt === null
                ? `${clientId} is enabled.`
                : `${clientId} is disabled since ${changed.disabledAt.toISOString()}.`,
          );
        }),
      );
  };
  add('disable', 'disable a key pair and end all its tokens immediately');
  add('enable', 'enable a disabled key pair');

  client
    .command('limit')
    .description(
      'set the maximum number of Live links of a key pair; a lower limit deletes no links',
    )
    .argument('<client_id>')
    .argument('<number>', 'links', wholeNumber)
    .option('--json', 'print one JSON object')
    .action((clientId: string, limit: number, options: OutputOptions) =>
      withService(async ({ applications, print }) => {
        const changed = await applications.setLiveLimit(clientId, limit);
        if (changed === null) throw new CommandFailure(`There is no client ${clientId}.`);
        print(
          { client_id: changed.clientId, live_limit: changed.liveLimit },
          options,
          () => `${clientId} may have ${changed.liveLimit} Live links.`,
        );
      }),
    );

  client
    .command('unoffered')
    .description(
      'set whether products that only Plaid offers are ignored or rejected when a Sandbox key pair requests them with others',
    )
    .argument('<client_id>')
    .argument('<ignored|rejected>', 'how to handle them', oneOf('ignored', 'rejected'))
    .option('--json', 'print one JSON object')
    .action((clientId: string, fate: 'ignored' | 'rejected', options: OutputOptions) =>
      withService(async ({ applications, print }) => {
        const changed = await applications.setIgnoresUnoffered(clientId, fate === 'ignored');
        if (changed === null) throw new CommandFailure(`There is no client ${clientId}.`);
        // plaid-compat 3.2: Live never ignores unoffered products.
        if (changed.environment === 'live')
          throw new CommandFailure('Live key pairs always reject them.');
        print(
          { client_id: clientId, ignores_unoffered_products: changed.ignoresUnofferedProducts },
          options,
          () => `Products that only Plaid offers are ${fate} for ${clientId}.`,
        );
      }),
    );

  client
    .command('rotate')
    .description('give a key pair a new secret, shown only once; the previous one stops working')
    .argument('<client_id>')
    .option('--json', 'print one JSON object')
    .action((clientId: string, options: OutputOptions) =>
      withService(async ({ applications, print }) => {
        const clientSecret = makeClientSecret();
        if (!(await applications.setSecretHash(clientId, hashClientSecret(clientSecret))))
          throw new CommandFailure(`There is no client ${clientId}.`);
        print(
          { client_id: clientId, client_secret: clientSecret },
          options,
          () =>
            `${sheet({ 'client id': clientId, 'client secret': clientSecret })}\n\nKeep the secret: it is stored only as a hash. Tokens that were issued for the previous secret work until they expire.`,
        );
      }),
    );
}
