import type { Command } from 'commander';
import { CommandFailure } from '../command-failure.js';
import { print, type OutputOptions } from '../output.js';
import type { Service } from '../service.js';

export function addClientCommands(program: Command, withService: (work: (service: Service) => Promise<void>) => Promise<void>): void {
  const client = program.command('client').description('key pairs of the apps');

  const add = (verb: 'disable' | 'enable', description: string) => {
    client.command(verb)
      .description(description)
      .argument('<client_id>')
      .option('--json', 'print one JSON object')
      .action((clientId: string, options: OutputOptions) => withService(async ({ applications }) => {
        const changed = await applications.setDisabled(clientId, verb === 'disable');
        if (changed === null) throw new CommandFailure(`There is no client ${clientId}.`);
        print({ client_id: changed.clientId, disabled_at: changed.disabledAt?.toISOString() ?? null }, options, () =>
          (changed.disabledAt === null ? `${clientId} is enabled.` : `${clientId} is disabled since ${changed.disabledAt.toISOString()}.`));
      }));
  };
  add('disable', 'end all tokens of a key pair at once');
  add('enable', 'let a disabled key pair work again');
}
