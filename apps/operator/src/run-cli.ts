import type { Command } from 'commander';
import { CommandFailure } from '../../../clients/terminal/src/command-failure.js';
import { Output } from '../../../clients/terminal/src/output.js';
import {
  addCommand,
  createProgram,
  runProgram,
  type Explanation,
  type ProgramShell,
} from '../../../clients/terminal/src/program.js';
import { MasterKeysRefused } from '../../../prisma/base/master-keys/master-key.repository.js';
import type { OperatorAction } from '../../../prisma/base/operator-actions/operator-action.repository.js';
import { SettingsError, type Environment } from '../../platform/src/config/settings.js';
import { ServiceNotFound } from '../../platform/src/process/find-service.js';
import { COMMANDS, subjectsOf, wantedCommands } from './commands/command-groups.js';
import type { CommandShell, OperatorCommand } from './operator-command.js';
import { recordedAction } from './recorded-command.js';
import type { Service } from './service.js';
import { unreachableReason } from './unreachable-reason.js';

interface OperatorShell extends ProgramShell {
  /** The program as it is typed, for help; missing = `npm run -s operator --`. */
  program?: string;
}

/** The environment a command runs in. */
export interface Shell extends CommandShell, OperatorShell {
  env: Environment;
  /** Writes the log line of a recorded command; missing = none is written. */
  log?(fields: OperatorAction, message: string): Promise<void> | void;
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
  return runProgram(program, shell, { explain, usage: 1 });
}

async function act(
  shell: Shell,
  operator: OperatorCommand,
  { values, command, by }: Typed,
): Promise<void> {
  await operator.check?.(...values);
  const { openService } = await import('./service.js');
  const service = openService(shell.env, operator.service);
  const isJson = command.opts<{ json?: boolean }>().json === true;
  const output = new Output(shell, shell.env, { isJson, indent: 2 });
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

function explain(error: unknown): Explanation {
  const expected =
    error instanceof CommandFailure ||
    error instanceof ServiceNotFound ||
    error instanceof SettingsError ||
    error instanceof MasterKeysRefused
      ? error.message
      : unreachableReason(error);
  return { cause: expected ?? stackOf(error), exitCode: 1 };
}

/** Records a command before it changes anything, and its outcome. A command that cannot be recorded does not run. */
async function recordWork(
  { actions }: Service,
  action: Omit<OperatorAction, 'outcome'>,
  { shell, work }: { shell: Shell; work: () => Promise<void> },
): Promise<void> {
  const record = async (outcome: OperatorAction['outcome']): Promise<void> => {
    await actions.record({ ...action, outcome });
    // Log: on standard error, unless that is a terminal.
    await shell.log?.({ ...action, outcome }, 'audit.command');
  };
  await record('started');
  try {
    await work();
  } catch (error) {
    await record('failed');
    throw error;
  }
  await record('succeeded');
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
