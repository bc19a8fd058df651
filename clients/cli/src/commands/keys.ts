import type { CliCommand } from '../cli-command.js';
import { table } from '../../../terminal/src/table.js';

export const KEYS: CliCommand = {
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
};
