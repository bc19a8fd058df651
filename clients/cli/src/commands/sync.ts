import type { SyncStore } from '@tributary/node';
import type { CliCommand } from '../cli-command.js';
import { sheet } from '../../../terminal/src/table.js';
import { openFileStore } from '../file-store.js';

/** Keeps a copy of the transactions of a link in a file. */
export const SYNC: CliCommand = {
  name: 'sync',
  help: 'bring a copy of the transactions of a link in a JSON file up to date',
  examples: ['sync LINK_ID transactions.json'],
  arguments: (command) => command.argument('<link_id>').argument('<file>', 'created if missing'),
  run: async ({ client, output, stop }, linkId: string, file: string) => {
    const { transactions } = await client();
    const store = await openFileStore(file, linkId);
    const summary = await transactions.syncInto(linkId, store satisfies SyncStore, {
      signal: stop,
    });
    const shown = { link_id: linkId, ...summary, transactions: store.count(), file };
    output.value(shown, () => sheet(shown));
  },
};
