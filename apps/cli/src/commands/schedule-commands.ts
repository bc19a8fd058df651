import type { Command } from 'commander';
import type {
  RefreshControlRepository,
  ShownControl,
} from '../../../../prisma/refresh/refresh-control.repository.js';
import type { ControlScope } from '../../../../prisma/refresh/refresh-controls.js';
import { CommandFailure } from '../command-failure.js';
import { duration, durationOrDefault } from '../option-parsers.js';
import { table, type OutputOptions } from '../output.js';
import type { Service } from '../service.js';

/** Milliseconds. */
type Interval = number | 'default';
type WithService = (work: (service: Service) => Promise<void>) => Promise<void>;

/**
 * Scheduled refreshes of an institution or a provider: pauses and intervals. Requests of apps
 * continue.
 */
export function addScheduleCommands(program: Command, withService: WithService): void {
  const institution = program
    .command('institution')
    .description('institutions, and their scheduled refreshes');
  institution
    .command('list')
    .description('list all institutions with their providers and schedules')
    .option('--json', 'print one JSON array')
    .action((options: OutputOptions) =>
      withService(async ({ refreshControls, print }) => {
        const shown = (await refreshControls.institutions()).map(
          ({ institutionId, name, environment, country, providers, control }) => ({
            institution_id: institutionId,
            name,
            environment,
            country,
            providers,
            ...present(control),
          }),
        );
        print(shown, options, () => table(shown));
      }),
    );
  addControls(institution, 'institution', withService);
  addControls(
    program
      .command('provider')
      .description('scheduled refreshes of all institutions of a provider'),
    'provider',
    withService,
  );
}

function addControls(parent: Command, scope: ControlScope, withService: WithService): void {
  const argument = scope === 'institution' ? '<institution_id>' : '<name>';
  const add = <Options extends OutputOptions>(
    verb: string,
    description: string,
    change: (
      controls: RefreshControlRepository,
      name: string,
      options: Options,
    ) => Promise<ShownControl | null>,
  ) =>
    parent
      .command(verb)
      .description(description)
      .argument(argument)
      .option('--json', 'print one JSON object')
      .action((name: string, options: Options) =>
        withService(async ({ refreshControls, print }) => {
          const control = await change(refreshControls, name, options);
          if (control === null) throw new CommandFailure(`There is no ${scope} ${name}.`);
          print(
            {
              [scope === 'institution' ? 'institution_id' : 'provider']: name,
              ...present(control),
            },
            options,
            () => describe(name, control),
          );
        }),
      );

  add<OutputOptions & { for?: number }>(
    'pause',
    'pause scheduled refreshes, for a time or until resumed',
    (controls, name, { for: ms }) =>
      controls.pause(scope, name, ms === undefined ? null : new Date(Date.now() + ms)),
  ).option('--for <duration>', 'for example 1h', duration);
  add(
    'resume',
    'resume scheduled refreshes; links that were due meanwhile follow within one interval',
    (controls, name) => controls.resume(scope, name),
  );
  add<OutputOptions & { fast?: Interval; slow?: Interval }>(
    'interval',
    'set intervals that replace those of the settings',
    (controls, name, { fast, slow }) => {
      if (fast === undefined && slow === undefined)
        throw new CommandFailure('Set --fast or --slow.');
      return controls.setIntervals(scope, name, {
        ...(fast === undefined ? {} : { fastMs: own(fast) }),
        ...(slow === undefined ? {} : { slowMs: own(slow) }),
      });
    },
  )
    .option(
      '--fast <duration>',
      'accounts and transactions, for example 12h, or `default`',
      durationOrDefault,
    )
    .option('--slow <duration>', 'identity and account numbers', durationOrDefault);
}

function own(interval: Interval): number | null {
  return interval === 'default' ? null : interval;
}

function present({ paused, pausedUntil, intervalMs, slowIntervalMs }: ShownControl) {
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
