import { setTimeout as pause } from 'node:timers/promises';
import { InvalidArgumentError, Option } from 'commander';
import { SEARCH_ATTRIBUTE_TYPES } from '../../../../../workflows/search-attribute-types.contract.js';
import {
  attributeFaults,
  isSound,
  namespaceExists,
  typeNameOf,
} from '../../../../platform/src/temporal/namespace-state.js';
import {
  setUpNamespace,
  SetUpRefused,
} from '../../../../platform/src/temporal/set-up-namespace.js';
import type { TemporalClient } from '../../../../platform/src/temporal/temporal-client.js';
import { CommandFailure } from '../../../../../clients/terminal/src/command-failure.js';
import { duration } from '../../option-parsers.js';
import type { CommandService, OperatorCommand } from '../../operator-command.js';
import { WORKER_VERSION_COMMANDS } from './worker-version-commands.js';
import { RecordedOption } from '../../recorded-option.js';

interface SetUpOptions {
  check?: boolean;
  /** Milliseconds. */
  retention: number;
  wait: number;
}

const DAY_MS = 86_400_000;
const LOOK_EVERY_MS = 1_000;
const PROGRESS_EVERY_MS = 10_000;

export const TEMPORAL_COMMANDS: readonly OperatorCommand[] = [
  {
    name: 'temporal setup',
    help: 'create the namespace in TEMPORAL_NAMESPACE and the search attributes of the workflows if they are missing',
    examples: ['temporal setup', 'temporal setup --check'],
    recorded: true,
    arguments: (command) =>
      command
        .addOption(
          new RecordedOption('--check', 'change nothing; exit with 1 and report what is missing'),
        )
        .addOption(
          new Option(
            '--retention <duration>',
            'how long a new namespace keeps closed workflows, at least 1d',
          )
            .argParser(retention)
            .default(3 * DAY_MS, '3d'),
        )
        .addOption(
          new Option('--wait <duration>', 'how long to wait for a server that is starting')
            .argParser(duration)
            .default(120_000, '2m'),
        ),
    run: (service, options: SetUpOptions) =>
      (options.check === true ? check : setUp)(service, options),
  },
  ...WORKER_VERSION_COMMANDS,
];

async function setUp(service: CommandService, options: SetUpOptions): Promise<void> {
  const { temporalNamespace: namespace } = service.settings;
  const { connection } = await available(service, options);
  const attributes = SEARCH_ATTRIBUTE_TYPES;
  const { isMade, added } = await setUpNamespace(connection, {
    namespace,
    attributes,
    retentionMs: options.retention,
  }).catch((error: unknown) => {
    throw error instanceof SetUpRefused ? new CommandFailure(error.message) : error;
  });
  service.output.value({ namespace, made: isMade, added }, () =>
    [
      isMade
        ? `Made the namespace "${namespace}", which keeps closed workflows for ${options.retention / DAY_MS} days.`
        : `The namespace "${namespace}" is there.`,
      added.length > 0
        ? `Added search attributes: ${added.map(typed).join(', ')}.`
        : 'Every search attribute is there.',
    ].join('\n'),
  );
}

async function check(service: CommandService, options: SetUpOptions): Promise<void> {
  const { temporalNamespace: namespace } = service.settings;
  const { connection } = await available(service, options);
  const exists = await namespaceExists(connection, namespace);
  const faults = exists
    ? await attributeFaults(connection, namespace, SEARCH_ATTRIBUTE_TYPES)
    : { missing: Object.keys(SEARCH_ATTRIBUTE_TYPES), wrong: [] };
  const lines = [
    ...(exists ? [] : [`There is no namespace "${namespace}".`]),
    ...(faults.missing.length > 0
      ? [`Search attributes are missing: ${faults.missing.map(typed).join(', ')}.`]
      : []),
    ...(faults.wrong.length > 0
      ? [`Search attributes have another type: ${faults.wrong.join(', ')}.`]
      : []),
  ];
  service.output.value({ namespace, exists, ...faults }, () =>
    lines.length === 0
      ? `The namespace "${namespace}" and every search attribute are there.`
      : lines.join('\n'),
  );
  if (!exists || !isSound(faults))
    throw new CommandFailure(
      faults.wrong.length > 0
        ? 'Remove the search attributes of another type ("temporal operator search-attribute remove"), then run "temporal setup".'
        : 'Run "temporal setup".',
    );
}

/** Waits for a server that is starting, and reports the reason from time to time. */
async function available(
  { settings, temporalClient, output }: CommandService,
  { wait }: SetUpOptions,
): Promise<TemporalClient> {
  const temporal = await temporalClient();
  const startedAt = Date.now();
  let shownAt = 0;
  while (!(await temporal.isAvailable())) {
    const state = `The Temporal server at ${settings.temporalAddress} does not respond: ${temporal.unavailableReason}.`;
    if (Date.now() - startedAt >= wait) throw new CommandFailure(state);
    if (Date.now() - shownAt >= PROGRESS_EVERY_MS) {
      output.note(`${state} Waiting.`);
      shownAt = Date.now();
    }
    await pause(LOOK_EVERY_MS);
  }
  return temporal;
}

function retention(text: string): number {
  const ms = duration(text);
  if (ms < DAY_MS || ms % 1_000 !== 0)
    throw new InvalidArgumentError('Must be at least 1d: Temporal keeps workflows no shorter.');
  return ms;
}

function typed(name: string): string {
  const type = SEARCH_ATTRIBUTE_TYPES[name];
  return type === undefined ? name : `${name} (${typeNameOf(type)})`;
}
