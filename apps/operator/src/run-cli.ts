import { Command, CommanderError } from 'commander';
import { MasterKeysRefused } from '../../../prisma/base/master-keys/master-key.repository.js';
import { printableLines } from '../../../clients/cli/src/output/printable.js';
import type { OperatorAction } from '../../../prisma/base/operator-actions/operator-action.repository.js';
import { SettingsError, type Environment } from '../../platform/src/config/settings.js';
import { ServiceNotFound } from '../../platform/src/process/find-service.js';
import { CommandFailure } from './command-failure.js';
import { addCommand } from './command-program.js';
import type { CommandShell } from './command-shell.js';
import { COMMANDS } from './commands/command-groups.js';
import type { OperatorCommand } from './operator-command.js';
import { printTo } from './output.js';
import { recordedAction } from './recorded-command.js';
import type { Service } from './service.js';
import { unreachableReason } from './unreachable-reason.js';

/** The environment a command runs in. */
export interface Shell extends CommandShell {
  /** Without the name of the program. */
  args: readonly string[];
  env: Environment;
  out(text: string): void;
  /** Writes the log line of a recorded command; missing = none is written. */
  log?(fields: OperatorAction, message: string): Promise<void> | void;
}

/** @returns the exit status */
export async function runCli(shell: Shell): Promise<number> {
  const { args, env, out, err } = shell;
  const program = new Command('tributary')
    .description(
      'Operator commands. They find the service by DATABASE_URL and MASTER_KEYS, or in the data folder (DATA_DIR) of a running standalone.',
    )
    .showHelpAfterError('(add --help for the options)')
    .configureOutput({ writeOut: out, writeErr: err })
    .option('--by <name>', 'who runs the command, for the record of operators; else user@host')
    .exitOverride();
  const act = async (operator: OperatorCommand, values: never[], command: Command) => {
    await operator.check?.(...values);
    const { openService } = await import('./service.js');
    const service = openService(env, printTo(out), operator.service);
    const action = recordedAction(operator, command, program.opts<{ by?: string }>().by);
    const work = () => operator.run({ ...service, shell }, ...values);
    try {
      await service.masterKeys.check();
      if (action === null) await work();
      else await recordWork(service, action, { shell, work });
    } finally {
      await service.close();
    }
  };
  for (const operator of await wantedCommands(args[0])) addCommand(program, operator, act);
  try {
    await program.parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    // Commander has already printed it.
    if (error instanceof CommanderError) return error.exitCode;
    const expected =
      error instanceof CommandFailure ||
      error instanceof ServiceNotFound ||
      error instanceof SettingsError ||
      error instanceof MasterKeysRefused
        ? error.message
        : unreachableReason(error);
    err(printableLines(`${expected ?? stackOf(error)}\n`));
    return 1;
  }
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

/** The commands to load: those of the given noun, or all for help and for an unknown command. */
export async function wantedCommands(first?: string): Promise<readonly OperatorCommand[]> {
  const called =
    first !== undefined && Object.hasOwn(COMMANDS, first) ? COMMANDS[first] : undefined;
  const loaded = await Promise.all(
    (called === undefined ? Object.values(COMMANDS) : [called]).map((load) => load()),
  );
  return loaded.flat();
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
