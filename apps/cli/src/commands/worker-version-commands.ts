import type { Command } from 'commander';
import {
  rampVersion,
  readWorkerVersions,
  setCurrentVersion,
  type MoveOptions,
} from '../../../platform/src/temporal/worker-deployment.js';
import { CommandFailure } from '../command-failure.js';
import { wholeNumber } from '../option-parsers.js';
import { table, type OutputOptions } from '../output.js';
import type { Service } from '../service.js';

/** In place of a build id: the workers that run with WORKER_VERSIONING=off. */
const UNVERSIONED = 'unversioned';
/** Statuses of gRPC that say why a version cannot be moved to. */
const REFUSALS = [5, 9];

type WithService = (work: (service: Service) => Promise<void>) => Promise<void>;

/** Which builds of workers Temporal gives work to. */
export function addWorkerVersionCommands(program: Command, withService: WithService): void {
  const versions = temporalCommand(program)
    .command('versions')
    .description('builds of workers, where WORKER_VERSIONING is on');
  addList(versions, withService);
  addSetCurrent(versions, withService);
  addRamp(versions, withService);
}

/** Other commands about Temporal may have been added before. */
function temporalCommand(program: Command): Command {
  const name = 'temporal';
  const known = program.commands.find((command) => command.name() === name);
  return known ?? program.command(name).description('the Temporal namespace of the service');
}

function addList(versions: Command, withService: WithService): void {
  versions
    .command('list')
    .description('list the builds, newest first, and which of them gets new work')
    .option('--json', 'print one JSON object')
    .action((options: OutputOptions) =>
      withService(async ({ temporal, print }) => {
        const found = await readWorkerVersions(await temporal());
        if (found === null)
          throw new CommandFailure(
            'No worker has run with WORKER_VERSIONING=on in this namespace.',
          );
        print(found, options, () => {
          const { current, ramping } = found;
          const rows = found.versions.map(({ buildId, state, createdAt }) => ({
            build_id: buildId,
            state: state === 'ramping' ? `ramping ${ramping?.percentage} %` : state,
            first_seen: createdAt,
          }));
          return `New work goes to ${current ?? 'workers without versioning'}.\n\n${table(rows)}`;
        });
      }),
    );
}

function addSetCurrent(versions: Command, withService: WithService): void {
  versions
    .command('set-current')
    .description('give new work to a build; ends a ramp to it')
    .argument('<build-id>', `a build id of the list, or \`${UNVERSIONED}\``)
    .option('--ignore-missing-queues', MISSING_QUEUES)
    .action((buildId: string, options: MoveOptions) =>
      withService(async ({ temporal, print }) => {
        const client = await temporal();
        await refusing(() =>
          setCurrentVersion(client, buildId === UNVERSIONED ? null : buildId, options),
        );
        print({ current: buildId }, {}, () => `New work goes to ${buildId}.`);
      }),
    );
}

function addRamp(versions: Command, withService: WithService): void {
  versions
    .command('ramp')
    .description('give a share of new work to a build; 0 ends the ramp')
    .argument('<build-id>', 'a build id of the list')
    .argument('<percent>', 'from 0 to 100', wholeNumber)
    .option('--ignore-missing-queues', MISSING_QUEUES)
    .action((buildId: string, percent: number, options: MoveOptions) =>
      withService(async ({ temporal, print }) => {
        if (percent > 100) throw new CommandFailure('The share is from 0 to 100 percent.');
        const client = await temporal();
        await refusing(() => rampVersion(client, buildId, percent, options));
        print({ ramping: buildId, percent }, {}, () =>
          percent === 0 ? 'The ramp has ended.' : `${percent} % of new work goes to ${buildId}.`,
        );
      }),
    );
}

const MISSING_QUEUES =
  'even if the build has no worker on a queue of the current one, such as that of a removed configuration';

/** The server refuses unknown builds, and builds without workers on queues of the current one. */
async function refusing(move: () => Promise<void>): Promise<void> {
  try {
    await move();
  } catch (error) {
    const { code, details } = error as { code?: number; details?: string };
    if (code === undefined || !REFUSALS.includes(code)) throw error;
    throw new CommandFailure(`Temporal refused: ${details ?? 'no reason given'}`);
  }
}
