import type {
  RefreshControlRepository,
  ShownControl,
} from '../../../../prisma/work/refresh/refresh-control.repository.js';
import type { ControlScope } from '../../../../prisma/work/refresh/refresh-controls.js';
import { CommandFailure } from '../../../../clients/terminal/src/command-failure.js';
import { duration, durationOrDefault } from '../option-parsers.js';
import { knownSchedule } from '../operations/schedules/pause-schedule.js';
import type { OperatorCommand } from '../operator-command.js';
import { reasonOption } from '../reason-option.js';

/** Milliseconds. */
type Interval = number | 'default';
/**
 * Scheduled refreshes of an institution, or of all institutions of a provider: pauses and intervals.
 * Requests of apps continue.
 */
export function scheduleCommands(scope: ControlScope): readonly OperatorCommand[] {
  const control = <Options = object>(
    {
      name,
      help,
      example = '',
      options,
    }: {
      name: string;
      help: string;
      /** After the institution or configuration. */
      example?: string;
      options?: OperatorCommand['arguments'];
    },
    change: (
      controls: RefreshControlRepository,
      name: string,
      options: Options,
    ) => Promise<ShownControl | null>,
  ): OperatorCommand => ({
    name: `${scope}s ${name}`,
    help,
    examples: [
      `${scope}s ${name} ${scope === 'institution' ? 'INSTITUTION_ID' : 'simplefin'}${example}`,
    ],
    recorded: true,
    arguments(command) {
      command.argument(scope === 'institution' ? '<institution_id>' : '<name>');
      return options?.(command) ?? command;
    },
    run: async ({ refreshControls, output }, of: string, given: Options) => {
      const changed = knownSchedule(await change(refreshControls, of, given), scope, of);
      output.value(
        {
          [scope === 'institution' ? 'institution_id' : 'provider']: of,
          ...presentControl(changed),
        },
        () => describe(of, changed),
      );
    },
  });

  return [
    control<{ for?: number }>(
      {
        name: 'pause',
        help: 'pause scheduled refreshes, for a time or until resumed',
        example: ' --for 1h --reason "the source is being repaired"',
        options: (command) =>
          command.option('--for <duration>', 'for example 1h', duration).addOption(reasonOption()),
      },
      (controls, name, { for: ms }) =>
        controls.pause(scope, name, ms === undefined ? null : new Date(Date.now() + ms)),
    ),
    control(
      {
        name: 'resume',
        help: 'resume scheduled refreshes; links that became due in the meantime follow within one interval',
        options: (command) => command.addOption(reasonOption()),
      },
      (controls, name) => controls.resume(scope, name),
    ),
    control<{ fast?: Interval; slow?: Interval }>(
      {
        name: 'interval',
        help: 'set intervals that override the settings',
        example: ' --fast 12h --slow default',
        options: (command) =>
          command
            .option(
              '--fast <duration>',
              'accounts and transactions, for example 12h, or `default`',
              durationOrDefault,
            )
            .option('--slow <duration>', 'identity and account numbers', durationOrDefault),
      },
      (controls, name, { fast, slow }) => {
        if (fast === undefined && slow === undefined)
          throw new CommandFailure('Set --fast or --slow.');
        return controls.setIntervals(scope, name, {
          ...(fast === undefined ? {} : { fastMs: own(fast) }),
          ...(slow === undefined ? {} : { slowMs: own(slow) }),
        });
      },
    ),
  ];
}

function own(interval: Interval): number | null {
  return interval === 'default' ? null : interval;
}

/** A schedule, as shown to operators. */
export function presentControl({ paused, pausedUntil, intervalMs, slowIntervalMs }: ShownControl) {
  return {
    paused,
    paused_until: pausedUntil?.toISOString() ?? null,
    interval_ms: intervalMs,
    slow_interval_ms: slowIntervalMs,
  };
}

function describe(
  name: string,
  { paused, pausedUntil, intervalMs, slowIntervalMs }: ShownControl,
): string {
  const pause = paused
    ? `is paused ${pausedUntil === null ? 'until it is resumed' : `until ${pausedUntil.toISOString()}`}`
    : 'is refreshed by schedule';
  const intervals = [
    ['fast', intervalMs],
    ['slow', slowIntervalMs],
  ]
    .filter(([, ms]) => ms !== null)
    .map(([speed, ms]) => `${speed} every ${Number(ms) / 1_000} s`);
  return `${name} ${[pause, ...intervals].join(', ')}.`;
}
