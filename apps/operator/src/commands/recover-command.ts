import { readFile } from 'node:fs/promises';
import { ID_ALPHABET, ID_PREFIXES } from '../../../../domain/api/ids.js';
import { SessionLocks } from '../../../../prisma/base/database/session-locks.js';
import {
  adoptDatabase,
  findDifferences,
  recover,
  type Recovered,
} from '../../../../prisma/operations/recovery/recover.js';
import { CommandFailure } from '../../../../clients/terminal/src/command-failure.js';
import type { CommandService, OperatorCommand } from '../operator-command.js';
import { RecordedOption } from '../recorded-option.js';

interface RecoverOptions {
  deleted?: string;
  nothingLost?: boolean;
  restored?: boolean;
}

/** "recover" in ASCII: only one of these commands runs at a time. */
const LOCK = 0x7265_636f_7665_72n;
const LINK_ID = new RegExp(`^${ID_PREFIXES.link}[${ID_ALPHABET}]{22}$`);
const SHOWN_LINES = 20;

export const RECOVER: OperatorCommand = {
  name: 'recover',
  help: 'make a restored database usable; until then, nothing writes to it. Run it again if it was interrupted',
  examples: ['recover --deleted deleted.txt', 'recover --nothing-lost'],
  recorded: true,
  service: { anyIdentity: true },
  arguments: (command) =>
    command
      .addOption(
        new RecordedOption(
          '--deleted <file>',
          'file with the ids of links that were deleted after the backup, one per line; they are deleted again',
        ),
      )
      .addOption(
        new RecordedOption(
          '--nothing-lost',
          'only accept the database, after a failover that lost no commit',
        ),
      )
      .addOption(
        new RecordedOption(
          '--restored',
          'treat the database as restored even if it does not show it, for example after a disk was reset to an earlier state',
        ),
      ),
  async check(options: RecoverOptions) {
    refuseContradiction(options);
    await readLinkIds(options.deleted);
  },
  run: async (service, options: RecoverOptions) =>
    run(service, options, await readLinkIds(options.deleted)),
};

async function run(
  { context, database, output }: CommandService,
  options: RecoverOptions,
  deletedLinkIds: readonly string[],
): Promise<void> {
  const locks = new SessionLocks(database.hot);
  try {
    if ((await locks.tryLock(LOCK)) === null)
      throw new CommandFailure('Another run of recover works on this database.');
    const differences = await findDifferences(context);
    if (differences.length === 0 && options.restored !== true)
      return output.value({ recovered: false }, () => NOTHING_TO_RECOVER);
    if (options.nothingLost === true) {
      await adoptDatabase(context);
      return output.value({ recovered: true, differences }, () => ADOPTED);
    }
    const recovered = await recover(context, { deletedLinkIds }).catch(explainDenied);
    output.value({ recovered: true, differences, ...present(recovered) }, () =>
      describe(recovered),
    );
  } finally {
    locks.close();
  }
}

/** Renumbering is the first change, and needs more rights than a process has. */
function explainDenied(error: unknown): never {
  if (error instanceof Error && 'code' in error && error.code === '42501')
    throw new CommandFailure(
      `The role of DATABASE_URL may not do this (${error.message}): run recover with the role that owns the tables. Nothing was changed.`,
    );
  throw error;
}

const NOTHING_TO_RECOVER =
  'There is nothing to recover: this is the database that the service wrote to.';
const ADOPTED =
  'The service writes to this database from now on. Nothing else was changed; the processes are ready within ten seconds.';

function refuseContradiction({ nothingLost, restored, deleted }: RecoverOptions): void {
  if (nothingLost === true && (restored === true || deleted !== undefined))
    throw new CommandFailure(
      '--nothing-lost declares that no commit was lost, so it cannot be combined with --restored or --deleted.',
    );
}

/** @throws CommandFailure naming every line that is not a link id */
async function readLinkIds(file: string | undefined): Promise<readonly string[]> {
  if (file === undefined) return [];
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new CommandFailure(`The file ${file} cannot be read: ${error.code ?? error.message}.`);
  });
  const lines = text
    .split('\n')
    .map((line, index) => ({ id: line.trim(), number: index + 1 }))
    .filter(({ id }) => id !== '');
  const bad = lines.filter(({ id }) => !LINK_ID.test(id)).map(({ number }) => number);
  if (bad.length > 0)
    throw new CommandFailure(
      `${file} must have one link id (mk_…) a line. Nothing was changed; these lines have none: ${bad.slice(0, SHOWN_LINES).join(', ')}${bad.length > SHOWN_LINES ? ' …' : ''}.`,
    );
  return [...new Set(lines.map(({ id }) => id))];
}

function present({ newest, pendingDeliveries, links, deletions, requested }: Recovered) {
  return {
    newest_row: newest?.toISOString() ?? null,
    links,
    deleted: deletions.deleted,
    already_deleted: deletions.alreadyDeleted,
    unknown: deletions.unknown,
    requested_again: requested,
    webhooks_perhaps_sent_twice: pendingDeliveries,
  };
}

function describe({ newest, pendingDeliveries, links, deletions, requested }: Recovered): string {
  const { deleted, alreadyDeleted, unknown } = deletions;
  const again = Object.entries(requested).map(
    ([kind, count]) => `${count} ${kind.replaceAll('_', ' ')}`,
  );
  return [
    newest === null
      ? 'The backup has no rows that show its age.'
      : `The newest row of the backup is of ${newest.toISOString()}: repeat the commands that you gave since.`,
    `${links} links: cursors issued after the backup are refused, and their apps walk again from the start.`,
    `${deleted} links deleted again; ${alreadyDeleted} were deleted in the backup already; ${unknown.length} are not in the backup${unknown.length === 0 ? '' : `: ${unknown.slice(0, SHOWN_LINES).join(', ')}${unknown.length > SHOWN_LINES ? ' …' : ''}`}.`,
    `Requested again: ${again.join(', ')}.`,
    `${pendingDeliveries} webhooks are waiting to be delivered; those of them that were delivered after the backup arrive a second time.`,
    'The service writes to this database from now on; the processes are ready within ten seconds.',
  ].join('\n');
}
