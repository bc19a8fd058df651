import { Option } from 'commander';
import type { CheckReport } from '../../../../../prisma/work/providers/provider-configuration.js';
import { duration } from '../../option-parsers.js';
import {
  checkConfiguration,
  requireSuccess,
} from '../../operations/providers/check-configuration.js';
import type { OperatorCommand } from '../../operator-command.js';

/** Longer than a worker's time limit for a check. */
const WAIT_MS = 60_000;

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
    const checked = await checkConfiguration(service, name, options.wait);
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
    requireSuccess(checked);
  },
};

/** One line per check; below a failed one, or a warning, the remedy. */
export function describeReport(lines: CheckReport['lines']): string {
  return lines
    .flatMap(({ what, ok, detail, remedy }) => [
      `${ok ? (remedy === null ? 'ok    ' : 'warn  ') : 'FAILED'}  ${what}${detail === null ? '' : `: ${detail}`}`,
      ...(remedy === null ? [] : [`        ${remedy}`]),
    ])
    .join('\n');
}
