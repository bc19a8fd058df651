import { Tributary } from '@tributary/node';
import type { CliCommand } from '../cli-command.js';
import { CommandFailure } from '../../../terminal/src/command-failure.js';
import { table } from '../../../terminal/src/table.js';
import { readBytes } from '../read-input.js';

interface VerifyOptions {
  signature: string;
  receivedAt?: string;
  headerPrefix: string;
}

export const VERIFICATION_COMMANDS: readonly CliCommand[] = [
  {
    name: 'keys',
    help: 'show the public keys that verify webhooks, the current one first',
    examples: ['keys'],
    run: async ({ client, output }) => {
      const { keys } = await (await client()).webhooks.listKeys();
      output.value({ keys }, () =>
        table(
          keys.map(({ kid, alg, kty, crv }, at) => ({
            kid,
            alg,
            type: `${kty} ${crv}`,
            signs: at === 0 ? 'now' : 'earlier or later',
          })),
        ),
      );
    },
  },
  {
    name: 'webhook verify',
    help: 'check the signature of a webhook, and explain what is wrong',
    examples: ['webhook verify body.json --signature JWT'],
    arguments: (command) =>
      command
        .argument('<body>', 'file with the raw bytes of the body, or - for standard input')
        .requiredOption('--signature <jwt>', 'value of the header service-signature')
        .option('--received-at <timestamp>', 'when it arrived; now by default')
        .option('--header-prefix <word>', 'first word of the header names', 'service'),
    run: async ({ keyPair, output, stdin }, file: string, options: VerifyOptions) => {
      const { signature, receivedAt, headerPrefix } = options;
      const arrival = receivedAt === undefined ? new Date() : new Date(receivedAt);
      if (Number.isNaN(arrival.getTime()))
        throw new CommandFailure(
          'The time of --received-at is not a timestamp.',
          'Write it as 2026-03-02T10:15:00Z.',
        );
      const body = await readBytes(file, stdin);
      const client = new Tributary({ ...(await keyPair()), headerPrefix });
      const event = await client.webhooks.verify(
        body,
        { [`${headerPrefix}-signature`]: signature },
        { receivedAt: arrival },
      );
      output.value(event, () => `The signature is valid: ${event.webhook_event}.`);
    },
  },
];
