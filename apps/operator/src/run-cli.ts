import type { Command } from 'commander';
import { Output } from '../../../clients/terminal/src/output.js';
import {
  addCommand,
  createProgram,
  runProgram,
  type ProgramShell,
} from '../../../clients/terminal/src/program.js';
import type { Environment } from '../../platform/src/config/settings.js';
import { COMMANDS, subjectsOf, wantedCommands } from './commands/command-groups.js';
import { explainFailure } from './explain-failure.js';
import type { CommandService, CommandShell, OperatorCommand } from './operator-command.js';
import { recordedAction, recordWork, type LogAction } from './recorded-command.js';

interface OperatorShell extends ProgramShell {
  /** The program as it is typed, for help; missing = `npm run -s operator --`. */
  program?: string;
}

/** The environment a command runs in. */
export interface Shell extends CommandShell, OperatorShell {
  env: Environment;
  log?: LogAction;
}

/** A command as it was typed. */
interface Typed {
  values: never[];
  command: Command;
  by: string | undefined;
}

/** The program with the commands that its arguments name, each of which `act` runs. */
export async function operatorProgram(
  shell: OperatorShell,
  commands: typeof COMMANDS,
  act: (operator: OperatorCommand, typed: Typed) => Promise<void>,
): Promise<Command> {
  const subjects = subjectsOf(commands);
  const program = createProgram(
    shell.program ?? 'npm run -s operator --',
    'Operator commands. They find the service by DATABASE_URL and MASTER_KEYS, or in the data folder (DATA_DIR) of a running standalone.',
    shell,
  ).option('--by <name>', 'who runs the command, for the record of operators; else user@host');
  for (const operator of await wantedCommands(commands, shell.args[0]))
    addCommand(program, operator, subjects, (values, command) =>
      act(operator, { values, command, by: program.opts<{ by?: string }>().by }),
    );
  return program;
}

/** @returns the exit status */
export async function runCli(shell: Shell, commands = COMMANDS): Promise<number> {
  const program = await operatorProgram(shell, commands, (operator, typed) =>
    act(shell, operator, typed),
  );
  return runProgram(program, shell, { explain: explainFailure, usage: 1 });
}

async function act(
  shell: Shell,
  operator: OperatorCommand,
  { values, command, by }: Typed,
): Promise<void> {
  await operator.check?.(...values);
  const isJson = command.opts<{ json?: boolean }>().json === true;
  const output = new Output(shell, shell.env, { isJson, indent: 2 });
  if (operator.offline === true)
    return void (await operator.run({ output, shell } as unknown as CommandService, ...values));
  const { openService } = await import('./service.js');
  const service = openService(shell.env, operator.service);
  const action = recordedAction(operator, command, by);
  const work = async () => void (await operator.run({ ...service, output, shell }, ...values));
  try {
    await service.masterKeys.check();
    if (action === null) await work();
    else await recordWork(service, action, { shell, work });
  } finally {
    await service.close();
  }
}
