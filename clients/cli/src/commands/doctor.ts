import type { CliCommand, CommandContext } from '../cli-command.js';
import { printable } from '../../../terminal/src/printable.js';
import { EXIT } from '../exit-codes.js';
import { examine } from '../doctor/examine.js';
import type { Finding } from '../doctor/finding.js';

const MARKS: Readonly<Record<Finding['verdict'], string>> = {
  good: 'ok',
  warning: 'note',
  bad: 'FAILED',
};
const WIDTH = 7;

export const DOCTOR: CliCommand = {
  name: 'doctor',
  help: 'diagnose the service, the clock, the versions, the key pair and the webhooks',
  examples: ['doctor'],
  run: async (context: CommandContext) => {
    const { output } = context;
    let worst: Finding['verdict'] = 'good';
    for await (const finding of examine(await context.keyPair(), await context.client())) {
      const { verdict, subject, text, next } = finding;
      if (verdict === 'bad' || (verdict === 'warning' && worst === 'good')) worst = verdict;
      const paint = {
        good: output.colors.good,
        warning: output.colors.strong,
        bad: output.colors.bad,
      };
      output.row(finding, () => {
        const mark = paint[verdict](MARKS[verdict].padEnd(WIDTH));
        const advice = next === null ? '' : `\n${' '.repeat(WIDTH + 1)}${printable(next)}`;
        return `${mark} ${subject}: ${printable(text)}${advice}`;
      });
    }
    return worst === 'bad' ? EXIT.failed : EXIT.done;
  },
};
