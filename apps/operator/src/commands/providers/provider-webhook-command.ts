import { CommandFailure } from '../../../../../clients/terminal/src/command-failure.js';
import type { OperatorCommand } from '../../operator-command.js';
import { settingsOf } from './adapter-settings.js';
import { findConfiguration, refuseUnknown } from '../../operations/providers/find-configuration.js';

export const PROVIDER_WEBHOOK: OperatorCommand = {
  name: 'providers webhook',
  help: 'create the address, below BASE_URL, for webhooks of the source; the previous one stops working',
  examples: ['providers webhook first-bank'],
  recorded: true,
  arguments: (command) => command.argument('<name>'),
  run: async (service, name: string) => {
    const { adapter } = await findConfiguration(service, name);
    if (settingsOf(service.shell, adapter).readsWebhooks !== true)
      throw new CommandFailure(
        `The adapter ${adapter} reads no webhooks: its source sends none, or none that it understands. Links of ${name} are refreshed on a schedule.`,
      );
    const key = (await service.makeWebhookKey(name)) ?? refuseUnknown(name);
    const address = `${service.settings.baseUrl}/provider-webhooks/${name}/${key}`;
    service.output.value({ name, address }, () =>
      [
        address,
        'Enter it at the source as the address for webhooks, and keep it secret: anyone who has it can cause requests to the source.',
        `It is shown only now. An earlier address of ${name} no longer works.`,
      ].join('\n'),
    );
  },
};
