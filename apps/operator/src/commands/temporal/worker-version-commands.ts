import {
  rampVersion,
  readWorkerVersions,
  setCurrentVersion,
  type MoveOptions,
} from '../../../../platform/src/temporal/worker-deployment.js';
import { CommandFailure } from '../../../../../clients/terminal/src/command-failure.js';
import { wholeNumber } from '../../../../../clients/terminal/src/option-values.js';
import { table } from '../../../../../clients/terminal/src/table.js';
import type { OperatorCommand } from '../../operator-command.js';

/** Used instead of a build id: the workers that run with WORKER_VERSIONING=off. */
const UNVERSIONED = 'unversioned';
/** gRPC statuses for a version that cannot become the current one. */
const REFUSALS = [5, 9];

const MISSING_QUEUES =
  'even if the build has no worker on a queue of the current one, such as that of a removed configuration';

/** The worker builds that get work from Temporal. */
export const WORKER_VERSION_COMMANDS: readonly OperatorCommand[] = [
  {
    name: 'temporal versions list',
    help: 'list the builds, newest first, and which of them gets new work',
    examples: ['temporal versions list'],
    recorded: false,
    run: async ({ temporal, output }) => {
      const found = await readWorkerVersions(await temporal());
      if (found === null)
        throw new CommandFailure('No worker has run with WORKER_VERSIONING=on in this namespace.');
      output.value(found, () => {
        const { current, ramping } = found;
        const rows = found.versions.map(({ buildId, state, createdAt }) => ({
          build_id: buildId,
          state: state === 'ramping' ? `ramping ${ramping?.percentage} %` : state,
          first_seen: createdAt,
        }));
        return `New work goes to ${current ?? 'workers without versioning'}.\n\n${table(rows)}`;
      });
    },
  },
  {
    name: 'temporal versions set-current',
    help: 'send new work to a build; this ends a ramp to it',
    examples: ['temporal versions set-current 0.2.0-6b5a4c3d2e1f'],
    recorded: true,
    arguments: (command) =>
      command
        .argument('<build-id>', `a build id of the list, or \`${UNVERSIONED}\``)
        .option('--ignore-missing-queues', MISSING_QUEUES),
    run: async ({ temporal, output }, buildId: string, options: MoveOptions) => {
      const client = await temporal();
      await refusing(() =>
        setCurrentVersion(client, buildId === UNVERSIONED ? null : buildId, options),
      );
      output.value({ current: buildId }, () => `New work goes to ${buildId}.`);
    },
  },
  {
    name: 'temporal versions ramp',
    help: 'send a share of new work to a build; 0 ends the ramp',
    examples: ['temporal versions ramp 0.2.0-6b5a4c3d2e1f 10'],
    recorded: true,
    arguments: (command) =>
      command
        .argument('<build-id>', 'a build id of the list')
        .argument('<percent>', 'from 0 to 100', wholeNumber)
        .option('--ignore-missing-queues', MISSING_QUEUES),
    run: async ({ temporal, output }, buildId: string, percent: number, options: MoveOptions) => {
      if (percent > 100) throw new CommandFailure('The share is from 0 to 100 percent.');
      const client = await temporal();
      await refusing(() => rampVersion(client, buildId, percent, options));
      output.value({ ramping: buildId, percent }, () =>
        percent === 0 ? 'The ramp has ended.' : `${percent} % of new work goes to ${buildId}.`,
      );
    },
  },
];

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
