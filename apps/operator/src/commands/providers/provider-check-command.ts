import { setTimeout as pause } from 'node:timers/promises';
import { Option } from 'commander';
import type {
  CheckReport,
  ConfigurationRecord,
} from '../../../../../prisma/work/providers/provider-configuration.js';
import { CommandFailure } from '../../../../../clients/terminal/src/command-failure.js';
import { duration } from '../../option-parsers.js';
import type { CommandService, OperatorCommand } from '../../operator-command.js';
import { findConfiguration } from './find-configuration.js';

/** Longer than a worker's time limit for a check. */
const WAIT_MS = 60_000;
const LOOK_AGAIN_MS = 200;

export const PROVIDER_CHECK: OperatorCommand = {
  name: 'providers check',
  help: 'check the keys from a worker, which reaches the source; exit with 1 if they do not work',
  examples: ['providers check simplefin'],
  recorded: true,
  arguments: (command) =>
    command
      .argument('<name>')
      .addOption(
        new Option('--wait <duration>', 'how long to wait for the worker')
          .argParser(duration)
          .default(WAIT_MS, '60s'),
      ),
  run: async (service, name: string, options: { wait: number }) => {
    const checked = await check(service, name, options.wait);
    const { report, broken, credentialsEndAt } = checked;
    service.output.value(
      {
        name,
        ok: report.ok,
        broken,
        credentials_end_at: credentialsEndAt?.toISOString() ?? null,
        lines: report.lines,
      },
      () => describeReport(report.lines),
    );
    if (!report.ok)
      throw new CommandFailure(
        broken
          ? `${name} is broken: it serves nothing until a check succeeds.`
          : `The check of ${name} did not succeed.`,
      );
  },
};

type Checked = ConfigurationRecord & { report: CheckReport };

async function check(service: CommandService, name: string, waitMs: number): Promise<Checked> {
  const { checkedAt: before } = await findConfiguration(service, name);
  await service.configurationChecks.request(name);
  for (const giveUpAt = Date.now() + waitMs; Date.now() < giveUpAt; await pause(LOOK_AGAIN_MS)) {
    const { report, checkedAt, ...found } = await findConfiguration(service, name);
    if (report !== null && checkedAt?.getTime() !== before?.getTime())
      return { ...found, checkedAt, report };
  }
  throw new CommandFailure(
    `No worker has checked ${name} yet. Is one running? \`providers show ${name}\` shows the result once one has.`,
  );
}

/** One line per check; below a failed one, or a warning, the remedy. */
export function describeReport(lines: CheckReport['lines']): string {
  return lines
    .flatMap(({ what, ok, detail, remedy }) => [
      `${ok ? (remedy === null ? 'ok    ' : 'warn  ') : 'FAILED'}  ${what}${detail === null ? '' : `: ${detail}`}`,
      ...(remedy === null ? [] : [`        ${remedy}`]),
    ])
    .join('\n');
}
