import type {
  SandboxRunHoldingsScriptRequest,
  SandboxRunLiabilitiesScriptRequest,
  SandboxRunScriptRequest,
} from '@tributary/node';
import type { Command } from 'commander';
import { sheet, table } from '../../../terminal/src/table.js';
import type { CliCommand } from '../cli-command.js';
import { readJson } from '../read-input.js';

const withSteps = (command: Command) =>
  command
    .argument('<link_id>')
    .argument('<file>', 'JSON: an array of steps, or - for standard input');

/** Steps are sent as the file states them: the service examines each. */
export const SCRIPT_COMMANDS: readonly CliCommand[] = [
  {
    name: 'script',
    help: 'let transactions happen at the sandbox bank of a link, and fetch them',
    examples: ['script LINK_ID steps.json'],
    arguments: withSteps,
    run: async ({ client, output, stdin }, linkId: string, file: string) => {
      const script = (await readJson(file, stdin)) as SandboxRunScriptRequest['script'];
      const outcome = await (await client()).sandbox.runScript(linkId, { script });
      output.value(outcome, () => table(outcome.rows));
    },
  },
  {
    name: 'holdings script',
    help: 'change holdings at the sandbox bank of a link, and fetch them',
    examples: ['holdings script LINK_ID steps.json'],
    arguments: withSteps,
    run: async ({ client, output, stdin }, linkId: string, file: string) => {
      const script = (await readJson(file, stdin)) as SandboxRunHoldingsScriptRequest['script'];
      const change = await (await client()).sandbox.runHoldingsScript(linkId, { script });
      output.value(change, () => sheet({ ...change }));
    },
  },
  {
    name: 'liabilities script',
    help: 'change debts at the sandbox bank of a link, and fetch them',
    examples: ['liabilities script LINK_ID steps.json'],
    arguments: withSteps,
    run: async ({ client, output, stdin }, linkId: string, file: string) => {
      const script = (await readJson(file, stdin)) as SandboxRunLiabilitiesScriptRequest['script'];
      const change = await (await client()).sandbox.runLiabilitiesScript(linkId, { script });
      output.value(change, () => sheet({ ...change }));
    },
  },
];
